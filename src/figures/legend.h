// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "figures/curve.h"

namespace limen::figures {

struct Range {
  double from, to, low, high;
};

/// Where the legend lies, in shares of a panel's width and height.
struct Legend {
  double x = 0, y = 1;  ///< its upper left corner
  double width = 0, height = 0;
  double room = 0;  ///< by which share the panel must grow upwards for the legend to cover no line

  /// How far up a vertical line at `at` meets no legend.
  double free_height(double at) const { return at > x && at < x + width ? y - height : 1; }
};

/// In the first free corner of the panel; its width and height are in letters.
Legend place_legend(const std::vector<std::string>& labels, const std::vector<std::vector<Stroke>>& lines,
                    const Range& range, double width, double height);

}  // namespace limen::figures
