// Part of limen. SPDX-License-Identifier: MIT
//
// What the kernel tests share: every registered activation with several sets of parameters, inputs of every
// kind, and what equality of results means.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ostream>
#include <string>
#include <type_traits>
#include <vector>

#include "limen/kernels.h"
#include "limen/math/random.h"
#include "parameters.h"

namespace limen::kernels {

/// How GoogleTest writes an instruction set.
inline void PrintTo(Isa isa, std::ostream* out) { *out << name(isa); }

inline std::vector<Isa> supported_isas() {
  std::vector<Isa> found;
  for (const Isa isa : all_isas())
    if (supported(isa)) found.push_back(isa);
  return found;
}

/// To T and back, rounded once.
template <class T>
T as(double x) {
  if constexpr (is_narrow<T>)
    return limen::narrow<T>(static_cast<float>(x));
  else
    return static_cast<T>(x);
}
template <class T>
double number(T x) {
  if constexpr (is_narrow<T>)
    return static_cast<double>(limen::widen(x));
  else
    return static_cast<double>(x);
}
template <class T, class From>
std::vector<T> all_as(const std::vector<From>& from) {
  std::vector<T> to;
  for (const From x : from) to.push_back(as<T>(number(x)));
  return to;
}

/// Whole numbers of T's size.
template <class T>
using Bits =
    std::conditional_t<sizeof(T) == 2, std::uint16_t, std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;

/// An activation with parameters inside their domains.
struct Case {
  ActivationId id;
  test::Parameters wide = {};
  std::array<float, max_parameters> parameters = test::cast<float>(wide);

  std::string name() const { return test::label(info(id), wide); }
  std::size_t parameter_count() const { return info(id).parameter_count; }
  /// The parameters of kernels on T.
  template <class T>
  const Compute<T>* of() const {
    if constexpr (std::is_same_v<T, double>)
      return wide.data();
    else
      return parameters.data();
  }
};

/// Every activation with its defaults and, where it has parameters, with other sets.
inline std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (std::size_t i = 0; i < activation_count; ++i)
    for (const test::Parameters& parameters : test::parameter_sets(all_infos[i]))
      cases.push_back({static_cast<ActivationId>(i), parameters});
  return cases;
}

/// n numbers without NaN: most between -12 and 12, a third of any finite magnitude, every 16th a signed zero or
/// infinity.
template <class T = float>
std::vector<T> mixed_inputs(std::size_t n, std::uint32_t seed) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr std::array special{0.0, -0.0, infinity, -infinity};
  std::vector<T> z(n);
  for (std::size_t i = 0; i < n; ++i) {
    const math::Words words = math::philox({static_cast<std::uint32_t>(i), seed, 0, 0}, {7, 7});
    const std::uint64_t pattern = std::uint64_t{words[1]} << 32 | words[3];
    const T any = std::bit_cast<T>(static_cast<Bits<T>>(pattern >> (64 - 8 * sizeof(T))));
    if (words[0] % 16 == 0)
      z[i] = as<T>(special[words[1] % special.size()]);
    else if (words[0] % 3 == 0 && std::isfinite(number(any)))
      z[i] = any;
    else
      z[i] = as<T>(words[2] * 0x1p-32 * 24 - 12);
  }
  return z;
}

/// n numbers between -2 and 2.
template <class T = float>
std::vector<T> gradients(std::size_t n, std::uint32_t seed) {
  std::vector<T> g(n);
  for (std::size_t i = 0; i < n; ++i)
    g[i] = as<T>(math::philox({static_cast<std::uint32_t>(i), seed, 1, 0}, {7, 7})[0] * 0x1p-32 * 4 - 2);
  return g;
}

/// The same bits; a NaN equals every NaN, because which payload survives a sum of two depends on operand order.
template <class T>
bool same(T a, T b) {
  if (std::isnan(number(a)) || std::isnan(number(b))) return std::isnan(number(a)) && std::isnan(number(b));
  return std::bit_cast<Bits<T>>(a) == std::bit_cast<Bits<T>>(b);
}

/// The first index at which a and b differ, or n.
template <class T>
std::size_t first_difference(const T* a, const T* b, std::size_t n) {
  std::size_t i = 0;
  while (i < n && same(a[i], b[i])) ++i;
  return i;
}

}  // namespace limen::kernels
