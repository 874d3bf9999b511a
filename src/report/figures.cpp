// Part of limen. SPDX-License-Identifier: MIT
#include "report/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>

#include "report/content.h"

namespace limen::report {
namespace {

using Value = std::function<double(const Point&)>;

// The cell's value at an iteration, or none where it was not evaluated or is not finite.
std::optional<double> value_at(const CellResult& cell, std::int64_t iteration, const Value& value) {
  const auto point = std::ranges::find(cell.curve, iteration, &Point::iteration);
  if (point == cell.curve.end() || !std::isfinite(value(*point))) return {};
  return value(*point);
}

SeriesPoint point_of(std::int64_t iteration, const std::vector<double>& values) {
  const study::Sample sample = study::sample(values);
  const double spread = sample.deviation.value_or(0);
  return {static_cast<double>(iteration), sample.mean, sample.mean - spread, sample.mean + spread};
}

// Mean and spread over the done cells, at the iterations where all of them have a value.
std::vector<SeriesPoint> mean_curve(const std::vector<CellResult>& cells, const Value& value) {
  std::vector<SeriesPoint> points;
  if (cells.empty()) return points;
  for (const Point& at : cells.front().curve) {
    std::vector<double> values;
    for (const CellResult& cell : cells)
      if (const auto found = value_at(cell, at.iteration, value)) values.push_back(*found);
    if (values.size() == cells.size()) points.push_back(point_of(at.iteration, values));
  }
  return points;
}

// The same for the differences to the baseline's cells of the same seeds.
std::vector<SeriesPoint> difference_curve(const ArmSummary& arm, const ArmSummary& baseline, const Value& value) {
  std::vector<std::pair<const CellResult*, const CellResult*>> pairs;
  for (const CellResult& cell : arm.cells)
    for (const CellResult& other : baseline.cells)
      if (cell.seed == other.seed) pairs.emplace_back(&cell, &other);
  std::vector<SeriesPoint> points;
  if (pairs.empty()) return points;
  for (const Point& at : pairs.front().first->curve) {
    std::vector<double> differences;
    for (const auto& [cell, other] : pairs) {
      const auto ours = value_at(*cell, at.iteration, value), theirs = value_at(*other, at.iteration, value);
      if (ours && theirs) differences.push_back(*ours - *theirs);
    }
    if (differences.size() == pairs.size()) points.push_back(point_of(at.iteration, differences));
  }
  return points;
}

int color_of(const Summary& summary, const ArmSummary& arm) {
  const auto& arms = summary.plan->study.arms;
  return static_cast<int>(std::ranges::find(arms, arm.arm.name, &study::Arm::name) - arms.begin());
}

double validation_loss(const Point& point) { return point.validation_loss; }

Figure loss_figure(const Summary& summary) {
  Figure figure{"validation_loss",
                "Validation loss",
                "Mean over seeds; bands are one sample standard deviation.",
                "validation loss",
                {}};
  for (const ArmSummary& arm : summary.arms)
    figure.series.push_back({arm.arm.label, color_of(summary, arm), mean_curve(arm.cells, validation_loss)});
  // The first evaluation, before training, is far above all others and would press them together.
  for (const Series& series : figure.series)
    if (series.points.size() > 3) figure.y_top = std::max(figure.y_top, series.points[1].high);
  if (figure.y_top > 0) figure.caption += " The loss before training lies above the picture.";
  return figure;
}

Figure difference_figure(const Summary& summary) {
  const ArmSummary* baseline = summary.baseline();
  Figure figure{"difference",
                "",
                "Validation loss minus the baseline's, seed by seed, then averaged: below 0 is better. Bands are one "
                "sample standard deviation of the differences.",
                "",
                {},
                true};
  if (!baseline) return figure;
  figure.title = fmt::format("Difference to {}", baseline->arm.label);
  figure.y_label = fmt::format("validation loss minus {}'s", baseline->arm.name);
  for (const ArmSummary& arm : summary.arms)
    if (&arm != baseline)
      figure.series.push_back(
          {arm.arm.label, color_of(summary, arm), difference_curve(arm, *baseline, validation_loss)});
  return figure;
}

Figure learned_figure(const Summary& summary, const std::string& parameter) {
  std::string title = learned_name(parameter);
  Figure figure{"learned_" + parameter, "", "Mean over seeds; the band is one sample standard deviation.", title, {}};
  title[0] = 'L';
  figure.title = title;
  for (const ArmSummary& arm : summary.arms)
    if (arm.learned.contains(parameter))
      figure.series.push_back({arm.arm.label, color_of(summary, arm), mean_curve(arm.cells, [&](const Point& point) {
                                 const auto value = point.learned.find(parameter);
                                 return value == point.learned.end() ? std::numeric_limits<double>::quiet_NaN()
                                                                     : value->second;
                               })});
  return figure;
}

}  // namespace

std::vector<Figure> figures(const Summary& summary) {
  std::vector<Figure> all = {loss_figure(summary), difference_figure(summary)};
  for (const std::string& parameter : summary.learned) all.push_back(learned_figure(summary, parameter));
  for (Figure& figure : all) std::erase_if(figure.series, [](const Series& series) { return series.points.empty(); });
  std::erase_if(all, [](const Figure& figure) { return figure.series.empty(); });
  return all;
}

}  // namespace limen::report
