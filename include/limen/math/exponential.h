// Part of limen. SPDX-License-Identifier: MIT
//
// Exponentials and logarithms of our own, so that every path gives the same bits. Coefficients and their errors:
// scripts/fit_coefficients.py.
#pragma once

#include <cstddef>
#include <limits>

#include "limen/math/coefficients/exponential.h"
#include "limen/math/coefficients/logarithm.h"
#include "limen/math/pair.h"

namespace limen::math {

/// c[0] + c[1] x + ... + c[N - 1] x^(N - 1)
template <class V, std::size_t N>
V polynomial(const Scalar<V> (&c)[N], V x) {
  V total = V(c[N - 1]);
  for (std::size_t i = N - 1; i-- > 0;) total = fma(total, x, V(c[i]));
  return total;
}

/// exp(-x) = power (1 + rest), |rest| < 0.42.
template <class V>
struct Exponential {
  V power;  ///< a power of two, times the scale that was asked for
  V rest;
};

/// scale exp(-x) for x >= 0 (a V or a Pair<V>). `scale` is a power of two; where scale exp(-x) drops out of the normal
/// numbers, `power` is exactly 0, and x must not go further than that. NaN stays NaN in `rest`.
template <class V, class X>
Exponential<V> exp_negative(Scalar<V> scale, X x) {
  using S = Scalar<V>;
  using C = coefficients::Exponential<S>;
  constexpr int mantissa_bits = std::numeric_limits<S>::digits - 1;
  // Adding 1.5 * 2^mantissa_bits rounds to an integer n and leaves it in the low bits: x is near -n ln 2.
  const V magic = V(S(3) / std::numeric_limits<S>::epsilon() / 2);
  const V shifted = fma(leading(x), V(-C::log2_e), magic);
  const V n = shifted - magic;
  const V r_high = fma(n, V(C::ln2_high), leading(x));  // exact
  const V r_low = times_plus_low(n, V(C::ln2_low), x);
  const V r = r_high + r_low;
  const V rest = fma(r * r, polynomial(C::q, r), -r_low) - r_high;
  return {from_bits(bits(V(scale)) + shift_left<mantissa_bits>(bits(shifted)), V()), rest};
}

/// factor exp(-x), the exponential still to be multiplied in: sums of such products take part in one rounding.
template <class V>
struct Decaying {
  Exponential<V> exponential;
  Pair<V> factor;
};

/// factor (1 + rest)
template <class V>
Pair<V> without_power(Decaying<V> a) {
  const auto [high, low] = a.factor;
  return {high, fma(high + low, a.exponential.rest, low)};
}
template <class V>
V sum(Decaying<V> a) {
  return sum(without_power(a)) * a.exponential.power;
}
template <class X, class V>
V times(X x, Decaying<V> a) {
  return times(x, without_power(a)) * a.exponential.power;
}
/// x a + b; a and b share their exponential.
template <class X, class V>
V times_plus(X x, Decaying<V> a, Decaying<V> b) {
  return sum(Decaying<V>{a.exponential, pair_times_plus(x, a.factor, b.factor)});
}

/// log(1 + w) / w = log1p_middle + log1p_rest(w) for 0 <= w <= 1: between ln 2 and 1, in two parts so that the smaller
/// carries the rounding.
inline constexpr float log1p_middle = 0.75f;
template <class V>
V log1p_rest(V w) {
  return fma(w * w, polynomial(coefficients::Logarithm<Scalar<V>>::p, w), fma(V(-0.5f), w, V(1 - log1p_middle)));
}

}  // namespace limen::math
