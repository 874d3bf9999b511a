// Part of limen. SPDX-License-Identifier: MIT
//
// Types with more digits than the library's, and their functions under one name: long double (64 bits of mantissa)
// judges f32, 57 decimal digits of MPFR judge f64.
#pragma once

#include <mpfr.h>

#include <cmath>
#include <limits>
#include <type_traits>

namespace limen::test {

/// 192 bits of mantissa, each operation rounded correctly; its exponents never end where a double's do.
class Precise {
 public:
  Precise() : Precise(0) {}
  template <class Number, class = std::enable_if_t<std::is_arithmetic_v<Number>>>
  Precise(Number x) {
    start();
    mpfr_set_d(number_, static_cast<double>(x), MPFR_RNDN);
  }
  Precise(const Precise& other) {
    start();
    mpfr_set(number_, other.number_, MPFR_RNDN);
  }
  Precise& operator=(const Precise& other) {
    mpfr_set(number_, other.number_, MPFR_RNDN);
    return *this;
  }
  explicit operator double() const { return mpfr_get_d(number_, MPFR_RNDN); }

  Precise operator-() const { return Precise().apply(mpfr_neg, *this); }
  friend Precise operator+(const Precise& a, const Precise& b) { return Precise().apply(mpfr_add, a, b); }
  friend Precise operator-(const Precise& a, const Precise& b) { return Precise().apply(mpfr_sub, a, b); }
  friend Precise operator*(const Precise& a, const Precise& b) { return Precise().apply(mpfr_mul, a, b); }
  friend Precise operator/(const Precise& a, const Precise& b) { return Precise().apply(mpfr_div, a, b); }
  Precise& operator+=(const Precise& b) { return apply(mpfr_add, *this, b); }
  Precise& operator*=(const Precise& b) { return apply(mpfr_mul, *this, b); }
  friend bool operator<(const Precise& a, const Precise& b) { return mpfr_less_p(a.number_, b.number_) != 0; }
  friend bool operator<=(const Precise& a, const Precise& b) { return mpfr_lessequal_p(a.number_, b.number_) != 0; }
  friend bool operator>(const Precise& a, const Precise& b) { return b < a; }
  friend bool operator>=(const Precise& a, const Precise& b) { return b <= a; }
  friend bool operator==(const Precise& a, const Precise& b) { return mpfr_equal_p(a.number_, b.number_) != 0; }
  friend bool operator!=(const Precise& a, const Precise& b) { return !(a == b); }

  /// Becomes what a function of MPFR makes of the arguments.
  template <class Function, class... Arguments>
  Precise& apply(Function function, const Arguments&... arguments) {
    function(number_, arguments.number_..., MPFR_RNDN);
    return *this;
  }
  /// 2^exponent
  static Precise power_of_two(long exponent) {
    Precise x;
    mpfr_set_ui_2exp(x.number_, 1, exponent, MPFR_RNDN);
    return x;
  }
  /// As of std::frexp.
  friend long exponent(const Precise& x) { return mpfr_get_exp(x.number_); }

 private:
  static constexpr int bits = 192;

  void start() {
    mpfr_custom_init(limbs_, bits);
    mpfr_custom_init_set(number_, MPFR_ZERO_KIND, 0, bits, limbs_);
  }

  mp_limb_t limbs_[bits / (8 * sizeof(mp_limb_t))];
  mpfr_t number_;
};

#define LIMEN_WIDE_FUNCTION(name, of_long_double)                   \
  inline long double name(long double x) { return of_long_double; } \
  inline Precise name(const Precise& x) { return Precise().apply(mpfr_##name, x); }
LIMEN_WIDE_FUNCTION(exp, std::exp(x))
LIMEN_WIDE_FUNCTION(expm1, std::expm1(x))
LIMEN_WIDE_FUNCTION(log1p, std::log1p(x))
LIMEN_WIDE_FUNCTION(log, std::log(x))
LIMEN_WIDE_FUNCTION(atan, std::atan(x))
LIMEN_WIDE_FUNCTION(sin, std::sin(x))
LIMEN_WIDE_FUNCTION(cos, std::cos(x))
LIMEN_WIDE_FUNCTION(erfc, std::erfc(x))
LIMEN_WIDE_FUNCTION(sqrt, std::sqrt(x))
LIMEN_WIDE_FUNCTION(abs, std::fabs(x))
#undef LIMEN_WIDE_FUNCTION

template <class R>
const R& pi() {
  static const R value = 4 * atan(R(1));
  return value;
}

/// The type that judges S.
template <class S>
using Wide = std::conditional_t<sizeof(S) == 4, long double, Precise>;

inline long exponent(long double x) {
  int e;
  std::frexp(x, &e);
  return e;
}
template <class R>
R power_of_two(long e) {
  if constexpr (std::is_same_v<R, Precise>)
    return Precise::power_of_two(e);
  else
    return std::ldexp(R(1), static_cast<int>(e));
}

/// The distance of neighbours of type S around x; among subnormals that of the subnormals.
template <class S, class R>
R ulp(const R& x) {
  using Limits = std::numeric_limits<S>;
  const R size = abs(x);
  if (!(size > R(Limits::min()))) return R(Limits::denorm_min());
  return power_of_two<R>(exponent(size) - Limits::digits);
}

}  // namespace limen::test
