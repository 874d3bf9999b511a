// Part of limen. SPDX-License-Identifier: MIT
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "limen/torch.h"
#include "operators/learned.h"
#include "operators/messages.h"

namespace limen {
namespace {

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void replace_alias(ActivationOptions& options) {
  const Alias* const alias = find_alias(options.name);
  if (alias == nullptr) return;
  options.name = alias->activation;
  if (!alias->learned.empty() && !contains(options.learned, alias->learned))
    options.learned.emplace_back(alias->learned);
}

const ActivationInfo& known(std::string_view name) {
  if (const auto id = find(name)) return info(*id);
  throw Error("activation: " + op::unknown_activation(name, aliases));
}

const Parameter& known_parameter(const ActivationInfo& about, std::string_view name) {
  for (const Parameter& parameter : std::span(about.parameter, about.parameter_count))
    if (parameter.name == name) return parameter;
  throw Error(std::string(about.name) + ": " + op::unknown_parameter(about, name));
}

void check_value(const ActivationInfo& about, const Parameter& parameter, double value, bool learned) {
  const std::string where = std::string(about.name) + ": ";
  if (!parameter.accepts(value)) throw Error(where + op::outside_domain(parameter, value));
  if (learned && !op::can_start_at(parameter, value))
    throw Error(where + "expected " + op::learned_domain(parameter) + " for the start of a learned " +
                std::string(parameter.name) + ", got " + op::text(value));
}

void check_learned(const ActivationInfo& about, ActivationOptions& options) {
  const std::string where = std::string(about.name) + ": ";
  for (const std::string& name : options.learned)
    if (known_parameter(about, name).learned == Learned::no)
      throw Error(where + name + " cannot be learned; try a fixed number");
  std::sort(options.learned.begin(), options.learned.end());
  if (const auto twice = std::adjacent_find(options.learned.begin(), options.learned.end());
      twice != options.learned.end())
    throw Error(where + *twice + " is listed twice among the learned parameters");
  if (options.channels < 0) throw Error(where + "expected channels >= 0, got " + std::to_string(options.channels));
  if (options.channels > 0 && options.learned.empty())
    throw Error(where + "expected a learned parameter for channels = " + std::to_string(options.channels) +
                ", got none; try channels = 0");
}

}  // namespace

ActivationOptions resolve(ActivationOptions options) {
  replace_alias(options);
  const ActivationInfo& about = known(options.name);
  for (const auto& [name, value] : options.parameters) known_parameter(about, name);
  check_learned(about, options);
  for (const Parameter& parameter : std::span(about.parameter, about.parameter_count)) {
    const std::string name(parameter.name);
    const double value = options.parameters.try_emplace(name, parameter.initial).first->second;
    check_value(about, parameter, value, contains(options.learned, name));
  }
  return options;
}

}  // namespace limen
