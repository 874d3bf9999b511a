// Part of limen. SPDX-License-Identifier: MIT
//
// The report's curves, drawn by gnuplot as SVG.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "report/summary.h"

namespace limen::report {

struct SeriesPoint {
  double x = 0;
  double mean = 0;
  double low = 0, high = 0;  ///< mean -+ one standard deviation; mean twice when there is none
};

struct Series {
  std::string label;
  int color = 0;  ///< place of the arm in the study, so that an arm keeps its colour
  std::vector<SeriesPoint> points;
};

struct Figure {
  std::string name;  ///< of the file, without ".svg"
  std::string title;
  std::string caption;
  std::string y_label;
  std::vector<Series> series;
  bool zero_line = false;
  double y_top = 0;  ///< where the axis is cut; 0: nowhere
};

/// Validation loss, its difference to the baseline, and each learned parameter, over iterations; only figures that have
/// data.
std::vector<Figure> figures(const Summary& summary);

/// The gnuplot program that draws a figure to `file`.
std::string gnuplot_script(const Figure& figure, const std::filesystem::path& file);

/// Draws all figures into `folder` as NAME.svg, after removing what was there. Returns "" or a sentence that says why
/// there are none.
std::string draw(const std::vector<Figure>& figures, const std::filesystem::path& folder);

}  // namespace limen::report
