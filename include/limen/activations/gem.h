// Part of limen. SPDX-License-Identifier: MIT
//
// Activations of the log-logistic law: rational functions that are 2 N times differentiable at 0.
#pragma once

#include <array>

#include "limen/activations/transmission.h"
#include "limen/laws/log_logistic.h"

namespace limen::activations {

template <class PlacementOfLaw>
struct LogLogisticTransmission : Transmission<laws::LogLogistic, PlacementOfLaw> {
  using Law = laws::LogLogistic;
  using Base = Transmission<Law, PlacementOfLaw>;
  template <class V>
  using C = typename Base::template C<V>;

  static Distribution distribution(const double* parameters) {
    return PlacementOfLaw::location_scale(parameters).of(Law::distribution(2 * parameters[0]));
  }
  static double quantile(const double* parameters, double p) {
    return PlacementOfLaw::location_scale(parameters).of(Law::quantile(2 * parameters[0], p));
  }

  template <class V>
  static constexpr V slope(V z, const C<V>& c) {
    const auto at = Base::place(z, c);
    const V k = V(c.shape), factor = (at.denominator + select(at.open, -k, k)) + at.denominator_low;
    return Base::from_side(at.open, times(factor, at.power) / Law::denominator_square(at));
  }
  template <class V>
  static constexpr V curvature(V z, const C<V>& c) {
    const auto at = Base::place(z, c);
    return Law::density(at, c) * Law::curvature_factor(at, c) * V(unscale<V>);
  }
  template <class V>
  static constexpr V density(V z, const C<V>& c) {
    return Law::density(Base::place(z, c), c) * V(unscale<V>);
  }

  /// f / z (k - 1 - 2 k F)
  template <class V>
  static constexpr V density_slope(V z, const C<V>& c) {
    const V k = V(c.shape), decay = fnma(V(2) * k, Base::gate(z, c), k - V(1));
    return select(z > V(0), Law::density(Base::place(z, c), c) / z * decay * V(unscale<V>), unless_nan(V(0), z));
  }

  /// E(z - T)+, by the integral of F below the middle and by that of 1 - F far above it; around it z - mean would
  /// cancel.
  template <class V>
  static constexpr V loss(V z, const C<V>& c) {
    const auto at = Base::place(z, c);
    const V far = (z - V(c.mean.high)) + (tail(at, c) - V(c.mean.low));
    return select(is_far<V>(at), far, loss_near(at, c));
  }
  template <class V>
  static constexpr V correction(V z, const C<V>& c) {
    const auto at = Base::place(z, c);
    const V z_other = times(at.y, Law::side(at)) * V(unscale<V>);
    const V far = z_other + (tail(at, c) - V(c.mean.low)) - V(c.mean.high);
    return select(is_far<V>(at), far, loss_near(at, c) - Base::value(z, c));
  }
  template <class V>
  static constexpr V centred(V z, const C<V>& c) {
    return loss(z, c);
  }

 protected:
  template <class V>
  static constexpr Scalar<V> unscale = Base::template unscale<V>;

