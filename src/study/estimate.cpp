// Part of limen. SPDX-License-Identifier: MIT
#include "study/estimate.h"

#include <algorithm>

namespace limen::study {

void Estimate::learn_pace(const CellStatus& cell) {
  if (cell.pace) pace_[cell.cell->arm] = *cell.pace;
}

void Estimate::observe_running(const CellStatus& cell, Time now) {
  learn_pace(cell);
  const auto [seen, is_new] = seen_.try_emplace(cell.cell, Seen{cell.iteration, now});
  if (seen->second.iteration != cell.iteration) seen->second = {cell.iteration, now};
}

double Estimate::seconds_left(const CellStatus& cell, double mean_pace) const {
  const auto pace = pace_.find(cell.cell->arm);
  return static_cast<double>(cell.iterations - cell.iteration) * (pace == pace_.end() ? mean_pace : pace->second);
}

double Estimate::seconds_since_seen(const CellStatus& cell, Time now) const {
  const auto seen = seen_.find(cell.cell);
  return seen == seen_.end() ? 0 : std::chrono::duration<double>(now - seen->second.at).count();
}

std::optional<double> Estimate::seconds_left(const std::vector<CellStatus>& running,
                                             const std::vector<CellStatus>& waiting, int jobs, Time now) const {
  if (pace_.empty()) return {};
  double mean_pace = 0;
  for (const auto& [arm, pace] : pace_) mean_pace += pace / static_cast<double>(pace_.size());
  double sum = 0, longest = 0;
  const auto add = [&](double seconds) {
    sum += std::max(0.0, seconds);
    longest = std::max(longest, seconds);
  };
  // Since its latest evaluation a running cell has gone on; a waiting one has not.
  for (const CellStatus& cell : running) add(seconds_left(cell, mean_pace) - seconds_since_seen(cell, now));
  for (const CellStatus& cell : waiting) add(seconds_left(cell, mean_pace));
  return std::max(longest, sum / jobs);
}

}  // namespace limen::study
