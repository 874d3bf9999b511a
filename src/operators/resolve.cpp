// Part of limen. SPDX-License-Identifier: MIT
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "limen/names.h"
#include "limen/registry.h"
#include "limen/torch.h"
#include "operators/learned.h"
#include "operators/messages.h"

namespace limen {
namespace {

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// "gated(silu)" is silu in the gated form, "glu" the gate of silu alone.
void take_form(ActivationOptions& options) {
  const Spelled spelled = take_apart(options.name);
  if (spelled.name == "gated") {
    if (spelled.inside.empty()) throw Error("gated: expected an activation in parentheses, got none; try gated(silu)");
    options.form = Form::gated;
    options.name = std::string(spelled.inside);
    if (options.name == "glu" || options.name.starts_with("gated("))
      throw Error("gated: expected an activation of one input in parentheses, got " + options.name +
                  "; try gated(silu)");
  } else if (options.name == "glu") {
    options.form = Form::glu;
    options.name = laws::Logistic::transmission.name;
  }
}

void replace_alias(ActivationOptions& options) {
  const Alias* const alias = find_alias(options.name);
  if (alias == nullptr) return;
  options.name = alias->activation;
  if (!alias->learned.empty() && !contains(options.learned, alias->learned))
    options.learned.emplace_back(alias->learned);
}

const ActivationInfo& known(std::string_view name) {
  if (const ActivationInfo* const about = op::find_info(name)) return *about;
  throw Error("activation: " + op::unknown_activation(name, op::Spellings::all));
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

void check_law(const ActivationInfo& about, const ActivationOptions& options) {
  const bool of_data = &about == &laws::Empirical::transmission;
  if (of_data && !options.law)
    throw Error("empirical: expected a law, got none; try empirical(FILE), a file with samples of the threshold");
  if (!of_data && options.law)
    throw Error(std::string(about.name) + ": expected no law given as data; try the name \"empirical\"");
  if (options.form == Form::glu && about.name != laws::Logistic::transmission.name)
    throw Error("glu: expected the name silu, whose gate it is, got " + std::string(about.name) + "; try gated(" +
                std::string(about.name) + ")");
  if (options.form == Form::glu && (options.sampled || options.channels > 0))
    throw Error("glu: expected neither drawn thresholds nor channels; try gated(silu)");
  if (options.sampled && about.law.empty())
    throw Error(std::string(about.name) +
                ": expected an activation with a law, whose thresholds can be drawn; try "
                "sampled = false");
}

}  // namespace

ActivationOptions resolve(ActivationOptions options) {
  take_form(options);
  replace_alias(options);
  const ActivationInfo& about = known(options.name);
  check_law(about, options);
  for (const auto& [name, value] : options.parameters) known_parameter(about, name);
  check_learned(about, options);
  for (const Parameter& parameter : std::span(about.parameter, about.parameter_count)) {
    const std::string name(parameter.name);
    const bool learned = contains(options.learned, name);
    const double initial = learned ? parameter.start() : parameter.initial;
    check_value(about, parameter, options.parameters.try_emplace(name, initial).first->second, learned);
  }
  return options;
}

}  // namespace limen
