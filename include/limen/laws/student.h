// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <limits>

#include "limen/laws/distribution.h"
#include "limen/laws/info.h"
#include "limen/math/pair.h"

namespace limen::laws {

using namespace math;  // the vocabulary

/// Where z lies in Student's law: z^2 + b is made of x and b here, which are those of z in a unit, a power of two next
/// to sqrt(b); far out, where b no longer shows in the sum, both are smaller still, so that x^2 is finite.
template <class V>
struct StudentPosition {
  Mask<V> open;  ///< z >= 0
  Mask<V> far;
  V y;  ///< |z|
  V x;
  V b;
};

/// T sqrt(b / 2) times a Student t of 2 degrees of freedom: F(z) = (1 + z / sqrt(z^2 + b)) / 2, mean 0, no variance;
/// E(z - T)+ = (z + sqrt(z^2 + b)) / 2. All is algebraic, so it is written in z itself.
struct Student {
  /// For b = 1; the scale is sqrt(b).
  static Distribution distribution() {
    return {.mean = 0,
            .variance = std::numeric_limits<double>::infinity(),
            .entropy = 1.6137056388801093812,
            .maximum_entropy = "E ln(1 + T^2 / b) = 2 - 2 ln 2"};
  }
  static double quantile(double p) { return (p - 0.5) / std::sqrt(p * (1 - p)); }

  template <class S>
  struct Constants {
    S b, unit;
    S near_rate, far_rate;      // x / z
    S near_b, far_b;            // b in units of x
    S far, reach;               // where far begins, and where x ends, because F has left the type
    Pair<S> correction_change;  // of all z: -sqrt(b) / 2
  };
  template <class V>
  using C = Constants<Scalar<V>>;

  template <class S>
  static constexpr Constants<S> prepare(const S* parameters) {
    constexpr int mantissa_bits = std::numeric_limits<S>::digits - 1;
    constexpr bool f32 = sizeof(S) == 4;
    constexpr S far = f32 ? S(0x1p50) : S(0x1p400), reach = f32 ? S(0x1p76) : S(0x1p540);
    constexpr S shrink = f32 ? S(0x1p-20) : S(0x1p-100);
    const S b = parameters[0];
    const S unit = from_bits(shift_left<mantissa_bits>(shift_right<mantissa_bits>(bits(sqrt(b)))), S());
    const S rate = S(1) / unit, near_b = (b * rate) * rate;
    const S root = sqrt(b), half = S(-0.5) * root;
    const Pair<S> change = {half, half * fnma(root, root, b) / (S(2) * b)};
    return {b, unit, rate, rate * shrink, near_b, near_b * shrink * shrink, unit * far, unit * reach, change};
  }

  template <class V>
  static constexpr StudentPosition<V> place(V z, const C<V>& c) {
    const V y = abs(z);
    const Mask<V> far = y > V(c.far);
    const V x = min(V(c.reach), y) * select(far, V(c.far_rate), V(c.near_rate));
    return {z >= V(0), far, y, x, select(far, V(c.far_b), V(c.near_b))};
  }

  /// F below the middle: b / (2 r (r + x)), r^2 = x^2 + b
  template <class V>
  static constexpr V side(StudentPosition<V> at) {
    const Denominator<V> d = denominator(at);
    const V half_b = V(0.5f) * at.b;
    return fnma(half_b, d.error, half_b) / d.rounded;
  }
  /// z F, which falls like b / (4 z)
  template <class V>
  static constexpr V z_side(StudentPosition<V> at, const C<V>& c) {
    const Denominator<V> d = denominator(at);
    const V half_b = V(0.5f) * at.b;
    const V q = select(at.far, V(Scalar<V>(0.25) * c.b), at.y) / select(at.far, at.y, d.rounded);
    return select(at.far, q, fma(q, half_b, -q * (half_b * d.error)));
  }
  /// F - t f below the middle: a polynomial in x / r near it, where F is half of 1 - x / r; one in F beyond.
  template <class V>
  static constexpr V slope_side(StudentPosition<V> at) {
    const V square = at.x * at.x, total = square + at.b, root = sqrt(total);
    const Mask<V> near = square < V(0.3f) * at.b;
    const V q = select(near, at.x, V(0.5f) * at.b) / select(near, root, fma(at.x, root, total));
    const V near_slope = fma(q, fma(V(0.5f) * q, q, V(-1)), V(0.5f));
    return select(near, near_slope, q * fma(q, fnma(V(4), q, V(6)), V(-1)));
  }
  /// E(z - T)+ below the middle: b / (2 (r + x))
  template <class V>
  static constexpr V loss_side(StudentPosition<V> at, const C<V>& c) {
    const Pair<V> square = sum_of_squares(at);
    const V root = sqrt(square.high), low = root_low(square, root, about_inverse_root(square.high));
    return select(at.far, V(Scalar<V>(0.25) * c.b), V(Scalar<V>(0.5) * c.unit) * at.b) /
           select(at.far, at.y, root + (at.x + low));
  }
  /// b / (2 sqrt(z^2 + b)), what loss exceeds z F by
  template <class V>
  static constexpr V correction(StudentPosition<V> at, const C<V>& c) {
    const V half_b = V(Scalar<V>(0.5) * c.b);
    return select(at.far, half_b / at.y, inverse_root(at, c).template power<1>(half_b));
  }

