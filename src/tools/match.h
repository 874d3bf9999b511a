// Part of limen. SPDX-License-Identifier: MIT
//
// Which width brings one activation nearest to another.
#pragma once

#include <array>
#include <string_view>

#include "limen/member.h"

namespace limen::tools {

/// What "nearest" means.
enum class Criterion {
  curvature,   ///< equal curvature at 0: for centred laws, equal density there
  variance,    ///< equal variance of the thresholds
  correction,  ///< equal correction at 0: the same mean distance of the thresholds from 0
  rms,         ///< least root mean square difference for inputs from N(0, 1)
  sup,         ///< least largest difference on the line
  gate,        ///< least largest difference of the gates
};
inline constexpr std::array<std::string_view, 6> criterion_names = {"curvature", "variance", "correction",
                                                                    "rms",       "sup",      "gate"};

/// The largest value of |a - b| for |z| <= 1e6, and where it is.
struct Sup {
  double size;
  double at;
};
Sup sup_difference(const Member& a, const Member& b);
/// The root mean square of a - b for inputs from N(0, 1).
double rms_difference(const Member& a, const Member& b);

/// `from` with its parameter number `free` so that it is nearest to `to`: equal to about 1e-9 of it (curvature,
/// variance, correction), or the best between 1e-3 and 1e3 to about 1e-6 (rms, sup, gate). The parameter must be
/// positive: a width, scale or rate. Throws limen::Error when an activation lacks what the criterion compares, or when
/// no value between 1e-6 and 1e6 makes it equal.
Member matched(const Member& from, std::size_t free, const Member& to, Criterion criterion);

}  // namespace limen::tools
