// Part of limen. SPDX-License-Identifier: MIT
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "limen/names.h"
#include "limen/torch.h"
#include "operators/learned.h"
#include "operators/messages.h"

namespace limen {
namespace {

std::string_view parameter_name(const Parameter& parameter) { return parameter.name; }

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
  throw Error(op::unknown_activation(name, aliases));
}

const Parameter& known_parameter(const ActivationInfo& about, std::string_view name) {
  const std::span all(about.parameter, about.parameter_count);
  const auto found = std::ranges::find(all, name, parameter_name);
  if (found != all.end()) return *found;
  std::string sentence = "a parameter of " + std::string(about.name) + " was expected (" + op::parameter_names(about) +
                         "), \"" + std::string(name) + "\" came";
  const auto names = all | std::views::transform(parameter_name);
  if (!all.empty()) sentence += "; the nearest known one is \"" + nearest(name, names) + "\"";
  throw Error(sentence);
}

void check_value(const ActivationInfo& about, const Parameter& parameter, double value, bool learned) {
  const std::string where = std::string(parameter.name) + " of " + std::string(about.name);
  if (!parameter.accepts(value))
    throw Error(where + " with " + op::expected_domain(parameter, value) + " was expected, " + op::text(value) +
                " came");
  if (!learned || op::can_start_at(parameter, value)) return;
  throw Error("a start value of the learned " + where + " that a raw number reaches was expected (" +
              op::learned_domain(parameter) + "), " + op::text(value) + " came");
}

void check_learned(const ActivationInfo& about, ActivationOptions& options) {
  for (const std::string& name : options.learned)
    if (known_parameter(about, name).learned == Learned::no)
      throw Error("a parameter that can be learned was expected, " + name + " of " + options.name +
                  " came, which cannot; give it a number");
  std::sort(options.learned.begin(), options.learned.end());
  if (const auto twice = std::adjacent_find(options.learned.begin(), options.learned.end());
      twice != options.learned.end())
    throw Error("each learned parameter once was expected, " + *twice + " of " + options.name + " came twice");
  if (options.channels < 0 || (options.channels > 0 && options.learned.empty()))
    throw Error("channels = 0, or a number of channels with a learned parameter, was expected for " + options.name +
                "; channels = " + std::to_string(options.channels) + " came" +
                (options.learned.empty() ? " and nothing is learned" : ""));
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