  /// 1 / sqrt(z^2 + b) = rounded (1 + missed / 2)
  template <class V>
  struct InverseRoot {
    V rounded, missed;
    /// factor / sqrt(z^2 + b)^N
    template <int N>
    constexpr V power(V factor) const {
      for (int n = 0; n < N; ++n) factor = factor * rounded;
      return fma(factor, V(0.5f * N) * missed, factor);
    }
  };
  template <class V>
  static constexpr InverseRoot<V> inverse_root(StudentPosition<V> at, const C<V>& c) {
    const Pair<V> total = sum_of_squares(at);
    const V rounded = V(1) / select(at.far, at.y, sqrt(total.high));
    const Pair<V> square = product(rounded, rounded);
    const V low = fma(square.low, total.high, square.high * total.low);
    const V missed = fnma(square.high, total.high, V(1)) - low;
    return {select(at.far, rounded, rounded * V(c.near_rate)), select(at.far, V(0), missed)};
  }
  /// What b / (2 sqrt(z^2 + b)) has changed by from z = 0: -sqrt(b) / 2 z^2 / (r (r + sqrt(b)))
  template <class V>
  static constexpr V correction_change(StudentPosition<V> at, const C<V>& c) {
    const V total = fma(at.x, at.x, at.b), share = at.x * at.x / fma(sqrt(total), sqrt(at.b), total);
    return times(select(at.far, V(1), share), broadcast<V>(c.correction_change));
  }

 private:
  /// x^2 + b
  template <class V>
  static constexpr Pair<V> sum_of_squares(StudentPosition<V> at) {
    const Pair<V> square = product(at.x, at.x), total = exact_sum(square.high, at.b);
    return {total.high, total.low + square.low};
  }

  /// What rounding took from r; 1 / r is needed for that to a few percent only.
  template <class V>
  static constexpr V root_low(Pair<V> square, V root, V about_inverse) {
    return V(0.5f) * about_inverse * (fnma(root, root, square.high) + square.low);
  }
  /// By halving the exponent, within 4 percent (the constants of Lomont 2003).
  template <class V>
  static constexpr V about_inverse_root(V x) {
    constexpr Scalar<V> magic = sizeof(Scalar<V>) == 4 ? Scalar<V>(0x1.6eb3bep63) : Scalar<V>(0x1.6eb50c7b537a9p511);
    return from_bits(bits(V(magic)) - shift_right<1>(bits(x)), V());
  }

  /// r (r + x) = rounded (1 + error)
  template <class V>
  struct Denominator {
    V rounded, error;
  };
  template <class V>
  static constexpr Denominator<V> denominator(StudentPosition<V> at) {
    const Pair<V> square = sum_of_squares(at);
    const V root = sqrt(square.high), about = about_inverse_root(square.high);
    const V less = fnma(V(0.5f) * at.x, about, V(1));  // about r / (r + x)
    const V rounded = fma(at.x, root, square.high);
    const V low = fma(at.x, root, square.high - rounded) + fma(at.x, root_low(square, root, about), square.low);
    return {rounded, low * less * (about * about)};
  }
};

}  // namespace limen::laws
