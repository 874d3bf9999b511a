// Part of limen. SPDX-License-Identifier: MIT
#include "report/content.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace limen::report {
namespace {

using study::fixed;
using study::PublishedValue;
using study::Sample;

constexpr int loss_digits = 4, perplexity_digits = 3, learned_digits = 3, percent_digits = 2;

std::string with_spread(const Sample& sample, int digits) {
  if (sample.n == 0) return "";
  const std::string mean = fixed(sample.mean, digits);
  return sample.deviation ? fmt::format("{} \u00b1 {}", mean, fixed(*sample.deviation, digits)) : mean;
}

Sample in_percent(Sample share) {
  share.mean *= 100;
  if (share.deviation) *share.deviation *= 100;
  if (share.population_deviation) *share.population_deviation *= 100;
  return share;
}

// "4.44 / 95.38 / 0.18", means over seeds.
std::string region_shares(const ArmSummary& arm) {
  std::string text;
  if (arm.regions)
    for (const Sample& share : *arm.regions)
      text += fmt::format("{}{}", text.empty() ? "" : " / ", fixed(in_percent(share).mean, percent_digits));
  return text;
}

std::string thousands(std::int64_t value) {
  const std::string digits = std::to_string(value);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string_view word(io::RunState state) {
  switch (state) {
    case io::RunState::planned:
      return "not begun";
    case io::RunState::started:
      return "running or interrupted";
    default:
      return io::name(state);
  }
}

std::string cut_notice(const study::Plan& plan) {
  const study::Study& whole = plan.study;
  std::vector<std::string> parts;
  const train::TrainSettings& ours = plan.arms.front().settings.train;
  const train::TrainSettings& file = whole.arm(plan.arms.front().name).settings.train;
  const std::int64_t our_horizon = plan.arms.front().settings.horizon();
  const std::int64_t file_horizon = whole.arm(plan.arms.front().name).settings.horizon();
  if (ours.iterations != file.iterations)
    parts.push_back(fmt::format("{} of {} iterations", thousands(ours.iterations), thousands(file.iterations)));
  if (our_horizon != file_horizon)
    parts.push_back(
        fmt::format("schedules made for {} iterations instead of {}", thousands(our_horizon), thousands(file_horizon)));
  else if (ours.iterations != file.iterations)
    parts.back() += fmt::format(" (schedules made for {})", thousands(our_horizon));
  if (plan.seeds.size() != whole.seeds.size())
    parts.push_back(
        fmt::format("{} of {} seeds ({})", plan.seeds.size(), whole.seeds.size(), fmt::join(plan.seeds, ", ")));
  if (plan.arms.size() != whole.arms.size()) {
    std::vector<std::string> names;
    for (const study::Arm& arm : plan.arms) names.push_back(arm.name);
    parts.push_back(fmt::format("{} of {} arms ({})", names.size(), whole.arms.size(), fmt::join(names, ", ")));
  }
  return parts.empty() ? "" : fmt::format("This is a cut-down run of the study: {}.", fmt::join(parts, "; "));
}

std::string unfinished_notice(const Summary& summary) {
  if (summary.unfinished.empty()) return "";
  std::string counts;
  using enum io::RunState;
  for (const io::RunState state : {failed, diverged, started, planned}) {
    const auto count = std::ranges::count(summary.unfinished, state, &study::CellStatus::state);
    if (count > 0) counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, word(state));
  }
  return fmt::format("{} of {} cells are done; {}.", summary.done(), summary.plan->cells.size(), counts);
}

// The value that stands beside a published one.
Sample measured(const ArmSummary& arm, const std::string& measure) {
  if (measure == "validation_loss") return arm.validation_loss;
  if (measure == "perplexity") return arm.perplexity;
  for (std::size_t i = 0; i < 3; ++i)
    if (measure == std::array{"closed", "transition", "open"}[i]) return arm.regions ? (*arm.regions)[i] : Sample{};
  const auto learned = arm.learned.find(measure);
  return learned == arm.learned.end() ? Sample{} : learned->second;
}

struct Measure {
  std::string name, label;
  int digits;
  bool percent;
};

std::vector<Measure> published_measures(const Summary& summary) {
  std::vector<Measure> measures = {{"validation_loss", "validation loss", loss_digits, false},
                                   {"perplexity", "perplexity", perplexity_digits, false}};
  for (const std::string& parameter : summary.learned)
    measures.push_back({parameter, learned_name(parameter), learned_digits, false});
  for (const char* region : {"closed", "transition", "open"})
    measures.push_back({region, fmt::format("{}, %", region), percent_digits, true});
  return measures;
}

std::vector<std::string> published_row(const ArmSummary& arm, const Measure& measure, const PublishedValue& value) {
  const double scale = measure.percent ? 100 : 1;
  Sample ours = measured(arm, measure.name);
  if (measure.percent) ours = in_percent(ours);
  const auto shown = [&](std::optional<double> number) {
    return number ? fixed(*number, measure.digits) : std::string();
  };
  return {arm.arm.label,
          measure.label,
          ours.n > 0 ? fixed(ours.mean, measure.digits) : "",
          shown(ours.deviation),
          shown(ours.population_deviation),
          ours.n > 0 ? std::to_string(ours.n) : "",
          fixed(value.mean * scale, measure.digits),
          value.deviation ? fixed(*value.deviation * scale, measure.digits) : "",
          ours.n > 0 ? fixed(ours.mean - value.mean * scale, measure.digits) : ""};
}

}  // namespace

