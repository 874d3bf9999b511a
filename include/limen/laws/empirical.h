// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "limen/laws/distribution.h"
#include "limen/laws/info.h"

namespace limen::laws {

/// Gate and density at a point.
struct GateAndDensity {
  double gate, density;
};

/// How many of `quantiles` (in order, not empty) are at most z; all of them for a NaN.
inline std::size_t count_up_to(std::span<const double> quantiles, double z) {
  // Steps of halving length without a branch to mispredict: activations come in no order.
  const double* first = quantiles.data();
  for (std::size_t left = quantiles.size(); left > 0;) {
    const std::size_t half = (left + 1) / 2;
    first += first[half - 1] > z ? 0 : half;
    left -= half;
  }
  return static_cast<std::size_t>(first - quantiles.data());
}

/// F and f where F rises linearly from levels[i] to levels[i + 1] between quantiles[i] and quantiles[i + 1].
inline GateAndDensity gate_and_density(std::span<const double> levels, std::span<const double> quantiles, double z) {
  if (z != z) return {z, z};
  const std::size_t count = count_up_to(quantiles, z);
  if (count == 0) return {0, 0};
  if (count == quantiles.size()) return {1, 0};
  const double width = quantiles[count] - quantiles[count - 1], rise = levels[count] - levels[count - 1];
  const double gate = levels[count - 1] + (z - quantiles[count - 1]) / width * rise;
  return {std::min(gate, levels[count]), gate > 0 ? rise / width : 0};
}

/// z F, and its slope F + z f; both sides of an infinite z without inf * 0.
inline double transmission(double z, const GateAndDensity& at) { return at.gate == 0 ? 0 : z * at.gate; }
inline double transmission_slope(double z, const GateAndDensity& at) {
  return at.density == 0 ? at.gate : at.gate + z * at.density;
}

/// A law given as data: its quantile function is linear between the levels 0 = p_0 < p_1 < ... < p_n = 1, so that F is
/// linear between the quantiles q_0 <= ... <= q_n, and jumps where some of them are equal. Gate, density and losses are
/// those of that law, exactly (f64, 4 ulp, the losses of their largest term).
///
/// At a quantile the piece above it counts, as F is continuous from the right; at the ends of the support the outer
/// one. At a jump F has no density: `density` is that of the pieces, and the slope of z F(z) leaves the jump out.
class Empirical {
 public:
  static constexpr ActivationInfo transmission{.name = "empirical",
                                               .title = "Empirical",
                                               .formula = "z F(z), F linear between given quantiles",
                                               .slope = "F(z) + z f(z)",
                                               .law = "empirical",
                                               .gate = "F(z)",
                                               .limit = "0",
                                               .reference = "integrals of a piecewise linear F",
                                               .bound = {4, 4}};

  /// What is wrong with a table of quantiles: what was expected of which row (from 0); "" when nothing is.
  struct Fault {
    std::string_view expected;
    std::size_t row = 0;
  };
  static Fault fault(std::span<const double> levels, std::span<const double> quantiles) {
    if (levels.size() != quantiles.size()) return {"as many levels as quantiles", 0};
    if (levels.size() < 2) return {"at least two quantiles, those of the levels 0 and 1", 0};
    for (std::size_t i = 0; i < levels.size(); ++i) {
      if (!(std::abs(quantiles[i]) < widest)) return {"a quantile between -1e24 and 1e24", i};
      if (i == 0 ? levels[i] != 0 : !(levels[i] > levels[i - 1])) return {"levels that rise from 0 to 1", i};
      if (i > 0 && quantiles[i] < quantiles[i - 1]) return {"quantiles that do not fall", i};
    }
    if (levels.back() != 1) return {"levels that rise from 0 to 1", levels.size() - 1};
    return {};
  }

  /// A table without fault.
  Empirical(std::vector<double> levels, std::vector<double> quantiles)
      : levels_(std::move(levels)), quantiles_(std::move(quantiles)) {
    assert(fault(levels_, quantiles_).expected.empty());
    add_up();
  }

