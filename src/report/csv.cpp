// Part of limen. SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "io/csv.h"
#include "io/json.h"
#include "report/render.h"

namespace limen::report {
namespace {

// Rows of name = value, the names of the first row being the header.
class Csv {
 public:
  void cell(std::string_view name, std::string_view value) {
    if (first_row_) header_ += fmt::format("{}{}", header_.empty() ? "" : ",", io::csv_field(name));
    rows_ += fmt::format("{}{}", row_begins_ ? "" : ",", io::csv_field(value));
    row_begins_ = false;
  }
  void cell(std::string_view name, std::optional<double> value) {
    cell(name, value ? io::shortest(*value) : std::string());
  }
  void cell(std::string_view name, std::int64_t value) { cell(name, std::to_string(value)); }
  void sample(const std::string& name, const study::Sample& sample) {
    cell(name + "_mean", sample.n > 0 ? std::optional(sample.mean) : std::nullopt);
    cell(name + "_sd", sample.deviation);
  }
  void end_row() {
    rows_ += '\n';
    row_begins_ = true;
    first_row_ = false;
  }
  std::string text() const { return header_ + "\n" + rows_; }

 private:
  std::string header_, rows_;
  bool first_row_ = true, row_begins_ = true;
};

}  // namespace

std::string table_csv(const Summary& summary) {
  Csv csv;
  for (const ArmSummary& arm : summary.arms) {
    csv.cell("arm", arm.arm.name);
    csv.cell("label", arm.arm.label);
    csv.cell("seeds", static_cast<std::int64_t>(summary.plan->seeds.size()));
    csv.cell("n", static_cast<std::int64_t>(arm.cells.size()));
    csv.cell("failed", arm.failed);
    csv.cell("diverged", arm.diverged);
    csv.cell("parameters", arm.cells.empty() ? std::string() : std::to_string(arm.cells.front().parameters));
    const auto measured = [&](bool regions) {
      for (const train::Measure& measure : summary.measures)
        if (measure.is_region() == regions) csv.sample(std::string(measure.key), arm.of(measure.key));
    };
    measured(false);
    for (const std::string& parameter : summary.learned) csv.sample("learned_" + parameter, arm.of(parameter));
    measured(true);
    const study::Paired& difference = arm.against_baseline;
    csv.cell("minus_" + summary.plan->study.baseline + "_mean",
             difference.n > 0 ? std::optional(difference.mean) : std::nullopt);
    csv.cell("interval_low", difference.low);
    csv.cell("interval_high", difference.high);
    csv.end_row();
  }
  return csv.text();
}

std::string cells_csv(const Summary& summary) {
  Csv csv;
  const auto open = [&](const study::Cell& cell, io::RunState state) {
    csv.cell("arm", cell.arm);
    csv.cell("seed", std::to_string(cell.seed));
    csv.cell("state", io::name(state));
  };
  for (const study::Cell& cell : summary.plan->cells) {
    const auto unfinished = std::ranges::find(summary.unfinished, &cell, &study::CellStatus::cell);
    const bool done = unfinished == summary.unfinished.end();
    open(cell, done ? io::RunState::done : unfinished->state);
    const auto& arm = *std::ranges::find_if(summary.arms, [&](const ArmSummary& a) { return a.arm.name == cell.arm; });
    const auto found = std::ranges::find(arm.cells, cell.seed, &CellResult::seed);
    const CellResult* result = done ? &*found : nullptr;
    const auto value = [](const auto& values, std::string_view key) {
      const auto entry = values.find(std::string(key));
      return entry == values.end() ? std::nullopt : std::optional(entry->second);
    };
    const CellResult none;
    const CellResult& shown = result ? *result : none;
    const auto measured = [&](bool regions) {
      for (const train::Measure& measure : summary.measures)
        if (measure.is_region() == regions) csv.cell(measure.key, value(shown.measured, measure.key));
    };
    measured(false);
    csv.cell("best_iteration", result ? std::optional(static_cast<double>(result->best_iteration)) : std::nullopt);
    for (const std::string& parameter : summary.learned)
      csv.cell("learned_" + parameter, value(shown.learned, parameter));
    measured(true);
    csv.end_row();
  }
  return csv.text();
}

}  // namespace limen::report