std::vector<std::string> notices(const Summary& summary) {
  std::vector<std::string> all = {cut_notice(*summary.plan), unfinished_notice(summary)};
  std::erase(all, "");
  return all;
}

std::string learned_name(const std::string& parameter) {
  return parameter == "beta" ? "learned width (beta)" : "learned " + parameter;
}

Table main_table(const Summary& summary, Call call) {
  Table table{{{"arm", false}, {"validation loss"}, {"n"}, {"perplexity"}}, {}};
  for (const std::string& parameter : summary.learned)
    table.columns.push_back({learned_name(parameter), true, false, parameter});
  if (summary.has_regions)
    table.columns.push_back({"closed / transition / open, %", true, false, "closed/trans/open %"});
  table.columns.push_back({"ms a step", true, true, "ms/step"});
  table.columns.push_back({"memory, MB", true, true, "MB"});

  for (const ArmSummary& arm : summary.arms) {
    std::vector<std::string> row = {call == Call::by_name ? arm.arm.name : arm.arm.label,
                                    with_spread(arm.validation_loss, loss_digits), std::to_string(arm.cells.size()),
                                    with_spread(arm.perplexity, perplexity_digits)};
    for (const std::string& parameter : summary.learned)
      row.push_back(with_spread(measured(arm, parameter), learned_digits));
    if (summary.has_regions) row.push_back(region_shares(arm));
    row.push_back(arm.step_seconds ? fixed(*arm.step_seconds * 1000, 1) : "");
    row.push_back(arm.peak_megabytes ? fixed(*arm.peak_megabytes, 0) : "");
    table.rows.push_back(row);
  }
  return table;
}

std::vector<std::string> comparisons(const Summary& summary) {
  const ArmSummary* baseline = summary.baseline();
  std::vector<std::string> sentences;
  if (!baseline) return sentences;
  for (const ArmSummary& arm : summary.arms)
    if (&arm != baseline)
      sentences.push_back(study::sentence(arm.arm.name, baseline->arm.name, arm.against_baseline, loss_digits));
  return sentences;
}

Table published_table(const Summary& summary) {
  Table table;
  const auto& published = summary.plan->study.published;
  if (!published) return table;
  table.columns = {{"arm", false},
                   {"measure", false},
                   {"ours"},
                   {"our sd, n \u2212 1"},
                   {"our sd, n"},
                   {"our n"},
                   {"published"},
                   {published->divisor == "n" ? "its sd, n" : "its sd, n \u2212 1"},
                   {"ours \u2212 published"}};
  for (const Measure& measure : published_measures(summary)) {
    for (const ArmSummary& arm : summary.arms) {
      const auto values = published->arms.find(arm.arm.name);
      if (values == published->arms.end()) continue;
      const auto value = values->second.find(measure.name);
      if (value != values->second.end()) table.rows.push_back(published_row(arm, measure, value->second));
    }
  }
  return table;
}

Table cells_table(const Summary& summary) {
  Table table{{{"arm", false}, {"seed"}, {"validation loss"}, {"training loss"}, {"perplexity"}, {"best iteration"}},
              {}};
  for (const std::string& parameter : summary.learned) table.columns.push_back({learned_name(parameter)});
  for (const ArmSummary& arm : summary.arms) {
    for (const CellResult& cell : arm.cells) {
      std::vector<std::string> row = {arm.arm.label,
                                      std::to_string(cell.seed),
                                      fixed(cell.validation_loss, loss_digits),
                                      fixed(cell.train_loss, loss_digits),
                                      fixed(cell.perplexity, perplexity_digits),
                                      thousands(cell.best_iteration)};
      for (const std::string& parameter : summary.learned) {
        const auto value = cell.learned.find(parameter);
        row.push_back(value == cell.learned.end() ? "" : fixed(value->second, learned_digits));
      }
      table.rows.push_back(row);
    }
  }
  return table;
}

Table unfinished_table(const Summary& summary) {
  Table table{{{"arm", false}, {"seed"}, {"state", false}, {"iteration"}, {"why", false}}, {}};
  for (const study::CellStatus& cell : summary.unfinished)
    table.rows.push_back({summary.plan->study.arm(cell.cell->arm).label, std::to_string(cell.cell->seed),
                          std::string(word(cell.state)),
                          fmt::format("{} of {}", thousands(cell.iteration), thousands(cell.iterations)), cell.reason});
  return table;
}

std::vector<std::string> method(const Summary& summary) {
  std::vector<std::string> all = {
      "n counts seeds. Spreads (\u00b1, bands) are sample standard deviations over seeds, divisor n \u2212 1; one seed "
      "has none.",
      "Validation loss is the best weights' loss, estimated anew on fresh batches; perplexity is the mean over seeds "
      "of its "
      "exponential.",
      "Seeds are paired: all arms of a seed start from the same weights and see the same batches. Differences are "
      "taken seed by "
      "seed; intervals are Student's t."};
  if (summary.arms.size() > 3)
    all.push_back(
        fmt::format("Each interval stands for itself: of many comparisons one in twenty leaves out 0 by chance alone; "
                    "here are {}.",
                    summary.arms.size() - 1));
  if (summary.has_regions)
    all.push_back(
        "Regions: shares of pre-activations below, inside and above the transition, over all places of the model.");
  all.push_back(
      "Time a step is the median over evaluations and seeds, memory the largest peak of a process; both depend on the "
      "machine and on what else ran, and take no part in the comparison.");
  return all;
}

}  // namespace limen::report