  /// The law whose quantiles at i / (n - 1), i = 0 ... n - 1, are the samples in order: at least two finite numbers
  /// inside (-widest, widest).
  static Empirical of_samples(std::vector<double> samples) {
    std::ranges::sort(samples);
    std::vector<double> levels(samples.size());
    for (std::size_t i = 0; i < levels.size(); ++i)
      levels[i] = static_cast<double>(i) / static_cast<double>(levels.size() - 1);
    return {std::move(levels), std::move(samples)};
  }

  std::span<const double> levels() const { return levels_; }
  std::span<const double> quantiles() const { return quantiles_; }

  GateAndDensity at(double z) const { return gate_and_density(levels_, quantiles_, z); }

  /// E(z - T)+ = the integral of F up to z.
  double loss(double z) const {
    const std::size_t count = count_up_to(quantiles_, z);
    if (count == 0) return 0;
    if (count == quantiles_.size()) return z - mean_;
    return losses_[count - 1] + (z - quantiles_[count - 1]) * ((levels_[count - 1] + at(z).gate) / 2);
  }

  /// loss - z F = -E[T 1{T <= z}]
  double correction(double z) const {
    const std::size_t count = count_up_to(quantiles_, z);
    if (count == 0) return 0;
    if (z != z || count == quantiles_.size()) return z != z ? z : -mean_;
    // Not F less a level, which would have lost what F rounded.
    const double begin = quantiles_[count - 1], rise = levels_[count] - levels_[count - 1];
    const double part = (z - begin) / (quantiles_[count] - begin) * rise;
    return -(moments_[count - 1] + part * ((begin + z) / 2));
  }

  /// loss(z) - loss(0) = the integral of F from 0 to z.
  double centred(double z) const {
    const std::size_t count = count_up_to(quantiles_, z);
    if (count != count_up_to(quantiles_, 0) || std::isinf(z)) return loss(z) - loss(0);
    return z * ((at(z).gate + at(0).gate) / 2);
  }

  Distribution distribution() const {
    Distribution law{.mean = mean_, .variance = 0, .entropy = 0};
    for (std::size_t i = 0; i + 1 < levels_.size(); ++i) {
      const double a = quantiles_[i] - mean_, b = quantiles_[i + 1] - mean_, rise = levels_[i + 1] - levels_[i];
      law.variance += rise * ((a * a + b * b + a * b) / 3);
      law.entropy -= rise * (std::log(rise) - std::log(b - a));
    }
    law.lower = quantiles_.front();
    law.upper = quantiles_.back();
    law.maximum_entropy = "the given quantiles";
    return law;
  }

  /// The least z with F(z) >= p, for p in (0, 1).
  double quantile(double p) const {
    const auto above = static_cast<std::size_t>(std::ranges::lower_bound(levels_, p) - levels_.begin());
    const double part = (p - levels_[above - 1]) / (levels_[above] - levels_[above - 1]);
    return std::lerp(quantiles_[above - 1], quantiles_[above], part);
  }

 private:
  /// A sum of many numbers that is as exact as one rounding (Neumaier's).
  struct Sum {
    double high = 0, low = 0;
    void add(double x) {
      const double sum = high + x;
      low += std::abs(high) >= std::abs(x) ? (high - sum) + x : (x - sum) + high;
      high = sum;
    }
    double value() const { return high + low; }
  };

  void add_up() {
    Sum loss, moment;
    losses_.push_back(0);
    moments_.push_back(0);
    for (std::size_t i = 0; i + 1 < levels_.size(); ++i) {
      loss.add((quantiles_[i + 1] - quantiles_[i]) * ((levels_[i] + levels_[i + 1]) / 2));
      moment.add((levels_[i + 1] - levels_[i]) * ((quantiles_[i] + quantiles_[i + 1]) / 2));
      losses_.push_back(loss.value());
      moments_.push_back(moment.value());
    }
    mean_ = moments_.back();
  }

  std::vector<double> levels_, quantiles_;
  std::vector<double> losses_, moments_;  // loss and E[T 1{T <= q}] at each quantile q
  double mean_ = 0;
};

}  // namespace limen::laws

namespace limen {
using EmpiricalLaw = std::shared_ptr<const laws::Empirical>;
}
