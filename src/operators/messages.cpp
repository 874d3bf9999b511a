// Part of limen. SPDX-License-Identifier: MIT
#include "operators/messages.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

#include "limen/names.h"

namespace limen::op {

std::string text(double number) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  return std::string(digits, end);
}

std::string short_text(double number) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, number, std::chars_format::general, 6).ptr;
  return std::string(digits, end);
}

namespace {

/// "0 <= gamma <= 1", "beta > 0", "n < 3"; "" without any bound.
std::string between_bounds(const Parameter& parameter) {
  const std::string name(parameter.name);
  const std::string order = parameter.closed ? " <= " : " < ";
  const bool below = std::isfinite(parameter.lower);
  const bool above = std::isfinite(parameter.upper);
  if (below && above) return text(parameter.lower) + order + name + order + text(parameter.upper);
  if (below) return name + (parameter.closed ? " >= " : " > ") + text(parameter.lower);
  return above ? name + order + text(parameter.upper) : "";
}

/// The parameter with the bounds that mathematics gives it.
Parameter without_technical_limits(Parameter parameter) {
  if (parameter.lower == narrowest) parameter.lower = 0;
  if (parameter.lower == -widest) parameter.lower = -std::numeric_limits<double>::infinity();
  if (parameter.upper == widest) parameter.upper = std::numeric_limits<double>::infinity();
  return parameter;
}

}  // namespace

std::string domain(const Parameter& parameter) { return between_bounds(without_technical_limits(parameter)); }

std::string expected_domain(const Parameter& parameter, double rejected) {
  if (std::isfinite(rejected) && without_technical_limits(parameter).accepts(rejected))
    return between_bounds(parameter);
  const std::string words = domain(parameter);
  return words.empty() ? "finite " + std::string(parameter.name) : words;
}

std::string parameter_names(const ActivationInfo& info) {
  std::string names;
  for (std::size_t i = 0; i < info.parameter_count; ++i) {
    if (i > 0) names += ", ";
    names += info.parameter[i].name;
  }
  return names.empty() ? "none" : names;
}

std::string unknown_activation(std::string_view name, std::span<const Alias> aliases) {
  std::vector<std::string_view> known;
  for (const Alias& alias : aliases) known.push_back(alias.name);
  for (const ActivationInfo& info : all_infos) known.push_back(info.name);
  return "the name of an activation was expected, \"" + std::string(name) + "\" came; the nearest known one is \"" +
         nearest(name, known) + "\"";
}

}  // namespace limen::op
