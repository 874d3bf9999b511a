// Part of limen. SPDX-License-Identifier: MIT
//
// A function of one number as a picture or a table meets it, and its points.
#pragma once

#include <functional>
#include <optional>
#include <vector>

namespace limen::figures {

struct Curve {
  std::function<std::optional<double>(double)> at;  ///< none, NaN and infinities leave a gap
  std::vector<double> breaks;                       ///< where it may jump or bend
  std::vector<double> guides;                       ///< where it is worth a look: a narrow transition is found by them
};

struct Point {
  double x = 0, y = 0;
};
/// A line without a gap.
using Stroke = std::vector<Point>;

/// The curve from `from` to `to`: few points where it is straight, many where it bends, one on each break, and none
/// across a jump.
std::vector<Stroke> strokes(const Curve& curve, double from, double to);

}  // namespace limen::figures
