// Part of limen. SPDX-License-Identifier: MIT
//
// How long the rest of a study takes, from what its cells have taken so far.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "study/plan.h"

namespace limen::study {

class Estimate {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// Takes note of a cell's pace.
  void learn_pace(const CellStatus& cell);

  /// The same of a running cell, and of when it was first seen where it stands.
  void observe_running(const CellStatus& cell, Time now);

  /// Of running and waiting cells, `jobs` at a time; a cell whose arm was not yet measured counts with the mean of the
  /// others. None before the first measurement.
  std::optional<double> seconds_left(const std::vector<CellStatus>& running, const std::vector<CellStatus>& waiting,
                                     int jobs, Time now) const;

 private:
  double seconds_left(const CellStatus& cell, double mean_pace) const;
  double seconds_since_seen(const CellStatus& cell, Time now) const;

  struct Seen {
    std::int64_t iteration = 0;
    Time at;
  };
  std::map<std::string, double> pace_;  ///< arm -> seconds an iteration
  std::map<const Cell*, Seen> seen_;
};

}  // namespace limen::study
