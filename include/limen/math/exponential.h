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

/// scale exp(-x) for x >= 0 (a V or a Pair<V>); `scale` is a power of two and scale exp(-x) must be a normal number.
/// The error is below 0.3 ULP in each of `rest` and their product; NaN stays NaN in `rest`.
template <class V, class X>
Exponential<V> exp_negative(Scalar<V> scale, X x) {
  using S = Scalar<V>;
  using C = coefficients::Exponential<S>;
  constexpr int mantissa_bits = std::numeric_limits<S>::digits - 1;
  // Adding 1.5 * 2^mantissa_bits rounds to an integer n and leaves it in the low bits: x is near -n ln 2.
  const V magic = V(S(3) / std::numeric_limits<S>::epsilon() / 2);
  const V shifted = fma(leading(x), V(-C::log2_e), magic);
  const V n = shifted - magic;
  const V r = fma(n, V(C::ln2_low), plus_low(fma(n, V(C::ln2_high), leading(x)), x));
  const V rest = fma(r * r, polynomial(C::q, r), -r);
  return {from_bits(bits(V(scale)) + shift_left<mantissa_bits>(bits(shifted)), V()), rest};
}

/// log(1 + w) / w - 1 for 0 <= w <= 1.
template <class V>
V log1p_ratio(V w) {
  return w * polynomial(coefficients::Logarithm<Scalar<V>>::p, w);
}

}  // namespace limen::math
