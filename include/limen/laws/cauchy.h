// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <limits>
#include <numbers>

#include "limen/laws/heavy.h"
#include "limen/math/coefficients/arctangent.h"
#include "limen/math/logarithm.h"

namespace limen::laws {

/// T Cauchy: F(u) = 1/2 + arctan(u) / pi, f = 1 / (pi (1 + u^2)); no mean.
/// Below the middle F = arctan(1 / t) / pi, so that one polynomial on [0, 1] serves both t and 1 / t.
struct Cauchy {
  static constexpr ActivationInfo transmission{
      .name = "iglu",
      .title = "IGLU",
      .formula = "z (1 / 2 + arctan(sigma z) / pi)",
      .slope = "1 / 2 + arctan(sigma z) / pi + sigma z / (pi (1 + (sigma z)^2))",
      .law = "Cauchy",
      .gate = "1 / 2 + arctan(sigma z) / pi",
      .loss = "inf",
      .mean = "nan",
      .variance = "inf",
      .entropy = "ln(4 pi / sigma)",
      .limit = "-1 / (pi sigma)",
      .power_tails = true,
      .reference = "the integrated Gaussian linear unit, arXiv 2603.06861",
      .bound = {3, 4},
      .parameter_count = 1,
      .parameter = {positive("sigma", 1, "sharpness: 1 / scale of the threshold", 5)}};

  static Distribution distribution() {
    return {.mean = std::numeric_limits<double>::quiet_NaN(),
            .variance = std::numeric_limits<double>::infinity(),
            .entropy = 2.5310242469692907930,
            .maximum_entropy = "E ln(1 + sigma^2 T^2) = ln 4"};
  }
  /// By cotangents of the small side.
  static double quantile(double p) {
    constexpr double pi = std::numbers::pi;
    return p < 0.5 ? -1 / std::tan(pi * p) : 1 / std::tan(pi * (1 - p));
  }

  /// From here on 1 + t^2 is t^2 and the slope is that of the asymptote; t^2 is still finite.
  template <class S>
  static constexpr S reach = sizeof(S) == 4 ? S(0x1p60) : S(0x1p400);

  template <class V>
  static constexpr V side(HeavyPosition<V> at) {
    const V w = V(1) / max(V(1), at.t.high), v = square_of_lesser(at.t.high);
    return select(at.t.high < V(1), near_side(at, v), quotient(v) * fnma(w * w, at.t.low, w));
  }
  /// z F where the scale is that of z: t F tends to 1 / pi, with no 1 / t in it.
  template <class V>
  static constexpr V z_side(HeavyPosition<V> at, V scale) {
    const V t = at.t.high, v = square_of_lesser(t);
    const V rest = polynomial<C<V>::rest>(v);
    const V near = fnma(t, rest, fnma(t, V(C<V>::middle), V(0.5f)));
    return select(t < V(1), at.y * near, scale * (V(C<V>::middle) + rest));
  }
  /// F - t f below the middle. Far out the terms are nearly equal: there the polynomial is that of their difference.
  template <class V>
  static constexpr V slope_side(HeavyPosition<V> at) {
    const V t = at.t.high, square = t * t;
    const Mask<V> near = t < V(1);
    const V r = V(1) / select(near, V(1) + square, t);
    const V v = select(near, square, r * r);
    const V excess = polynomial<C<V>::excess>(v - V(0.5f));
    return select(near, fnma(t, fma(V(2 * over_pi<V>), r, v * excess), V(0.5f)), r * v * excess);
  }
  /// factor f: where f alone would have left the type
  template <class V>
  static constexpr V density(HeavyPosition<V> at, V factor) {
    return factor * (V(over_pi<V>) * bell(at));
  }
  /// -factor^2 f' = factor^2 * 2 t / (pi (1 + t^2)^2)
  template <class V>
  static constexpr V density_slope(HeavyPosition<V> at, V factor) {
    const V b = bell(at);
    return V(2 * over_pi<V>) * (factor * (at.t.high * b)) * (factor * b);
  }
  /// factor (2 f - t f') = factor * 2 / (pi (1 + t^2)^2)
  template <class V>
  static constexpr V curvature(HeavyPosition<V> at, V factor) {
    const V b = bell(at);
    return V(2 * over_pi<V>) * (factor * b) * b;
  }
  /// y^2 f, whose limit is scale^2 / pi
  template <class V>
  static constexpr V rate_slope(HeavyPosition<V> at) {
    return V(over_pi<V>) * (at.y * bell(at)) * at.y;
  }
  /// y^3 f'
  template <class V>
  static constexpr V rate_curvature(HeavyPosition<V> at) {
    const Pair<V> y_bell = product(at.y, bell_pair(at)), t_y_bell = product(at.t, y_bell);
    return times(broadcast<V>(minus_2_over_pi<Scalar<V>>), product(product(at.y, y_bell), t_y_bell));
  }
  /// The integral of -u f from 0: -log(1 + u^2) / (2 pi). `beyond` is the logarithm of what u exceeds t by.
  template <class V>
  static constexpr V correction_change(HeavyPosition<V> at, V beyond) {
    const V square = fma(at.t.high, at.t.high, V(2) * at.t.high * at.t.low);
    return V(-over_pi<V>) * fma(V(0.5f), log1p(square), beyond);
  }

 private:
  template <class V>
  using C = coefficients::Arctangent<Scalar<V>>;
  template <class V>
  static constexpr Scalar<V> over_pi = Scalar<V>(0.31830988618379067154L);
  template <class S>
  static constexpr Pair<S> minus_2_over_pi = split<S>(-0.63661977236758134308L);

  /// The square of t or of 1 / t, whichever is less.
  template <class V>
  static constexpr V square_of_lesser(V t) {
    const V square = t * t;
    return select(t < V(1), square, V(1) / max(V(1), square));
  }
  /// arctan(w) / (pi w), v = w^2
  template <class V>
  static constexpr V quotient(V v) {
    return V(C<V>::middle) + polynomial<C<V>::rest>(v);
  }
  /// F for t < 1
  template <class V>
  static constexpr V near_side(HeavyPosition<V> at, V v) {
    const V rest = polynomial<C<V>::rest>(v), from_low = at.t.low * V(C<V>::middle);
    return fnma(at.t.high, V(C<V>::middle), V(0.5f)) - fma(at.t.high, rest, from_low);
  }
  /// 1 / (1 + t^2), corrected for what rounding took from the denominator.
  template <class V>
  static constexpr Pair<V> bell_pair(HeavyPosition<V> at) {
    const Pair<V> square = product(at.t.high, at.t.high), denominator = exact_sum(V(1), square.high);
    return reciprocal(Pair<V>{denominator.high, denominator.low + fma(V(2) * at.t.high, at.t.low, square.low)});
  }
  template <class V>
  static constexpr V bell(HeavyPosition<V> at) {
    return sum(bell_pair(at));
  }
};

}  // namespace limen::laws
