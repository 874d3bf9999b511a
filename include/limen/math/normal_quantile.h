// Part of limen. SPDX-License-Identifier: MIT
//
// The normal quantile: the z with Phi(z) = p. Wichura (1988), Algorithm AS 241 (PPND16), Applied Statistics 37(3),
// 477-484: three rational approximations of degree 7, relative error about 1e-16 in exact arithmetic; here within 1e-15
// of the quantile (relative), p in [2^-1022, 1). Only + - * / and sqrt, which IEEE 754 rounds correctly, are used (the
// logarithm is our own): built with -ffp-contract=off every machine and C library gives the same bits, which random
// numbers rely on.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace limen::math {

namespace detail {

/// Natural logarithm of a positive normal number: k ln 2 + 2 artanh((m - 1) / (m + 1)), m in (0.7, 1.42). Error below 2
/// ulp.
inline double portable_log(double x) {
  constexpr double ln2 = 0.69314718055994530942, root2 = 1.41421356237309504880;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  int exponent = static_cast<int>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & 0x000F'FFFF'FFFF'FFFF) | 0x3FF0'0000'0000'0000);
  if (m > root2) {
    m /= 2;
    ++exponent;
  }
  const double s = (m - 1) / (m + 1), square = s * s;
  double sum = 0;
  for (int k = 23; k >= 3; k -= 2) sum = (sum + 1.0 / k) * square;
  return exponent * ln2 + 2 * (s + s * sum);
}

/// Coefficients from the constant term up.
inline double polynomial(const std::array<double, 8>& coefficient, double x) {
  double sum = coefficient[7];
  for (int i = 6; i >= 0; --i) sum = sum * x + coefficient[static_cast<std::size_t>(i)];
  return sum;
}

struct Rational {
  std::array<double, 8> above, below;
  double operator()(double x) const { return polynomial(above, x) / polynomial(below, x); }
};

// The paper's tables, in its order: |p - 1/2| <= 0.425 (a, b); r <= 5 (c, d); r > 5 (e, f), where r = sqrt(-log(min(p,
// 1 - p))).
inline constexpr Rational quantile_centre = {
    {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
     4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3},
    {1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3, 2.1213794301586595867e4,
     3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3}};
inline constexpr Rational quantile_tail = {
    {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
     1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4},
    {1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1, 1.48103976427480074590e-1,
     1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9}};
inline constexpr Rational quantile_far_tail = {
    {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
     2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7},
    {1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2, 7.86869131145613259100e-4,
     1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15}};

}  // namespace detail

inline double normal_quantile(double p) {
  const double q = p - 0.5;
  if (std::fabs(q) <= 0.425) return q * detail::quantile_centre(0.180625 - q * q);
  const double r = std::sqrt(-detail::portable_log(q < 0 ? p : 1 - p));
  const double z = r <= 5 ? detail::quantile_tail(r - 1.6) : detail::quantile_far_tail(r - 5);
  return q < 0 ? -z : z;
}

}  // namespace limen::math
