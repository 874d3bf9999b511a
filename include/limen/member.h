// Part of limen. SPDX-License-Identifier: MIT
//
// A function of z alone: an activation whose parameters have numbers, or the transmission of a law given as data.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>
#include <span>
#include <utility>

#include "limen/evaluate.h"
#include "limen/laws/empirical.h"
#include "limen/math/random.h"

namespace limen {

/// The quantities of z F(z) for a law given as data; there are no parameters.
inline Quantities<double> evaluate(const laws::Empirical& law, double z) {
  const laws::GateAndDensity at = law.at(z);
  Quantities<double> q;
  q.value = laws::transmission(z, at);
  q.slope = laws::transmission_slope(z, at);
  q.curvature = 2 * at.density;
  q.gate = at.gate;
  q.density = at.density;
  q.density_slope = 0 * at.density;  // a NaN stays one
  q.loss = law.loss(z);
  q.centred = law.centred(z);
  q.correction = law.correction(z);
  return q;
}

class Member {
 public:
  /// One number inside its domain for each parameter of the activation, in the registry's order.
  Member(ActivationId id, std::span<const double> parameters) : id_(id) {
    assert(parameters.size() == limen::info(id).parameter_count);
    std::ranges::copy(parameters, parameters_.begin());
  }
  explicit Member(EmpiricalLaw law) : law_(std::move(law)) { assert(law_); }

  const ActivationInfo& info() const { return law_ ? laws::Empirical::transmission : limen::info(id_); }
  std::span<const double> parameters() const { return std::span(parameters_).first(info().parameter_count); }
  void set(std::size_t parameter, double value) { parameters_[parameter] = value; }
  /// Null for an activation of the registry.
  const EmpiricalLaw& law() const { return law_; }
  /// Of the registry; only without `law`.
  ActivationId id() const {
    assert(!law_);
    return id_;
  }

  /// Everything at z; S is float or double. A law given as data computes in f64 and rounds.
  template <class S = double>
  Quantities<S> at(S z) const {
    if (law_) return rounded<S>(evaluate(*law_, static_cast<double>(z)));
    std::array<S, max_parameters> parameters{};
    std::ranges::transform(parameters_, parameters.begin(), [](double p) { return static_cast<S>(p); });
    return evaluate<S>(id_, parameters.data(), z);
  }

  /// The value alone, or the gate alone (none where there is no law): faster where one is asked for many times.
  double value(double z) const {
    if (law_) return laws::transmission(z, law_->at(z));
    double v = 0;
    visit(id_, [&]<class A>() { v = A::value(z, A::prepare(parameters_.data())); });
    return v;
  }
  std::optional<double> gate(double z) const {
    if (law_) return law_->at(z).gate;
    std::optional<double> v;
    visit(id_, [&]<class A>() {
      const auto c = A::prepare(parameters_.data());
      if constexpr (requires { A::gate(z, c); }) v = A::gate(z, c);
    });
    return v;
  }

  bool has_knees() const { return law_ != nullptr || limen::has_knees(id_); }
  /// The law of the threshold, or none for an activation without one.
  std::optional<Distribution> distribution() const {
    return law_ ? law_->distribution() : limen::distribution(id_, parameters_.data());
  }
  /// The least z with F(z) >= p, for p in (0, 1). None without a law.
  std::optional<double> quantile(double p) const {
    return law_ ? law_->quantile(p) : limen::quantile(id_, parameters_.data(), p);
  }
  /// The threshold that a stream holds at a position: F's quantile of stream.level(position). None without a law.
  std::optional<double> threshold(const math::Stream& stream, std::uint64_t position) const {
    return quantile(stream.level(position));
  }

 private:
  template <class S>
  static Quantities<S> rounded(const Quantities<double>& q) {
    const auto optional = [](const std::optional<double>& x) {
      return x ? std::optional<S>(static_cast<S>(*x)) : std::nullopt;
    };
    Quantities<S> all;
    all.value = static_cast<S>(q.value);
    all.slope = static_cast<S>(q.slope);
    all.curvature = static_cast<S>(q.curvature);
    all.gate = optional(q.gate);
    all.density = optional(q.density);
    all.density_slope = optional(q.density_slope);
    all.loss = optional(q.loss);
    all.centred = optional(q.centred);
    all.correction = optional(q.correction);
    return all;
  }

  ActivationId id_{};
  std::array<double, max_parameters> parameters_{};
  EmpiricalLaw law_;
};

}  // namespace limen
