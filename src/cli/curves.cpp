// Part of limen. SPDX-License-Identifier: MIT
#include "cli/curves.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

#include "cli/arguments.h"
#include "cli/catalogue.h"
#include "cli/symbols.h"
#include "limen/error.h"
#include "limen/names.h"

namespace limen::cli {
namespace {

using Pick = std::function<std::optional<double>(const Quantities<double>&)>;

constexpr std::string_view parameter_slope = "d/";

/// Everything that the activation has, for a message.
std::vector<std::string> known_quantities(const Member& chosen) {
  std::vector<std::string> known;
  const auto q = chosen.at(0.5);
  for (const Quantity& quantity : all_quantities)
    if (quantity.pick(q)) known.emplace_back(quantity.name);
  for (const Parameter& p : parameters(chosen.info()))
    if (!p.integer) known.push_back(fmt::format("{}{}", parameter_slope, p.name));
  return known;
}

Pick to_pick(const Member& chosen, const std::string& quantity) {
  const std::string_view name = chosen.info().name;
  const auto known = known_quantities(chosen);
  if (std::ranges::find(known, quantity) == known.end()) {
    const bool elsewhere = find_quantity(quantity);  // then another name is not what was meant
    throw Error(fmt::format("{}: expected one of {}, which there are of it, got '{}'{}", name, fmt::join(known, ", "),
                            quantity, elsewhere ? "" : fmt::format("; try '{}'", nearest(quantity, known))));
  }
  if (const Quantity* found = find_quantity(quantity)) return found->pick_double;
  const auto all = parameters(chosen.info());
  const auto found = std::ranges::find(all, quantity.substr(parameter_slope.size()), &Parameter::name);
  const auto k = static_cast<std::size_t>(found - all.begin());
  return [k](const Quantities<double>& q) { return q.parameter_slopes[k]; };
}

figures::Curve curve_of(const Member& chosen, const Pick& pick) {
  figures::Curve curve;
  curve.at = [chosen, pick](double z) { return pick(chosen.at(z)); };
  curve.breaks = {0};
  if (const auto law = chosen.distribution())
    for (const double end : {law->lower, law->upper})
      if (std::isfinite(end)) curve.breaks.push_back(end);
  constexpr std::size_t visible = 500;  // More quantiles are no longer told apart.
  if (chosen.law()) {
    const auto quantiles = chosen.law()->quantiles();
    for (std::size_t i = 0; i < quantiles.size(); ++i)  // Equal ones are a jump.
      if (quantiles.size() <= visible || (i > 0 && quantiles[i] == quantiles[i - 1]))
        curve.breaks.push_back(quantiles[i]);
  }
  for (const double p : {0.001, 0.01, 0.05, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95, 0.99, 0.999})
    if (const auto z = chosen.quantile(p)) curve.guides.push_back(*z);
  return curve;
}

/// The title with the parameters that were spelled.
std::string name_of(const Member& chosen, std::string_view spelled) {
  const ActivationInfo& about = chosen.info();
  std::string name = with_greek(about.title);
  if (chosen.law())
    return fmt::format("{} ({})", name, std::filesystem::path(take_apart(spelled).inside).filename().string());
  for (const std::string& setting : split(take_apart(spelled).inside, ','))
    for (std::size_t k = 0; k < about.parameter_count; ++k)
      if (trim(setting.substr(0, setting.find('='))) == about.parameter[k].name)
        name += fmt::format(", *{}* = {}", greek(about.parameter[k].name), typeset(chosen.parameters()[k]));
  return name;
}

/// The first such character outside of brackets.
std::size_t find_outside(std::string_view text, char wanted) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += (text[i] == '(') - (text[i] == ')');
    if (depth == 0 && text[i] == wanted) return i;
  }
  return text.size();
}

}  // namespace

NamedCurve to_curve(const std::string& text) {
  const std::string spelling = text.substr(0, find_outside(text, '='));
  const std::size_t colon = find_outside(spelling, ':');
  const std::string spelled = spelling.substr(0, colon);
  const std::string quantity =
      colon < spelling.size() ? spelling.substr(colon + 1) : std::string(all_quantities[0].name);
  const std::string label = spelling.size() < text.size() ? text.substr(spelling.size() + 1) : "";
  if (spelling.size() < text.size()) expect_line(label, "the label of " + spelling);
  const Member chosen = choose(spelled, {}, {});
  return {.chosen = chosen,
          .curve = curve_of(chosen, to_pick(chosen, quantity)),
          .spelling = spelling,
          .quantity = quantity,
          .name = name_of(chosen, spelled),
          .label = label};
}

std::string axis_label(const std::string& quantity) {
  if (const Quantity* found = find_quantity(quantity)) return std::string(found->axis);
  return fmt::format("slope in *{}*", greek(quantity.substr(parameter_slope.size())));
}

std::string legend(const NamedCurve& curve, bool with_quantity) {
  if (!curve.label.empty()) return curve.label;
  if (!with_quantity || curve.quantity == all_quantities[0].name) return curve.name;
  const Quantity* const found = find_quantity(curve.quantity);
  return fmt::format("{} of {}", found ? std::string(found->legend) : axis_label(curve.quantity), curve.name);
}

std::string slope_formula(const NamedCurve& curve) {
  const ActivationInfo& about = curve.chosen.info();
  if (curve.quantity == all_quantities[0].name) return std::string(about.slope);
  const Quantity* const found = find_quantity(curve.quantity);
  if (!found) return "d/dz " + curve.quantity;
  return std::string(found->slope == "F(z)" && !about.gate.empty() ? about.gate : found->slope);
}

}  // namespace limen::cli
