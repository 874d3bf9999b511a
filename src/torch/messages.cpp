// Part of limen. SPDX-License-Identifier: MIT
#include "torch/messages.h"

#include <charconv>
#include <cmath>
#include <vector>

#include "limen/names.h"
#include "limen/registry.h"

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

std::string domain(const Parameter& parameter) {
  const std::string name(parameter.name);
  const std::string order = parameter.closed ? " <= " : " < ";
  const bool below = std::isfinite(parameter.lower);
  const bool above = std::isfinite(parameter.upper);
  if (below && above) return text(parameter.lower) + order + name + order + text(parameter.upper);
  if (below) return name + (parameter.closed ? " >= " : " > ") + text(parameter.lower);
  if (above) return name + order + text(parameter.upper);
  return name + " finite";
}

std::string parameter_names(const ActivationInfo& info) {
  std::string names;
  for (std::size_t i = 0; i < info.parameter_count; ++i) {
    if (i > 0) names += ", ";
    names += info.parameter[i].name;
  }
  return names.empty() ? "none" : names;
}

std::string unknown_activation(std::string_view name, std::span<const std::string_view> spellings) {
  std::vector<std::string_view> known(spellings.begin(), spellings.end());
  for (const ActivationInfo& info : all_infos) known.push_back(info.name);
  return "the name of an activation was expected, \"" + std::string(name) + "\" came; the nearest known one is \"" +
         nearest(name, known) + "\"";
}

}  // namespace limen::op
