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

/// An activation with parameters inside their domains.
struct Case {
  ActivationId id;
  test::Parameters wide = {};
  std::array<float, max_parameters> parameters = test::cast<float>(wide);

  std::string name() const { return test::label(info(id), wide); }
  std::size_t parameter_count() const { return info(id).parameter_count; }
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
inline std::vector<float> mixed_inputs(std::size_t n, std::uint32_t seed) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr std::array special{0.0f, -0.0f, infinity, -infinity};
  std::vector<float> z(n);
  for (std::size_t i = 0; i < n; ++i) {
    const math::Words words = math::philox({static_cast<std::uint32_t>(i), seed, 0, 0}, {7, 7});
    const float any = std::bit_cast<float>(words[1]);
    if (words[0] % 16 == 0)
      z[i] = special[words[1] % special.size()];
    else if (words[0] % 3 == 0 && std::isfinite(any))
      z[i] = any;
    else
      z[i] = static_cast<float>(static_cast<double>(words[2]) * 0x1p-32 * 24 - 12);
  }
  return z;
}

/// n numbers between -2 and 2.
inline std::vector<float> gradients(std::size_t n, std::uint32_t seed) {
  std::vector<float> g(n);
  for (std::size_t i = 0; i < n; ++i)
    g[i] = static_cast<float>(math::philox({static_cast<std::uint32_t>(i), seed, 1, 0}, {7, 7})[0] * 0x1p-32 * 4 - 2);
  return g;
}

/// The same bits; a NaN equals every NaN, because which payload survives a sum of two depends on operand order.
template <class S>
bool same(S a, S b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  using Bits = std::conditional_t<sizeof(S) == 4, std::uint32_t, std::uint64_t>;
  return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}

/// The first index at which a and b differ, or n.
template <class S>
std::size_t first_difference(const S* a, const S* b, std::size_t n) {
  std::size_t i = 0;
  while (i < n && same(a[i], b[i])) ++i;
  return i;
}

}  // namespace limen::kernels
