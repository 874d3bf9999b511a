// Part of limen. SPDX-License-Identifier: MIT
//
// What the kernel tests share: every registered activation at its initial and at other parameters, inputs of every
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
  std::array<float, max_parameters> parameters = {};
  std::string name() const {
    std::string text(info(id).name);
    for (std::size_t k = 0; k < info(id).parameter_count; ++k)
      text += ' ' + std::string(info(id).parameter[k].name) + '=' + std::to_string(parameters[k]);
    return text;
  }
  std::size_t parameter_count() const { return info(id).parameter_count; }
};

/// A point of the domain away from the initial one.
inline float other_value(const Parameter& p) {
  if (std::isfinite(p.lower) && std::isfinite(p.upper)) return static_cast<float>(0.3 * p.lower + 0.7 * p.upper);
  if (std::isfinite(p.lower)) return static_cast<float>(p.lower + 2.37 * (p.initial - p.lower) + 0.05);
  return static_cast<float>(1.5 * p.initial - 0.31);
}

inline std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (std::size_t i = 0; i < activation_count; ++i) {
    Case first{static_cast<ActivationId>(i)}, second{static_cast<ActivationId>(i)};
    for (std::size_t k = 0; k < first.parameter_count(); ++k) {
      first.parameters[k] = static_cast<float>(info(first.id).parameter[k].initial);
      second.parameters[k] = other_value(info(first.id).parameter[k]);
    }
    cases.push_back(first);
    if (first.parameter_count() > 0) cases.push_back(second);
  }
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
