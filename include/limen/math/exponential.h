// Part of limen. SPDX-License-Identifier: MIT
//
// Exponentials and logarithms of our own, so that every path gives the same bits. Coefficients and their errors:
// scripts/fit_coefficients.py.
#pragma once

#include <cstddef>
#include <iterator>
#include <limits>
#include <numbers>
#include <type_traits>

#include "limen/math/coefficients/exponential.h"
#include "limen/math/coefficients/logarithm.h"
#include "limen/math/pair.h"

namespace limen::math {

/// c[i] + c[i + 1] x + c[i + 2] x^2 + ... Each coefficient is a constant of its own: the array need not be where the
/// code runs.
template <const auto& c, std::size_t i = 0, class V>
constexpr V polynomial(V x) {
  constexpr Scalar<V> coefficient = c[i];
  if constexpr (i + 1 == std::size(c))
    return V(coefficient);
  else
    return fma(polynomial<c, i + 1>(x), x, V(coefficient));
}

/// Small numbers are kept multiplied by this power of two, so that they are rounded once when they end among the
/// subnormals.
template <class S>
inline constexpr int tail_exponent = 40;
template <>
inline constexpr int tail_exponent<double> = 128;
template <class S>
inline constexpr S tail_scale = S(0x1p40);
template <>
inline constexpr double tail_scale<double> = 0x1p128;
template <class S>
inline constexpr S root_of_tail_scale = S(0x1p20);
template <>
inline constexpr double root_of_tail_scale<double> = 0x1p64;

/// From here on tail_scale exp(-x) has left the normal numbers: exp_negative gives exactly 0 here, and goes no further.
template <class S>
inline constexpr S tail_reach = S((tail_exponent<S> + std::numeric_limits<S>::max_exponent - 1) * std::numbers::ln2);

/// tail_scale exp(-x) = power (1 + rest), |rest| < 0.42.
template <class V>
struct ScaledExp {
  V power;  ///< a power of two, or 0
  V rest;
};

/// tail_scale exp(-x) for 0 <= x <= tail_reach; x is a V or a Pair<V>. NaN stays NaN in `rest`.
template <class V, class X>
constexpr ScaledExp<V> exp_negative(X x) {
  using S = Scalar<V>;
  using C = coefficients::Exponential<S>;
  constexpr int mantissa_bits = std::numeric_limits<S>::digits - 1;
  // Adding 1.5 * 2^mantissa_bits rounds to an integer n, near -x / ln 2, and leaves it in the low bits. That of
  // tail_scale rides along, so that a shift makes a power of two of it.
  constexpr int bias = std::numeric_limits<S>::max_exponent - 1;
  const V magic = V(S(3) / std::numeric_limits<S>::epsilon() / 2 + S(bias + tail_exponent<S>));
  const V shifted = fma(leading(x), V(-C::log2_e), magic);
  const V n = shifted - magic;
  const V r_high = fma(n, V(C::ln2_high), leading(x));  // exact
  const V r_low = times_plus_low(n, V(C::ln2_low), x);
  const V r = r_high + r_low;
  const V rest = (r * r * polynomial<C::q>(r) - r_low) - r_high;
  return {from_bits(shift_left<mantissa_bits>(bits(shifted)), V()), rest};
}

/// factor exp(-x), the exponential still to be multiplied in: sums of such products take part in one rounding. The
/// factor is a V or a Pair<V>.
template <class V, class Factor>
struct Decaying {
  ScaledExp<V> exponential;
  Factor factor;
};

/// factor (1 + rest)
template <class V>
constexpr V without_power(Decaying<V, V> a) {
  return fma(a.factor, a.exponential.rest, a.factor);
}
template <class V>
constexpr Pair<V> without_power(Decaying<V, Pair<V>> a) {
  const auto [high, low] = a.factor;
  return {high, fma(high + low, a.exponential.rest, low)};
}
template <class V, class Factor>
constexpr V sum(Decaying<V, Factor> a) {
  return sum(without_power(a)) * a.exponential.power;
}
/// The power comes first: it lifts a subnormal x before anything is rounded.
template <class X, class V, class Factor>
constexpr V times(X x, Decaying<V, Factor> a) {
  return times(times_power(a.exponential.power, x), without_power(a));
}
/// x a + b; a and b share their exponential.
template <class X, class V, class A, class B>
constexpr auto multiply_add(X x, Decaying<V, A> a, Decaying<V, B> b) {
  const auto factor = multiply_add(x, a.factor, b.factor);
  return Decaying<V, std::remove_const_t<decltype(factor)>>{a.exponential, factor};
}

/// log(1 + w) / w = log1p_middle + log1p_rest(w) for 0 <= w <= 1: between ln 2 and 1, in two parts so that the smaller
/// carries the rounding.
inline constexpr float log1p_middle = 0.75f;
template <class V>
constexpr V log1p_rest(V w) {
  return fma(w * w, polynomial<coefficients::Logarithm<Scalar<V>>::p>(w), fma(V(-0.5f), w, V(1 - log1p_middle)));
}

}  // namespace limen::math
