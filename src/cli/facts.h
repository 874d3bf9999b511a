// Part of limen. SPDX-License-Identifier: MIT
//
// What tables and pages say of a function's shape, in words and 6 digits.
#pragma once

#include <string>

#include "figures/curve.h"

namespace limen::cli {

std::string number(const figures::Curve& curve, double z);
/// "0", "-0.398942", "z - 0.398942 + o(1)", "0.01 z + o(1)", "z + o(z)"
std::string behaviour(const figures::Curve& curve, bool to_right);
/// "-0.169971 at z = -0.751792", or "none"
std::string minimum(const figures::Curve& curve);

}  // namespace limen::cli
