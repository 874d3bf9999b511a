// Part of limen. SPDX-License-Identifier: MIT
//
// A number kept as the unevaluated sum of two, so that a product with it is rounded once. Formulas take their argument
// as a V or as a Pair<V>; the words below mean the same for both.
#pragma once

#include "limen/math/value.h"

namespace limen::math {

template <class V>
struct Pair {
  V high;
  V low;  ///< at most about as large as `high`; often far smaller
};

template <class V>
V leading(V a) {
  return a;
}
template <class V>
V leading(Pair<V> a) {
  return a.high;
}

/// The sum, rounded.
template <class V>
V sum(V a) {
  return a;
}
template <class V>
V sum(Pair<V> a) {
  return a.high + a.low;
}

/// x + the low part of a.
template <class V>
V plus_low(V x, V) {
  return x;
}
template <class V>
V plus_low(V x, Pair<V> a) {
  return x + a.low;
}

/// x a
template <class V>
V times(V x, V a) {
  return x * a;
}
template <class V>
V times(V x, Pair<V> a) {
  return fma(x, a.high, x * a.low);
}

template <class V>
V negative_where(Mask<V> mask, V a) {
  return select(mask, -a, a);
}
template <class V>
Pair<V> negative_where(Mask<V> mask, Pair<V> a) {
  return {select(mask, -a.high, a.high), select(mask, -a.low, a.low)};
}

/// x y exactly, where the fused multiply-add is fused.
template <class V>
Pair<V> product(V x, V y) {
  const V high = x * y;
  return {high, fma(x, y, -high)};
}

/// a^2 / 2
template <class V>
Pair<V> half_square(V a) {
  return product(a, V(0.5f) * a);
}
template <class V>
Pair<V> half_square(Pair<V> a) {
  const Pair<V> square = half_square(a.high);
  return {square.high, fma(a.high, a.low, square.low)};
}

}  // namespace limen::math
