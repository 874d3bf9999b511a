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
using train::Measure;

constexpr int learned_digits = 3;

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

// A learned parameter as a measure.
Measure learned_measure(const std::string& parameter, const std::string& label) {
  return {parameter, label, learned_digits, false, train::Better::neither, nullptr};
}

std::string head(const Measure& measure) { return fmt::format("{}{}", measure.label, measure.percent ? ", %" : ""); }

// In the unit that is shown.
Sample shown(const ArmSummary& arm, const Measure& measure) {
  return measure.percent ? in_percent(arm.of(measure.key)) : arm.of(measure.key);
}

// "4.44 / 95.38 / 0.18", means over seeds.
std::string region_shares(const Summary& summary, const ArmSummary& arm) {
  std::vector<std::string> shares;
  for (const Measure& measure : summary.measures)
    if (measure.is_region() && arm.measured.contains(measure.key))
      shares.push_back(fixed(shown(arm, measure).mean, measure.digits));
  return fmt::format("{}", fmt::join(shares, " / "));
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

std::vector<std::string> published_row(const ArmSummary& arm, const Measure& measure, const PublishedValue& value) {
  const double scale = measure.percent ? 100 : 1;
  const Sample ours = shown(arm, measure);
  const auto text = [&](std::optional<double> number) {
    return number ? fixed(*number, measure.digits) : std::string();
  };
  return {arm.arm.label,
          head(measure),
          ours.n > 0 ? fixed(ours.mean, measure.digits) : "",
          text(ours.deviation),
          text(ours.population_deviation),
          ours.n > 0 ? std::to_string(ours.n) : "",
          fixed(value.mean * scale, measure.digits),
          value.deviation ? fixed(*value.deviation * scale, measure.digits) : "",
          ours.n > 0 ? fixed(ours.mean - value.mean * scale, measure.digits) : ""};
}

// The rows of one measure, an arm each.
void add_published_rows(const Summary& summary, const Measure& measure, Table& table) {
  const auto& published = summary.plan->study.published->arms;
  for (const ArmSummary& arm : summary.arms) {
    const auto values = published.find(arm.arm.name);
    if (values == published.end()) continue;
    const auto value = values->second.find(std::string(measure.key));
    if (value != values->second.end()) table.rows.push_back(published_row(arm, measure, value->second));
  }
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
  std::vector<Measure> plain;
  for (const Measure& measure : summary.measures)
    if (measure.in_main_table && !measure.is_region()) plain.push_back(measure);

  Table table{{{"arm", false}}, {}};
  for (const Measure& measure : plain) {
    table.columns.push_back({head(measure)});
    if (measure.key == train::compared.key) table.columns.push_back({"n"});
  }
  for (const std::string& parameter : summary.learned)
    table.columns.push_back({learned_name(parameter), true, false, parameter});
  if (summary.has_regions())
    table.columns.push_back({"closed / transition / open, %", true, false, "closed/trans/open %"});
  table.columns.push_back({"ms a step", true, true, "ms/step"});
  table.columns.push_back({"memory, MB", true, true, "MB"});

  for (const ArmSummary& arm : summary.arms) {
    std::vector<std::string> row = {call == Call::by_name ? arm.arm.name : arm.arm.label};
    for (const Measure& measure : plain) {
      row.push_back(with_spread(shown(arm, measure), measure.digits));
      if (measure.key == train::compared.key) row.push_back(std::to_string(arm.cells.size()));
    }
    for (const std::string& parameter : summary.learned) row.push_back(with_spread(arm.of(parameter), learned_digits));
    if (summary.has_regions()) row.push_back(region_shares(summary, arm));
    row.push_back(arm.step_seconds ? fixed(*arm.step_seconds * 1000, 1) : "");
    row.push_back(arm.peak_megabytes ? fixed(*arm.peak_megabytes, 0) : "");
    table.rows.push_back(row);
  }
  return table;
}

std::vector<std::string> legend(const Summary& summary) {
  std::vector<std::string> lines = {
      "Mean +- sample standard deviation over n seeds. Loss: nats a character; perplexity: exp of the loss."};
  if (summary.has_regions())
    lines.push_back("closed/trans/open: shares of pre-activations below, inside and above the transition.");
  lines.push_back("ms/step: median time of a training step; MB: peak memory of a run.");
  return lines;
}

std::vector<std::string> comparisons(const Summary& summary) {
  const ArmSummary* baseline = summary.baseline();
  std::vector<std::string> sentences;
  if (!baseline) return sentences;
  for (const ArmSummary& arm : summary.arms)
    if (&arm != baseline)
      sentences.push_back(
          study::sentence(arm.arm.name, baseline->arm.name, arm.against_baseline, train::compared.digits));
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
  for (const Measure& measure : train::measures)
    if (!measure.is_region()) add_published_rows(summary, measure, table);
  for (const std::string& parameter : summary.learned)
    add_published_rows(summary, learned_measure(parameter, learned_name(parameter)), table);
  for (const Measure& measure : train::measures)
    if (measure.is_region()) add_published_rows(summary, measure, table);
  return table;
}

Table cells_table(const Summary& summary) {
  Table table{{{"arm", false}, {"seed"}}, {}};
  std::vector<Measure> plain;
  for (const Measure& measure : summary.measures)
    if (!measure.is_region()) plain.push_back(measure);
  for (const Measure& measure : plain) table.columns.push_back({head(measure)});
  table.columns.push_back({"best iteration"});
  for (const std::string& parameter : summary.learned) table.columns.push_back({learned_name(parameter)});

  const auto text = [](const auto& values, std::string_view key, int digits, double scale) {
    const auto value = values.find(std::string(key));
    return value == values.end() ? std::string() : fixed(value->second * scale, digits);
  };
  for (const ArmSummary& arm : summary.arms) {
    for (const CellResult& cell : arm.cells) {
      std::vector<std::string> row = {arm.arm.label, std::to_string(cell.seed)};
      for (const Measure& measure : plain)
        row.push_back(text(cell.measured, measure.key, measure.digits, measure.percent ? 100 : 1));
      row.push_back(thousands(cell.best_iteration));
      for (const std::string& parameter : summary.learned)
        row.push_back(text(cell.learned, parameter, learned_digits, 1));
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
      "Validation loss is the mean cross-entropy in nats a character, of the best weights, estimated anew on fresh "
      "batches; perplexity is the mean over seeds of its exponential.",
      "Seeds are paired: all arms of a seed start from the same weights, wherever they have weights of one name and "
      "shape (gated forms have others in their feed-forward layers), and see the same batches. Differences are taken "
      "seed by seed; intervals are Student's t."};
  if (summary.arms.size() > 3)
    all.push_back(fmt::format(
        "Intervals are not corrected for multiple comparisons (here {}): where nothing differs, one in twenty "
        "still excludes 0 by chance.",
        summary.arms.size() - 1));
  if (summary.has_regions())
    all.push_back(
        "Regions: shares of pre-activations below, inside and above the transition, over all places of the model.");
  all.push_back(
      "Time a step is the median over evaluations and seeds, memory the largest peak of a process; both depend on the "
      "machine and on what else ran, and take no part in the comparison.");
  return all;
}

}  // namespace limen::report
