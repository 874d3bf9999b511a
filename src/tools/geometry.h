// Part of limen. SPDX-License-Identifier: MIT
//
// What papers tabulate of a function: its ends and its minimum.
#pragma once

#include <optional>

#include "figures/curve.h"

namespace limen::tools {

struct Minimum {
  double at, value;
};

/// The minimum below both ends; none for a function that has its least value at an end, or only nears it there.
std::optional<Minimum> minimum(const figures::Curve& curve);

/// slope z + offset; the offset is NaN where the difference to slope z has no limit.
struct Asymptote {
  double slope, offset;
};

/// Towards +inf or -inf, to about 1e-7; NaN where there is none.
Asymptote asymptote(const figures::Curve& curve, bool to_right);

}  // namespace limen::tools
