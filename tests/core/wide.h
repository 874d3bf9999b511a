// Part of limen. SPDX-License-Identifier: MIT
//
// Types with more digits than the library's, and their functions under one name: long double (64 bits of mantissa)
// judges f32, __float128 of GCC's libquadmath (113 bits) judges f64.
#pragma once

#include <quadmath.h>

#include <cmath>
#include <limits>

namespace limen::test {

__extension__ typedef __float128 Quad;

inline long double exp(long double x) { return std::exp(x); }
inline long double expm1(long double x) { return std::expm1(x); }
inline long double log1p(long double x) { return std::log1p(x); }
inline long double log(long double x) { return std::log(x); }
inline long double atan(long double x) { return std::atan(x); }
inline long double sin(long double x) { return std::sin(x); }
inline long double cos(long double x) { return std::cos(x); }
inline long double erfc(long double x) { return std::erfc(x); }
inline long double sqrt(long double x) { return std::sqrt(x); }
inline long double abs(long double x) { return std::fabs(x); }
inline Quad exp(Quad x) { return expq(x); }
inline Quad expm1(Quad x) { return expm1q(x); }
inline Quad log1p(Quad x) { return log1pq(x); }
inline Quad log(Quad x) { return logq(x); }
inline Quad atan(Quad x) { return atanq(x); }
inline Quad sin(Quad x) { return sinq(x); }
inline Quad cos(Quad x) { return cosq(x); }
inline Quad erfc(Quad x) { return erfcq(x); }
inline Quad sqrt(Quad x) { return sqrtq(x); }
inline Quad abs(Quad x) { return fabsq(x); }

template <class R>
R pi();
template <>
inline long double pi<long double>() {
  return 2 * std::asin(1.0L);
}
template <>
inline Quad pi<Quad>() {
  return 2 * asinq(1);
}

/// The type that judges S.
template <class S>
struct WideOf;
template <>
struct WideOf<float> {
  using type = long double;
};
template <>
struct WideOf<double> {
  using type = Quad;
};
template <class S>
using Wide = typename WideOf<S>::type;

/// The distance of neighbours of type S around x; among subnormals that of the subnormals.
template <class S, class R>
R ulp(R x) {
  using Limits = std::numeric_limits<S>;
  x = abs(x);
  if (!(x > R(Limits::min()))) return R(Limits::denorm_min());
  int exponent;
  std::frexp(static_cast<long double>(x), &exponent);
  R unit = R(Limits::epsilon());
  for (; exponent > 1; --exponent) unit *= 2;
  for (; exponent < 1; ++exponent) unit /= 2;
  return unit;
}

}  // namespace limen::test
