// Part of limen. SPDX-License-Identifier: MIT
#include "cli/catalogue.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "limen/digits.h"
#include "operators/messages.h"

namespace limen::cli {

std::string transform(const Parameter& p) {
  switch (p.learned) {
    case Learned::directly:
      return "raw";
    case Learned::softplus:
      return p.lower_learned == 0 ? "softplus(raw)" : shortest(p.lower_learned) + " + softplus(raw)";
    case Learned::sigmoid:
      return "sigmoid(raw)";
    case Learned::no:
      break;
  }
  return "";
}

std::string describe(const Parameter& p) {
  const std::string domain = op::domain(p), learned = transform(p);
  return fmt::format("{}, default {}{}: {}", domain.empty() ? fmt::format("any {}", p.name) : domain,
                     shortest(p.initial), learned.empty() ? "" : ", learned as " + learned, p.meaning);
}

std::string describe(const ErrorBound& bound) {
  return fmt::format("{} ulp, slopes {} ulp", shortest(bound.value), shortest(bound.slope));
}

std::vector<std::pair<std::string_view, std::vector<std::string_view>>> laws() {
  std::vector<std::pair<std::string_view, std::vector<std::string_view>>> laws;
  for (const ActivationInfo& about : all_infos) {
    if (about.law.empty()) continue;
    auto law = std::find_if(laws.begin(), laws.end(), [&](const auto& known) { return known.first == about.law; });
    if (law == laws.end()) law = laws.insert(laws.end(), {about.law, {}});
    law->second.push_back(about.name);
  }
  return laws;
}

double initial(const Alias& alias) {
  for (const Parameter& p : parameters(info(*find(alias.activation))))
    if (p.name == alias.learned) return p.initial;
  return 0;
}

std::string describe(const Alias& alias) {
  if (alias.learned.empty()) return std::string(alias.activation);
  return fmt::format("{} with a learned {} that starts at {}{}", alias.activation, alias.learned,
                     shortest(initial(alias)), alias.shared ? " and that all sites of a model share" : "");
}

namespace {

std::string join(const std::vector<std::string_view>& names) { return fmt::format("{}", fmt::join(names, ", ")); }

std::string section(const ActivationInfo& about) {
  std::string text = fmt::format("## {}\n\n`{}`\n\n", about.name, about.formula);
  text += fmt::format("- threshold: {}\n", about.law.empty() ? "none" : about.law);
  for (const Parameter& p : parameters(about)) text += fmt::format("- `{}`: {}\n", p.name, describe(p));
  text += fmt::format("- limit at -inf: `{}`\n", about.limit);
  return text + fmt::format("- error at most: {}\n- reference: {}\n\n", describe(about.bound), about.reference);
}

}  // namespace

std::string functions_page() {
  std::string text = R"(# Functions

<!-- Written by `limen list --markdown` from the registry; a test compares the two. Do not edit. -->

Every activation that limen knows. `z` is the input, `F` the distribution function of the threshold, `Phi` and `phi`
are the normal law's distribution function and density. Errors are largest ones in units in the last place (slopes: of
their largest term). NaN gives NaN, +inf gives +inf with slope 1, -inf gives the limit listed.

| activation | formula | threshold | parameters |
|---|---|---|---|
)";
  for (const ActivationInfo& about : all_infos) {
    std::vector<std::string_view> names;
    for (const Parameter& p : parameters(about)) names.push_back(p.name);
    text += fmt::format("| [{0}](#{0}) | `{1}` | {2} | {3} |\n", about.name, about.formula, about.law, join(names));
  }
  text += "\nAliases:";
  for (const Alias& alias : aliases) text += fmt::format(" `{}` is {};", alias.name, describe(alias));
  text.back() = '.';
  text += "\n\n";
  for (const ActivationInfo& about : all_infos) text += section(about);
  text.pop_back();
  return text;
}

}  // namespace limen::cli
