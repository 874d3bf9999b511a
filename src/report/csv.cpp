// Part of limen. SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "io/csv.h"
#include "io/json.h"
#include "report/render.h"

namespace limen::report {
namespace {

constexpr std::array regions = {"closed", "transition", "open"};

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
    csv.sample("validation_loss", arm.validation_loss);
    csv.sample("train_loss", arm.train_loss);
    csv.sample("perplexity", arm.perplexity);
    for (const std::string& parameter : summary.learned) {
      const auto learned = arm.learned.find(parameter);
      csv.sample("learned_" + parameter, learned == arm.learned.end() ? study::Sample{} : learned->second);
    }
    if (summary.has_regions)
      for (std::size_t i = 0; i < regions.size(); ++i)
        csv.sample(regions[i], arm.regions ? (*arm.regions)[i] : study::Sample{});
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
    const auto value = [&](std::string_view name, auto&& of) {
      csv.cell(name, result ? std::optional<double>(of(*result)) : std::nullopt);
    };
    value("validation_loss", [](const CellResult& r) { return r.validation_loss; });
    value("train_loss", [](const CellResult& r) { return r.train_loss; });
    value("perplexity", [](const CellResult& r) { return r.perplexity; });
    value("best_iteration", [](const CellResult& r) { return static_cast<double>(r.best_iteration); });
    for (const std::string& parameter : summary.learned) {
      const bool has = result && result->learned.contains(parameter);
      csv.cell("learned_" + parameter, has ? std::optional(result->learned.at(parameter)) : std::nullopt);
    }
    if (summary.has_regions)
      for (std::size_t i = 0; i < regions.size(); ++i)
        csv.cell(regions[i], result && result->regions ? std::optional((*result->regions)[i]) : std::nullopt);
    csv.end_row();
  }
  return csv.text();
}

}  // namespace limen::report
