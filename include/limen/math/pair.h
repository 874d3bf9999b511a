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

/// A constant to twice the precision of S.
template <class S>
constexpr Pair<S> split(long double exact) {
  const S high = static_cast<S>(exact);
  return {high, static_cast<S>(exact - high)};
}

template <class V>
constexpr V leading(V a) {
  return a;
}
template <class V>
constexpr V leading(Pair<V> a) {
  return a.high;
}

/// The same number in every element.
template <class V>
constexpr Pair<V> broadcast(Pair<Scalar<V>> a) {
  return {V(a.high), V(a.low)};
}

/// The sum, rounded.
template <class V>
constexpr V sum(V a) {
  return a;
}
template <class V>
constexpr V sum(Pair<V> a) {
  return a.high + a.low;
}

/// x + the low part of a.
template <class V>
constexpr V plus_low(V x, V) {
  return x;
}
template <class V>
constexpr V plus_low(V x, Pair<V> a) {
  return x + a.low;
}

/// x y + the low part of a.
template <class V>
constexpr V times_plus_low(V x, V y, V) {
  return x * y;
}
template <class V>
constexpr V times_plus_low(V x, V y, Pair<V> a) {
  return fma(x, y, a.low);
}

/// x a
template <class V>
constexpr V times(V x, V a) {
  return x * a;
}
template <class V>
constexpr V times(V x, Pair<V> a) {
  return fma(x, a.high, x * a.low);
}
template <class V>
constexpr V times(Pair<V> x, V a) {
  return times(a, x);
}
template <class V>
constexpr V times(Pair<V> x, Pair<V> a) {
  return fma(x.high, a.high, fma(x.high, a.low, x.low * a.high));
}

/// x a, exactly, for a power of two x.
template <class V>
constexpr V times_power(V x, V a) {
  return x * a;
}
template <class V>
constexpr Pair<V> times_power(V x, Pair<V> a) {
  return {x * a.high, x * a.low};
}

/// x a + b, with low parts where they help.
template <class V>
constexpr V multiply_add(V x, V a, V b) {
  return fma(x, a, b);
}
template <class V>
constexpr V multiply_add(Pair<V> x, V a, V b) {
  return fma(x.high, a, fma(x.low, a, b));
}
template <class V>
constexpr V multiply_add(Pair<V> x, Pair<V> a, V b) {
  return fma(x.high, a.high, b + fma(x.high, a.low, x.low * a.high));
}
template <class V>
constexpr Pair<V> multiply_add(V x, V a, Pair<V> b) {
  return {fma(x, a, b.high), b.low};
}
template <class V>
constexpr Pair<V> multiply_add(Pair<V> x, V a, Pair<V> b) {
  return {fma(x.high, a, b.high), fma(x.low, a, b.low)};
}
template <class V>
constexpr Pair<V> multiply_add(V x, Pair<V> a, Pair<V> b) {
  return {fma(x, a.high, b.high), fma(x, a.low, b.low)};
}
template <class V>
constexpr Pair<V> multiply_add(Pair<V> x, Pair<V> a, Pair<V> b) {
  return {fma(x.high, a.high, b.high), fma(x.high, a.low, fma(x.low, a.high, b.low))};
}

template <class V>
constexpr V negative(V a) {
  return -a;
}
template <class V>
constexpr Pair<V> negative(Pair<V> a) {
  return {-a.high, -a.low};
}

template <class V>
constexpr V negative_where(Mask<V> mask, V a) {
  return select(mask, -a, a);
}
template <class V>
constexpr Pair<V> negative_where(Mask<V> mask, Pair<V> a) {
  return {select(mask, -a.high, a.high), select(mask, -a.low, a.low)};
}

template <class V>
constexpr Pair<V> select(Mask<V> mask, Pair<V> yes, Pair<V> no) {
  return {select(mask, yes.high, no.high), select(mask, yes.low, no.low)};
}

template <class V>
constexpr Pair<V> abs(Pair<V> a) {
  return negative_where(a.high < V(0), a);
}

/// x y exactly, where the fused multiply-add is fused.
template <class V>
constexpr Pair<V> product(V x, V y) {
  const V high = x * y;
  return {high, fms(x, y, high)};
}

/// x y, its low part rounded.
template <class V>
constexpr Pair<V> product(V x, Pair<V> y) {
  const Pair<V> leading_part = product(x, y.high);
  return {leading_part.high, fma(x, y.low, leading_part.low)};
}
template <class V>
constexpr Pair<V> product(Pair<V> x, V y) {
  return product(y, x);
}
template <class V>
constexpr Pair<V> product(Pair<V> x, Pair<V> y) {
  const Pair<V> leading_part = product(x.high, y);
  return {leading_part.high, fma(x.low, y.high, leading_part.low)};
}

/// x + y exactly (Knuth).
template <class V>
constexpr Pair<V> exact_sum(V x, V y) {
  const V high = x + y;
  const V y_kept = high - x;
  return {high, (x - (high - y_kept)) + (y - y_kept)};
}

/// x + y, the low part rounded.
template <class V>
constexpr Pair<V> sum_of_pairs(Pair<V> x, Pair<V> y) {
  const Pair<V> total = exact_sum(x.high, y.high);
  return {total.high, total.low + (x.low + y.low)};
}

/// 1 / x
template <class S>
constexpr Pair<S> reciprocal(S x) {
  const S high = S(1) / x;
  return {high, high * fnma(high, x, S(1))};
}
template <class V>
constexpr Pair<V> reciprocal(Pair<V> x) {
  const V high = V(1) / x.high;
  return {high, high * fnma(high, x.low, fnma(high, x.high, V(1)))};
}

/// a^2 / 2
template <class V>
constexpr Pair<V> half_square(V a) {
  return product(a, V(0.5f) * a);
}
template <class V>
constexpr Pair<V> half_square(Pair<V> a) {
  const Pair<V> square = half_square(a.high);
  return {square.high, fma(a.high, a.low, square.low)};
}

}  // namespace limen::math
