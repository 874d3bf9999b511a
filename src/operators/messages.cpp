// Part of limen. SPDX-License-Identifier: MIT
#include "operators/messages.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

#include "limen/digits.h"
#include "limen/laws/empirical.h"
#include "limen/names.h"

namespace limen::op {

const ActivationInfo* find_info(std::string_view name) {
  if (name == laws::Empirical::transmission.name) return &laws::Empirical::transmission;
  const auto id = find(name);
  return id ? &info(*id) : nullptr;
}

std::string text(double number) { return shortest(number); }

std::string short_text(double number) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, number, std::chars_format::general, 6).ptr;
  return std::string(digits, end);
}

namespace {

/// "0 <= gamma <= 1", "beta > 0", "n < 3", "N = 1, 2, ..., 8"; "" without any bound.
std::string between_bounds(const Parameter& parameter) {
  const std::string name(parameter.name);
  if (parameter.integer)
    return name + " = " + text(parameter.lower) + ", " + text(parameter.lower + 1) + ", ..., " + text(parameter.upper);
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

std::string outside_domain(const Parameter& parameter, double number) {
  const bool technical = std::isfinite(number) && without_technical_limits(parameter).accepts(number);
  const std::string words = technical ? between_bounds(parameter) : domain(parameter);
  return "expected " + (words.empty() ? "a finite " + std::string(parameter.name) : words) + ", got " + text(number);
}

std::string parameter_names(const ActivationInfo& info) {
  std::string names;
  for (std::size_t i = 0; i < info.parameter_count; ++i) {
    if (i > 0) names += ", ";
    names += info.parameter[i].name;
  }
  return names;
}

std::string unknown_parameter(const ActivationInfo& info, std::string_view name) {
  const std::string got = ", got \"" + std::string(name) + "\"";
  if (info.parameter_count == 0) return "expected no parameter" + got;
  std::vector<std::string_view> known;
  for (std::size_t i = 0; i < info.parameter_count; ++i) known.push_back(info.parameter[i].name);
  return "expected a parameter (" + parameter_names(info) + ")" + got + "; try \"" + nearest(name, known) + "\"";
}

std::string unknown_activation(std::string_view name, Spellings spellings) {
  std::vector<std::string_view> known;
  if (spellings == Spellings::all)
    for (const Alias& alias : aliases) known.push_back(alias.name);
  for (const ActivationInfo& info : all_infos) known.push_back(info.name);
  if (spellings == Spellings::all) known.insert(known.end(), {"empirical(FILE)", "glu", "gated(silu)"});
  return "expected the name of an activation, got \"" + std::string(name) + "\"; try \"" + nearest(name, known) + "\"";
}

}  // namespace limen::op
