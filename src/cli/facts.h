// Part of limen. SPDX-License-Identifier: MIT
//
// What tables and pages say of a function's shape, in words and 6 digits.
#pragma once

#include <string>
#include <string_view>

#include "figures/curve.h"
#include "limen/member.h"

namespace limen::cli {

/// What a cell of a table holds.
struct Stated {
  std::string text;
  bool formula = true;  ///< and not words
};

std::string number(const figures::Curve& curve, double z);
/// "0", "-0.398942", "z - 0.398942 + o(1)", "0.01 z + o(1)", "z + o(z)"
std::string behaviour(const figures::Curve& curve, bool to_right);
/// "-0.169971 at z = -0.751792", or "none"
Stated minimum(const figures::Curve& curve);

/// A moment or the entropy of a law: "pi^2 / (3 slope^2)", "inf", or "none".
Stated fact(std::string_view formula);
/// The complementary loss: its formula, "infinite", or in words.
Stated loss_of(const ActivationInfo& about);
/// What a law's entropy is the largest given: "E |T|", or in words; "-" where it is not the largest.
Stated entropy_given(const Member& chosen);

}  // namespace limen::cli
