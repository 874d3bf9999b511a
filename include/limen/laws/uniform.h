// Part of limen. SPDX-License-Identifier: MIT
//
// The uniform law has knees, where rounding would show; so its placements hold z between the knees instead of making a
// standard u: the value is exactly 0 below, exactly z above, and accurate next to them.
#pragma once

#include <array>
#include <limits>
#include <numbers>

#include "limen/laws/placement.h"

namespace limen::laws {

/// z between the knees, and what F is made of there.
template <class V>
struct UniformPosition {
  Mask<V> open;    ///< z >= upper
  V y;             ///< z, held in [lower, upper]
  V z_less_lower;  ///< at least 0
  V z_plus_lower;  ///< the correction is -(z - lower) (z + lower) / (2 width)
  Pair<V> gate;    ///< (z - lower) / width
  V gate_error;    ///< what rounding took from the gate
  Pair<V> rate;    ///< 1 / width
  Mask<V> closed;  ///< z <= lower
};

/// What placements of the uniform law share.
struct BetweenKnees {
  static constexpr bool has_location = false;

  /// Losses are in units of z already.
  template <class V, class Constants>
  static constexpr V scale(const Constants&) {
    return V(1);
  }
  template <class V, class Constants>
  static constexpr Pair<V> rate(const Constants& c) {
    return broadcast<V>(c.rate);
  }
  template <class V, class Constants>
  static constexpr Pair<V> turned_z_over_scale(UniformPosition<V> at, const Constants& c) {
    return product(at.y, rate<V>(c));
  }
};

/// T uniform on [-beta, beta]; one parameter, beta: F = (z + beta) / (2 beta).
struct ByHalfWidth : BetweenKnees {
  static LocationScale location_scale(const double* parameters) { return {0, parameters[0]}; }
  template <class Law>
  static constexpr bool mean_is_0 = true;
  template <class S>
  struct Constants {
    S upper;
    Pair<S> rate;
  };
  template <class Law, class S>
  static constexpr Constants<S> prepare(const S* parameters) {
    return {parameters[0], reciprocal(S(2) * parameters[0])};
  }
  template <class Law, class V>
  static constexpr UniformPosition<V> at(V z, const Constants<Scalar<V>>& c) {
    const V upper = V(c.upper);
    const V held = clamp(z, -upper, upper);
    const V x = held + upper;
    const V x_low = held - (x - upper);
    return {z >= upper, held, x, held - upper, product(x, rate<V>(c)), x_low * V(c.rate.high), rate<V>(c), x <= V(0)};
  }
  template <class Law, class V>
  static constexpr V mean(const Constants<Scalar<V>>&) {
    return V(0);
  }
  /// d gate / d beta between the knees.
  template <class V>
  static constexpr std::array<Pair<V>, 1> position_slopes(UniformPosition<V> at, const Constants<Scalar<V>>& c) {
    return {product(times(V(-2) * at.y, rate<V>(c)), rate<V>(c))};
  }
  /// -z / beta^2
  template <class V>
  static constexpr std::array<V, 1> mixed_curvatures(UniformPosition<V> at, V f, V, V, const Constants<Scalar<V>>& c) {
    // A subnormal z is lifted while digits are lost.
    constexpr Scalar<V> lift = 1 / std::numeric_limits<Scalar<V>>::epsilon();
    const V z = times(V(lift) * at.y, rate<V>(c));
    return {V(Scalar<V>(-4) / lift) * f * times(z, rate<V>(c))};
  }
  /// z^2 / beta^3
  template <class V>
  static constexpr std::array<V, 1> parameter_curvatures(UniformPosition<V> at, V f, V, V,
                                                         const Constants<Scalar<V>>& c) {
    const Pair<V> z = product(at.y, rate<V>(c));
    return {f * times(product(rate<V>(c), times_power(V(8), z)), z)};
  }
};

/// T uniform on [-HalfWidth, HalfWidth].
template <int HalfWidth>
struct FixedHalfWidth : ByHalfWidth {
  static LocationScale location_scale(const double*) { return {0, HalfWidth}; }
  template <class Law, class S>
  static constexpr Constants<S> prepare(const S*) {
    const S half_width = HalfWidth;
    return ByHalfWidth::prepare<Law>(&half_width);
  }
  template <class V>
  static constexpr std::array<V, 0> position_slopes(UniformPosition<V>, const Constants<Scalar<V>>&) {
    return {};
  }
  template <class V>
  static constexpr std::array<V, 0> mixed_curvatures(UniformPosition<V>, V, V, V, const Constants<Scalar<V>>&) {
    return {};
  }
  template <class V>
  static constexpr std::array<V, 0> parameter_curvatures(UniformPosition<V>, V, V, V, const Constants<Scalar<V>>&) {
    return {};
  }
};

/// T uniform where the line a z + b runs from 0 to 1; two parameters, a and b: F = a z + b.
struct ByLine : BetweenKnees {
  static LocationScale location_scale(const double* parameters) {
    return {(0.5 - parameters[1]) / parameters[0], 0.5 / parameters[0]};
  }
  template <class Law>
  static constexpr bool mean_is_0 = false;
  template <class S>
  struct Constants {
    Pair<S> rate;
    S offset;
    Pair<S> offset_less_1;
    Pair<S> width;
    S lower, upper, mean;
  };
  template <class Law, class S>
  static constexpr Constants<S> prepare(const S* parameters) {
    const S a = parameters[0], b = parameters[1];
    return {{a, 0}, b, exact_sum(b, S(-1)), reciprocal(a), -b / a, (S(1) - b) / a, (S(0.5) - b) / a};
  }
  template <class Law, class V>
  static constexpr UniformPosition<V> at(V z, const Constants<Scalar<V>>& c) {
    const V line = fma(V(c.rate.high), z, V(c.offset));
    const V held = clamp(z, V(c.lower), V(c.upper));
    const V gate = clamp(line, V(0), V(1));
    const Pair<V> slanted = product(V(c.rate.high), held);
    const Pair<V> exact = exact_sum(slanted.high, V(c.offset));
    const V gate_error = (exact.high - gate) + (exact.low + slanted.low);
    // By its sign, which rounding keeps: next to the knee the line itself rounds to 1.
    const V line_less_1 = fma(V(c.rate.high), z, V(c.offset_less_1.high)) + V(c.offset_less_1.low);
    return {line_less_1 >= V(0), held,         times(gate, broadcast<V>(c.width)),
            held + V(c.lower),   {gate, V(0)}, gate_error,
            rate<V>(c),          line <= V(0)};
  }
  template <class Law, class V>
  static constexpr V mean(const Constants<Scalar<V>>& c) {
    return V(c.mean);
  }
  /// d gate / d a and d gate / d b between the knees.
  template <class V>
  static constexpr std::array<V, 2> position_slopes(UniformPosition<V> at, const Constants<Scalar<V>>&) {
    return {at.y, V(1)};
  }
  /// 2 z in a, 1 in b
  template <class V>
  static constexpr std::array<V, 2> mixed_curvatures(UniformPosition<V> at, V f, V, V, const Constants<Scalar<V>>&) {
    return {V(2) * at.y * f, f};
  }
  template <class V>
  static constexpr std::array<V, 3> parameter_curvatures(UniformPosition<V> at, V, V, V, const Constants<Scalar<V>>&) {
    const V zero = unless_nan(V(0), at.y);
    return {zero, zero, zero};
  }
};

/// T uniform on [lower, upper]: F = (z - lower) / (upper - lower), f = 1 / (upper - lower);
/// E(z - T)+ = (z - lower)^2 / (2 (upper - lower)). At a knee the density is that of the outer piece, 0.
struct Uniform {
  using Placement = ByHalfWidth;
  static constexpr ActivationInfo transmission{
      .name = "uelu",
      .title = "UELU",
      .formula = "z clip((z + beta) / (2 beta), 0, 1)",
      .slope = "0 for z <= -beta, else 1 for z >= beta, else (2 z + beta) / (2 beta)",
      .law = "uniform",
      .gate = "clip((z + beta) / (2 beta), 0, 1)",
      .loss = "0 for z <= -beta, else z for z >= beta, else (z + beta)^2 / (4 beta)",
      .mean = "0",
      .variance = "beta^2 / 3",
      .entropy = "ln(2 beta)",
      .limit = "0",
      .reference = "Rossi 2026, arXiv 2607.03664",
      .bound = {2, 2},
      .parameter_count = 1,
      .parameter = {positive("beta", 1.25, "half-width of the transition")}};

  static constexpr bool has_knees = true;

  /// On [-1, 1].
  static Distribution distribution() { return {0, 1.0 / 3, std::numbers::ln2, -1, 1, "the support"}; }
  static double quantile(double p) { return 2 * p - 1; }

  template <class V>
  static constexpr Pair<V> side(UniformPosition<V> at) {
    return at.gate;
  }
  template <class V>
  static constexpr V density(UniformPosition<V> at) {
    return unless_nan(select(at.closed | at.open, V(0), V(1)), at.y);
  }
  template <class V>
  static constexpr V log_density_decay(UniformPosition<V>) {
    return V(0);
  }
  template <class V>
  static constexpr V loss_tail(UniformPosition<V> at) {
    return fma(at.z_less_lower, at.gate_error, times(V(0.5) * at.z_less_lower, at.gate));
  }
  template <class V>
  static constexpr V correction_tail(UniformPosition<V> at) {
    return times(V(-0.5) * at.z_plus_lower, at.gate);
  }
  template <class V>
  static constexpr V correction_change(UniformPosition<V> at) {
    return V(-0.5) * at.y * times(at.y, at.rate);
  }
};

}  // namespace limen::laws
