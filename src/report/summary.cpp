// Part of limen. SPDX-License-Identifier: MIT
#include "report/summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/error.h"
#include "io/files.h"
#include "io/json.h"

namespace limen::report {
namespace {

using io::Json;

// "model.beta" or "block.0.ffn.beta": what stands after the last point is the parameter; places are averaged.
std::map<std::string, double> mean_over_places(const Json& learned) {
  std::map<std::string, std::vector<double>> values;
  for (const auto& [key, value] : learned.items())
    values[key.substr(key.rfind('.') + 1)].push_back(io::to_number(value));
  std::map<std::string, double> means;
  for (const auto& [parameter, all] : values) means[parameter] = study::sample(all).mean;
  return means;
}

std::map<std::string, double> learned_in(const Json& row) {
  return row.contains("learned") && row["learned"].is_object() ? mean_over_places(row["learned"])
                                                               : std::map<std::string, double>{};
}

std::vector<Point> read_curve(const io::RunFolder& folder) {
  std::vector<Point> curve;
  for (const Json& row : folder.read_metrics())
    curve.push_back(
        {row.at("iteration").get<std::int64_t>(), io::to_number(row.at("validation_loss")), learned_in(row)});
  return curve;
}

std::map<std::string, double, std::less<>> measures_in(const Json& end) {
  std::map<std::string, double, std::less<>> measured;
  const Json regions = end.value("regions", Json());
  for (const train::Measure& measure : train::measures) {
    const std::string key(measure.key);
    const Json& holder = measure.is_region() ? regions : end;
    if (&measure == &train::compared || (holder.is_object() && holder.contains(key)))
      measured[key] = io::to_number(holder.at(key));
  }
  return measured;
}

CellResult read_cell(const study::Cell& cell) {
  const Json end = cell.folder.read_end().value();
  CellResult result;
  result.seed = cell.seed;
  result.measured = measures_in(end);
  result.best_iteration = end.at("best_iteration").get<std::int64_t>();
  result.parameters = end.at("parameters").get<std::int64_t>();
  result.learned = learned_in(end);
  result.curve = read_curve(cell.folder);
  for (const Json& row : cell.folder.read_timing()) {
    if (const auto seconds = io::number_in(row, "step_seconds")) result.step_seconds.push_back(*seconds);
    if (const auto megabytes = io::number_in(row, "peak_rss_mb"))
      result.peak_megabytes = std::max(result.peak_megabytes.value_or(0), *megabytes);
  }
  return result;
}

CellResult read_done_cell(const study::Cell& cell) {
  try {
    return read_cell(cell);
  } catch (const std::exception& error) {
    throw io::SystemError(
        fmt::format("{}: cannot make sense of DONE or metrics.jsonl ({}); remove the folder to run this cell again",
                    cell.folder.path().string(), error.what()));
  }
}

template <class Of>
study::Sample sample_of(const std::vector<CellResult>& cells, Of&& of) {
  std::vector<double> values;
  for (const CellResult& cell : cells) values.push_back(of(cell));
  return study::sample(values);
}

void summarize_cells(ArmSummary& arm) {
  const auto& cells = arm.cells;
  if (cells.empty()) return;
  for (const auto& [key, value] : cells.front().measured)
    if (std::ranges::all_of(cells, [&](const CellResult& cell) { return cell.measured.contains(key); }))
      arm.measured[key] = sample_of(cells, [&](const CellResult& cell) { return cell.measured.at(key); });
  for (const auto& [parameter, value] : cells.front().learned)
    arm.learned[parameter] = sample_of(cells, [&](const CellResult& cell) { return cell.learned.at(parameter); });
  std::vector<double> steps;
  for (const CellResult& cell : cells) {
    steps.insert(steps.end(), cell.step_seconds.begin(), cell.step_seconds.end());
    if (cell.peak_megabytes) arm.peak_megabytes = std::max(arm.peak_megabytes.value_or(0), *cell.peak_megabytes);
  }
  if (!steps.empty()) arm.step_seconds = study::median(steps);
}

study::Paired against(const ArmSummary& arm, const ArmSummary& baseline) {
  std::vector<double> ours, theirs;
  for (const CellResult& cell : arm.cells)
    for (const CellResult& other : baseline.cells)
      if (cell.seed == other.seed) {
        ours.push_back(cell.measured.find(train::compared.key)->second);
        theirs.push_back(other.measured.find(train::compared.key)->second);
      }
  return study::paired(ours, theirs);
}

// One line a machine: what environment.json says, without what differs from run to run by itself.
std::string machine_of(const io::RunFolder& folder) {
  if (!std::filesystem::exists(folder.environment())) return "";
  std::string text;
  const Json environment = Json::parse(io::read_file(folder.environment()), nullptr, false);
  if (!environment.is_object()) return fmt::format("unknown: {} is damaged", folder.environment().string());
  for (const auto& [key, value] : environment.items())
    if (value.is_primitive())
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", key,
                          value.is_string() ? value.get<std::string>() : value.dump());
  return text;
}

}  // namespace

study::Sample ArmSummary::of(std::string_view measure) const {
  if (const auto found = measured.find(measure); found != measured.end()) return found->second;
  const auto found = learned.find(std::string(measure));
  return found == learned.end() ? study::Sample{} : found->second;
}

const ArmSummary* Summary::baseline() const {
  for (const ArmSummary& arm : arms)
    if (arm.arm.name == plan->study.baseline) return &arm;
  return nullptr;
}

std::size_t Summary::done() const { return plan->cells.size() - unfinished.size(); }

Summary summarize(const study::Plan& plan) {
  Summary summary;
  summary.plan = &plan;
  for (const study::Arm& arm : plan.arms) summary.arms.emplace_back().arm = arm;
  for (const study::Cell& cell : plan.cells) {
    ArmSummary& arm = *std::ranges::find_if(summary.arms, [&](const ArmSummary& a) { return a.arm.name == cell.arm; });
    const study::CellStatus status = study::status(cell);
    arm.failed += status.state == io::RunState::failed;
    arm.diverged += status.state == io::RunState::diverged;
    if (status.state != io::RunState::done) {
      summary.unfinished.push_back(status);
      continue;
    }
    arm.cells.push_back(read_done_cell(cell));
    const std::string machine = machine_of(cell.folder);
    if (!machine.empty() && std::ranges::count(summary.machines, machine) == 0) summary.machines.push_back(machine);
  }
  for (ArmSummary& arm : summary.arms) {
    summarize_cells(arm);
    for (const auto& [parameter, value] : arm.learned)
      if (std::ranges::count(summary.learned, parameter) == 0) summary.learned.push_back(parameter);
  }
  const bool none_done = summary.done() == 0;
  for (const train::Measure& measure : train::measures)
    if ((none_done && !measure.is_region()) ||
        std::ranges::any_of(summary.arms, [&](const ArmSummary& arm) { return arm.measured.contains(measure.key); }))
      summary.measures.push_back(measure);
  if (const ArmSummary* baseline = summary.baseline())
    for (ArmSummary& arm : summary.arms)
      if (&arm != baseline) arm.against_baseline = against(arm, *baseline);
  return summary;
}

}  // namespace limen::report
