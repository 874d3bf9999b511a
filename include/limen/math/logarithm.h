// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <limits>

#include "limen/math/exponential.h"

namespace limen::math {

/// log(x) for normal x > 0; inf gives inf, NaN stays NaN. Accurate next to 1 only from above.
template <class V>
constexpr V log(V x) {
  using S = Scalar<V>;
  using C = coefficients::Exponential<S>;
  using Limits = std::numeric_limits<S>;
  constexpr int mantissa_bits = Limits::digits - 1, bias = Limits::max_exponent - 1;
  // Where neighbours are 1 apart, an integer in the low bits adds its own value.
  constexpr S magic = S(1) / Limits::epsilon();
  const Integer<V> exponent = shift_right<mantissa_bits>(bits(x));
  const V e = (from_bits(exponent + bits(V(magic)), V()) - V(magic)) - V(bias);
  const V w = from_bits((bits(x) - shift_left<mantissa_bits>(exponent)) + bits(V(1)), V()) - V(1);
  const V low = fma(e, V(C::ln2_low), w * (V(log1p_middle) + log1p_rest(w)));
  return select(x <= V(Limits::max()), fma(e, V(C::ln2_high), low), x);
}

/// log(1 + x) for x >= 0.
template <class V>
constexpr V log1p(V x) {
  return select(x < V(1), x * (V(log1p_middle) + log1p_rest(x)), log(V(1) + x));
}

}  // namespace limen::math