 private:
  template <class V>
  static constexpr Mask<V> is_far(laws::PowerPosition<V> at) {
    return at.open & (at.power.high < V(tail_scale<Scalar<V>> / 2));
  }
  template <class V>
  static constexpr V times_integral(V size, Pair<V> side, V shape, V shift) {
    const auto integral = laws::integral_over_product(times_power(V(unscale<V>), side), shape, shift);
    return sum(product(product(size, side), integral)) * V(unscale<V>);
  }
  template <class V>
  static constexpr V loss_near(laws::PowerPosition<V> at, const C<V>& c) {
    const Pair<V> one = {V(tail_scale<Scalar<V>>), V(0)};
    return times_integral(abs(at.y), Law::share(select(at.open, one, at.power), at), V(c.shape), V(1));
  }
  template <class V>
  static constexpr V tail(laws::PowerPosition<V> at, const C<V>& c) {
    return times_integral(at.y, Law::share(at.power, at), V(c.shape), V(-1));
  }
};

/// z^(2N + 1) / (1 + z^(2N)) for z > 0.
struct Gem : LogLogisticTransmission<laws::ByShape> {
  static constexpr ActivationInfo info{
      .name = "gem",
      .title = "GEM",
      .formula = "z z^(2N) / (1 + z^(2N)) for z > 0, else 0",
      .slope = "w (w + 2N + 1) / (1 + w)^2 for z > 0, else 0; w = z^(2N)",
      .law = "log-logistic",
      .gate = "w / (1 + w) for z > 0, else 0; w = z^(2N)",
      .loss = "the integral of F from 0 to z",
      .mean = "pi / (2N sin(pi / (2N)))",
      .variance = "inf for N <= 1, else pi / (N sin(pi / N)) - (pi / (2N sin(pi / (2N))))^2",
      .entropy = "2 - ln(2N)",
      .limit = "0",
      .reference = "the geometric monomial of arXiv 2604.21677, 2026",
      .bound = {3, 4},
      .parameter_count = 1,
      .parameter = {laws::log_logistic_shape}};

  template <class V>
  static constexpr std::array<V, 1> parameter_slopes(V z, const C<V>&) {
    return {unless_nan(V(0), z)};
  }
  template <class V>
  static constexpr std::array<V, 1> mixed_curvatures(V z, const C<V>&) {
    return {unless_nan(V(0), z)};
  }
  template <class V>
  static constexpr std::array<V, 1> parameter_curvatures(V z, const C<V>&) {
    return {unless_nan(V(0), z)};
  }
};

/// z^(2N + 1) / (eps + z^(2N)) for z > 0: nearer to max(z, 0) for smaller eps.
struct EGem : LogLogisticTransmission<laws::ByShapeAndPower> {
  static constexpr ActivationInfo info{
      .name = "e_gem",
      .title = "E-GEM",
      .formula = "z z^(2N) / (eps + z^(2N)) for z > 0, else 0",
      .slope = "w (w + (2N + 1) eps) / (eps + w)^2 for z > 0, else 0; w = z^(2N)",
      .law = "log-logistic",
      .gate = "w / (eps + w) for z > 0, else 0; w = z^(2N)",
      .loss = "the integral of F from 0 to z",
      .mean = "eps^(1 / (2N)) pi / (2N sin(pi / (2N)))",
      .variance = "inf for N <= 1, else eps^(1 / N) (pi / (N sin(pi / N)) - (pi / (2N sin(pi / (2N))))^2)",
      .entropy = "2 - ln(2N) + ln(eps) / (2N)",
      .limit = "0",
      .power_tails = true,
      .reference = "derived from the abstract of arXiv 2604.21677, not the paper's formula: see docs/accuracy.md",
      .bound = {3, 4},
      .parameter_count = 2,
      .parameter = {laws::log_logistic_shape, laws::log_logistic_power}};

  static Distribution distribution(const double* parameters) {
    Distribution law = LogLogisticTransmission::distribution(parameters);
    law.maximum_entropy = "E ln T and E ln(1 + T^(2N) / eps) = 1";
    return law;
  }

