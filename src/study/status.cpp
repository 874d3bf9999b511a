// Part of limen. SPDX-License-Identifier: MIT
#include "io/json.h"
#include "study/plan.h"

namespace limen::study {
namespace {

// Reads timing rows. Their "seconds" count from the start of a process: where they fall, another try began.
void add_timing(const std::vector<io::Json>& timing, CellStatus& status) {
  if (timing.empty()) return;
  double before = 0, first = 0, latest = 0;
  std::optional<double> first_iteration;
  double iteration = 0;
  for (const io::Json& row : timing) {
    const double seconds = io::number_in(row, "seconds").value_or(0);
    iteration = io::number_in(row, "iteration").value_or(0);
    if (!first_iteration || seconds < latest) {
      before += latest;
      first = seconds;
      first_iteration = iteration;
    }
    latest = seconds;
  }
  status.seconds = before + latest;
  status.seconds_per_step = io::number_in(timing.back(), "step_seconds");
  status.pace =
      iteration > *first_iteration ? (latest - first) / (iteration - *first_iteration) : status.seconds_per_step;
}

}  // namespace

CellStatus status(const Cell& cell) {
  CellStatus out;
  out.cell = &cell;
  out.state = cell.folder.state();
  out.iterations = cell.settings.train.iterations;
  if (out.state == io::RunState::planned) return out;

  if (const std::vector<io::Json> metrics = cell.folder.read_metrics(); !metrics.empty()) {
    out.iteration = static_cast<std::int64_t>(io::number_in(metrics.back(), "iteration").value_or(0));
    out.validation_loss = io::number_in(metrics.back(), "validation_loss");
  }
  add_timing(cell.folder.read_timing(), out);

  const std::optional<io::Json> end = cell.folder.read_end();
  if (out.state == io::RunState::done && end) {
    out.iteration = out.iterations;
    out.validation_loss = io::number_in(*end, "validation_loss");
  } else if (end && end->contains("reason")) {
    out.reason = end->at("reason").get<std::string>();
  }
  return out;
}

std::vector<CellStatus> status(const Plan& plan) {
  std::vector<CellStatus> all;
  for (const Cell& cell : plan.cells) all.push_back(status(cell));
  return all;
}

}  // namespace limen::study
