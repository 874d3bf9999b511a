// Part of limen. SPDX-License-Identifier: MIT
#include "figures/legend.h"

#include <algorithm>
#include <cmath>

namespace limen::figures {
namespace {

struct Box {
  double left, right, bottom, top;
};

std::size_t letters(const std::string& label) {
  return static_cast<std::size_t>(std::ranges::count_if(label, [](char c) { return (c & 0xC0) != 0x80 && c != '*'; }));
}

/// Whether some part of a line lies in the box; both in shares of the panel.
bool crosses(const Stroke& stroke, const Range& range, const Box& box) {
  constexpr double fine = 0.005;
  const auto x = [&](const Point& p) { return (p.x - range.from) / (range.to - range.from); };
  const auto y = [&](const Point& p) { return (p.y - range.low) / (range.high - range.low); };
  for (std::size_t i = 0; i + 1 < stroke.size(); ++i) {
    const double dx = x(stroke[i + 1]) - x(stroke[i]), dy = y(stroke[i + 1]) - y(stroke[i]);
    const int steps = 1 + static_cast<int>(std::max(std::abs(dx), std::abs(dy)) / fine);
    for (int s = 0; s <= steps; ++s) {
      const double at_x = x(stroke[i]) + dx * s / steps, at_y = y(stroke[i]) + dy * s / steps;
      if (at_x > box.left && at_x < box.right && at_y > box.bottom && at_y < box.top) return true;
    }
  }
  return false;
}

}  // namespace

Legend place_legend(const std::vector<std::string>& labels, const std::vector<std::vector<Stroke>>& lines,
                    const Range& range, double width, double height) {
  constexpr double sample = 4.2, letter = 0.56, row = 1.35, edge = 0.02;
  std::size_t longest = 0;
  for (const std::string& label : labels) longest = std::max(longest, letters(label));
  const double w = (sample + letter * static_cast<double>(longest)) / width;
  const double h = (row * static_cast<double>(labels.size()) + 0.5) / height;
  const auto free = [&](const Box& box) {
    return std::ranges::none_of(lines, [&](const std::vector<Stroke>& line) {
      return std::ranges::any_of(line, [&](const Stroke& stroke) { return crosses(stroke, range, box); });
    });
  };
  for (const double y : {1.0, h + edge})
    for (const double x : {edge, 1 - w - edge})
      if (free({x - edge, x + w + edge, y - h - edge, y + edge})) return {x, y, w, h, 0};
  return {edge, 1, w, h, h / std::max(0.1, 1 - h)};
}

}  // namespace limen::figures
