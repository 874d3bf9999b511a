// Part of limen. SPDX-License-Identifier: MIT
//
// What a study's run folders say, in numbers: read once, then rendered as tables, figures, files.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "study/plan.h"
#include "study/statistics.h"
#include "train/measures.h"

namespace limen::report {

/// One evaluation of a run.
struct Point {
  std::int64_t iteration = 0;
  double validation_loss = 0;
  std::map<std::string, double> learned;  ///< parameter -> mean over the places where it is learned
};

/// A done cell.
struct CellResult {
  std::uint64_t seed = 0;
  std::map<std::string, double, std::less<>> measured;  ///< key of train::measures -> value, where it has one
  std::int64_t best_iteration = 0;
  std::int64_t parameters = 0;
  std::map<std::string, double> learned;  ///< at the best evaluation
  std::vector<Point> curve;
  std::vector<double> step_seconds;
  std::optional<double> peak_megabytes;
};

struct ArmSummary {
  study::Arm arm;
  std::vector<CellResult> cells;  ///< done ones, in the plan's order of seeds
  int failed = 0;
  int diverged = 0;

  std::map<std::string, study::Sample, std::less<>> measured;  ///< key of train::measures, where all cells have one
  std::map<std::string, study::Sample> learned;
  study::Paired against_baseline;        ///< validation loss, over seeds done for both; n = 0 for the baseline itself
  std::optional<double> step_seconds;    ///< median over evaluations and seeds
  std::optional<double> peak_megabytes;  ///< largest

  /// Of a measure or of a learned parameter; n = 0 where there is none.
  study::Sample of(std::string_view measure) const;
};

struct Summary {
  const study::Plan* plan = nullptr;
  std::vector<ArmSummary> arms;
  std::vector<study::CellStatus> unfinished;  ///< every cell that is not done
  std::vector<std::string> learned;           ///< parameters learned by some arm
  std::vector<train::Measure> measures;       ///< that some done cell has; all but shares while none is done
  std::vector<std::string> machines;          ///< what environment.json files say, each once

  bool has_regions() const { return std::ranges::any_of(measures, &train::Measure::is_region); }
  const ArmSummary* baseline() const;
  std::size_t done() const;
};

Summary summarize(const study::Plan& plan);

}  // namespace limen::report
