// Part of limen. SPDX-License-Identifier: MIT
//
// What a study's run folders say, in numbers: read once, then rendered as tables, figures, files.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "study/plan.h"
#include "study/statistics.h"

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
  double validation_loss = 0;
  double train_loss = 0;
  double perplexity = 0;
  std::int64_t best_iteration = 0;
  std::int64_t parameters = 0;
  std::map<std::string, double> learned;         ///< at the best evaluation
  std::optional<std::array<double, 3>> regions;  ///< closed, transition, open
  std::vector<Point> curve;
  std::vector<double> step_seconds;
  std::optional<double> peak_megabytes;
};

struct ArmSummary {
  study::Arm arm;
  std::vector<CellResult> cells;  ///< done ones, in the plan's order of seeds
  int failed = 0;
  int diverged = 0;

  study::Sample validation_loss, train_loss, perplexity;
  std::map<std::string, study::Sample> learned;
  std::optional<std::array<study::Sample, 3>> regions;
  study::Paired against_baseline;        ///< validation loss, over seeds done for both; n = 0 for the baseline itself
  std::optional<double> step_seconds;    ///< median over evaluations and seeds
  std::optional<double> peak_megabytes;  ///< largest
};

struct Summary {
  const study::Plan* plan = nullptr;
  std::vector<ArmSummary> arms;
  std::vector<study::CellStatus> unfinished;  ///< every cell that is not done
  std::vector<std::string> learned;           ///< parameters learned by some arm
  bool has_regions = false;
  std::vector<std::string> machines;  ///< what environment.json files say, each once

  const ArmSummary* baseline() const;
  std::size_t done() const;
};

Summary summarize(const study::Plan& plan);

}  // namespace limen::report
