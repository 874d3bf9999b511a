// Part of limen. SPDX-License-Identifier: MIT
//
// Pictures of functions as a journal prints them: panels side by side, each with its lines and their legend.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "figures/curve.h"

namespace limen::figures {

/// Labels and titles are plain text in which *z* is set in italics.
struct Line {
  Curve curve;
  std::string label;
};
struct Panel {
  std::vector<Line> lines;
  std::string title;
  std::string y_label;
};
struct Plot {
  std::vector<Panel> panels;
  double from = -4, to = 4;
};

/// Throws limen::Error when the file's ending names no format.
void expect_format(const std::filesystem::path& file);

/// Draws to FILE.svg, .pdf or .png, whose folder is made when missing. Throws io::SystemError when gnuplot is missing
/// or the file cannot be written; the old file then stays.
void draw(const Plot& plot, const std::filesystem::path& file);

}  // namespace limen::figures
