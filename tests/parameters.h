// Part of limen. SPDX-License-Identifier: MIT
//
// The parameters that tests try, chosen from what an activation says of itself, so that a new one is covered.
#pragma once

#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "limen/laws/info.h"

namespace limen::test {

using Parameters = std::array<double, max_parameters>;

/// Values over a parameter's domain, the default first.
inline std::array<double, 4> variations(const Parameter& p) {
  if (p.integer) return {p.initial, p.lower, std::round(0.7 * p.lower + 0.3 * p.upper), p.upper};
  if (p.closed) return {p.initial, p.lower, 0.7 * p.lower + 0.3 * p.upper, p.upper};
  if (p.upper < widest)
    return {p.initial, 0.95 * p.lower + 0.05 * p.upper, 0.4 * p.lower + 0.6 * p.upper, 0.99 * p.upper};
  if (p.lower >= 0) return {p.initial, 0.1 * p.initial, 1.7 * p.initial, 30 * p.initial};
  return {p.initial, 0.5, -3, 100};
}

/// A value well inside the domain that is not the default.
inline double other_value(const Parameter& p) { return variations(p)[2]; }

/// The defaults, then every parameter varied.
inline std::vector<Parameters> parameter_sets(const ActivationInfo& info) {
  std::vector<Parameters> sets;
  for (std::size_t j = 0; j < (info.parameter_count == 0 ? 1 : 4); ++j) {
    Parameters& set = sets.emplace_back();
    for (std::size_t k = 0; k < info.parameter_count; ++k) set[k] = variations(info.parameter[k])[j];
  }
  return sets;
}

/// Not inlined: GCC 12 otherwise takes the rounding of numbers that go to float and back for nothing and drops it.
template <class S>
[[gnu::noinline]] std::array<S, max_parameters> cast(const Parameters& from) {
  std::array<S, max_parameters> to;
  for (std::size_t k = 0; k < to.size(); ++k) to[k] = static_cast<S>(from[k]);
  return to;
}

/// "uelu(1.25)"
inline std::string label(const ActivationInfo& info, const Parameters& p) {
  std::string text(info.name);
  for (std::size_t k = 0; k < info.parameter_count; ++k) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%g", p[k]);
    text.append(k == 0 ? "(" : ", ").append(digits);
  }
  if (info.parameter_count > 0) text.append(")");
  return text;
}

}  // namespace limen::test