  /// -F (1 - F) z / eps
  template <class V>
  static constexpr std::array<V, 2> parameter_slopes(V z, const C<V>& c) {
    const V z_spread = times(Law::u_spread(place(z, c)), broadcast<V>(c.scale_by_power));
    return {unless_nan(V(0), z), z_spread * V(-unscale<V>)};
  }
  template <class V>
  static constexpr std::array<V, 2> mixed_curvatures(V z, const C<V>& c) {
    const auto at = place(z, c);
    const V spread = times(Law::spread(at), broadcast<V>(c.power_rate));
    return {unless_nan(V(0), z), spread * Law::curvature_factor(at, c) * V(-unscale<V>)};
  }
  /// 2 F (1 - F)^2 z / eps^2
  template <class V>
  static constexpr std::array<V, 3> parameter_curvatures(V z, const C<V>& c) {
    const auto at = place(z, c);
    const V zero = unless_nan(V(0), z);
    const V size = times(product(Law::u_tail(at), broadcast<V>(c.scale_by_power)), Law::other_share(at));
    return {zero, zero, times(size, times_power(V(2 * unscale<V>), broadcast<V>(c.power_rate)))};
  }
};

/// E-GEM above 0, eta times it turned about 0 below. The gate falls below 0, so there is no law.
struct SeGem {
  static constexpr ActivationInfo info{
      .name = "se_gem",
      .title = "SE-GEM-like",
      .formula = "g for z > 0, else eta g; g = z w / (eps + w), w = z^(2N)",
      .slope = "g for z > 0, else eta g; g = w (w + (2N + 1) eps) / (eps + w)^2, w = z^(2N)",
      .law = "",
      .limit = "eta z",
      .power_tails = true,
      .reference =
          "SE-GEM-like: derived from the abstract of arXiv 2604.21677, not the paper's formula: see "
          "docs/accuracy.md",
      .bound = {3, 4},
      .parameter_count = 3,
      .parameter = {laws::log_logistic_shape,
                    laws::log_logistic_power,
                    {"eta", 0.01, 0, 1, false, "slope at -inf", Learned::sigmoid}},
      .meets_at_0 = true};

  template <class S>
  struct Constants {
    EGem::Constants<S> above;
    S eta;
  };
  template <class V>
  using C = Constants<Scalar<V>>;

  template <class S>
  static constexpr Constants<S> prepare(const S* parameters) {
    return {EGem::prepare(parameters), parameters[2]};
  }
  template <class V>
  static constexpr V value(V z, const C<V>& c) {
    return odd_share(z, c) * EGem::value(abs(z), c.above);
  }
  template <class V>
  static constexpr V slope(V z, const C<V>& c) {
    return share(z, c) * EGem::slope(abs(z), c.above);
  }
  template <class V>
  static constexpr V curvature(V z, const C<V>& c) {
    return odd_share(z, c) * EGem::curvature(abs(z), c.above);
  }
  template <class V>
  static constexpr std::array<V, 3> parameter_slopes(V z, const C<V>& c) {
    const auto [shape, eps] = EGem::parameter_slopes(abs(z), c.above);
    return {shape, odd_share(z, c) * eps, below(z, -EGem::value(abs(z), c.above))};
  }
  template <class V>
  static constexpr std::array<V, 3> mixed_curvatures(V z, const C<V>& c) {
    const auto [shape, eps] = EGem::mixed_curvatures(abs(z), c.above);
    return {shape, share(z, c) * eps, below(z, EGem::slope(abs(z), c.above))};
  }
  /// In (N, N), (N, eps), (N, eta), (eps, eps), (eps, eta), (eta, eta).
  template <class V>
  static constexpr std::array<V, 6> parameter_curvatures(V z, const C<V>& c) {
    const V zero = unless_nan(V(0), z), eps = EGem::parameter_slopes(abs(z), c.above)[1];
    const V eps_eps = odd_share(z, c) * EGem::parameter_curvatures(abs(z), c.above)[2];
    return {zero, zero, zero, eps_eps, below(z, -eps), zero};
  }

 private:
  /// eta below 0, 1 above.
  template <class V>
  static constexpr V share(V z, const C<V>& c) {
    return select(z < V(0), V(c.eta), V(1));
  }
  /// The same with the sign of z.
  template <class V>
  static constexpr V odd_share(V z, const C<V>& c) {
    return select(z < V(0), V(-c.eta), V(1));
  }
  /// x below 0, else 0; a NaN stays one.
  template <class V>
  static constexpr V below(V z, V x) {
    return select(z >= V(0), V(0), x);
  }
};

}  // namespace limen::activations
