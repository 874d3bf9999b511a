// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <limits>

#include "limen/laws/heavy.h"
#include "limen/math/logarithm.h"

namespace limen::laws {

/// T two-sided Lomax of index 1: F(u) = 1 / (2 (1 + t)) below the middle, f = 1 / (2 (1 + t)^2), t = |u|; no mean.
struct Lomax {
  static constexpr ActivationInfo transmission{
      .name = "iglu_approx",
      .title = "IGLU-Approx",
      .formula = "z (1 / 2 + max(0, sigma z)) / (1 + |sigma z|)",
      .slope = "1 - 1 / (2 (1 + sigma z)^2) for z > 0, else 1 / (2 (1 - sigma z)^2)",
      .law = "two-sided Lomax",
      .gate = "(1 / 2 + max(0, sigma z)) / (1 + |sigma z|)",
      .loss = "inf",
      .mean = "nan",
      .variance = "inf",
      .entropy = "2 + ln(2 / sigma)",
      .limit = "-1 / (2 sigma)",
      .power_tails = true,
      .reference = "the rational form of IGLU, arXiv 2603.06861",
      .bound = {2, 4},
      .parameter_count = 1,
      .parameter = {positive("sigma", 1, "sharpness: 1 / scale of the threshold", 5)}};

  static Distribution distribution() {
    return {.mean = std::numeric_limits<double>::quiet_NaN(),
            .variance = std::numeric_limits<double>::infinity(),
            .entropy = 2.6931471805599453094,
            .maximum_entropy = "E ln(1 + sigma |T|) = 1"};
  }
  static double quantile(double p) { return p < 0.5 ? 1 - 0.5 / p : 0.5 / (1 - p) - 1; }

  template <class S>
  static constexpr S reach = std::numeric_limits<S>::max() / 4;

  template <class V>
  static constexpr V side(HeavyPosition<V> at) {
    return V(0.5f) / fma(at.y, at.rate, V(1));
  }
  template <class V>
  static constexpr V z_side(HeavyPosition<V> at, V) {
    return at.y / fma(at.y, V(2) * at.rate, V(2));
  }
  /// F - t f below the middle, the square of F twice over.
  template <class V>
  static constexpr V slope_side(HeavyPosition<V> at) {
    const V r = V(1) / fma(at.y, at.rate, V(1));
    return V(0.5f) * r * r;
  }
  /// factor f: where f alone would have left the type
  template <class V>
  static constexpr V density(HeavyPosition<V> at, V factor) {
    const V r = reciprocal(at);
    return V(0.5f) * factor * r * r;
  }
  /// -factor^2 f' = factor^2 / (1 + t)^3
  template <class V>
  static constexpr V density_slope(HeavyPosition<V> at, V factor) {
    const V r = reciprocal(at), factor_r = factor * r;
    return factor_r * factor_r * r;
  }
  /// factor (2 f - t f') = factor / (1 + t)^3
  template <class V>
  static constexpr V curvature(HeavyPosition<V> at, V factor) {
    const V r = reciprocal(at);
    return factor * r * r * r;
  }
  /// y^2 f, whose limit is scale^2 / 2
  template <class V>
  static constexpr V rate_slope(HeavyPosition<V> at) {
    const V y_r = at.y * reciprocal(at);
    return V(0.5f) * y_r * y_r;
  }
  /// y^3 f'
  template <class V>
  static constexpr V rate_curvature(HeavyPosition<V> at) {
    const Pair<V> y_r = product(at.y, reciprocal_pair(at));
    return times(negative(y_r), product(y_r, y_r));
  }
  /// The integral of -|u| f from 0: -(log(1 + t) - t / (1 + t)) / 2. `beyond` is the logarithm of what |u| exceeds t
  /// by.
  template <class V>
  static constexpr V correction_change(HeavyPosition<V> at, V beyond) {
    return V(-0.5f) * fnma(at.t.high, reciprocal(at), log1p(at.t.high) + beyond);
  }

 private:
  /// 1 / (1 + t), corrected for what rounding took from the denominator.
  template <class V>
  static constexpr Pair<V> reciprocal_pair(HeavyPosition<V> at) {
    const Pair<V> denominator = exact_sum(V(1), at.t.high);
    return math::reciprocal(Pair<V>{denominator.high, denominator.low + at.t.low});
  }
  template <class V>
  static constexpr V reciprocal(HeavyPosition<V> at) {
    return sum(reciprocal_pair(at));
  }
};

}  // namespace limen::laws
