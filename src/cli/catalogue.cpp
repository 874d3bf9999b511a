// Part of limen. SPDX-License-Identifier: MIT
#include "cli/catalogue.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "cli/curves.h"
#include "cli/facts.h"
#include "cli/law_facts.h"
#include "limen/digits.h"
#include "limen/evaluate.h"
#include "operators/messages.h"

namespace limen::cli {

std::string transform(const Parameter& p) {
  switch (p.learned) {
    case Learned::directly:
      return "raw";
    case Learned::softplus:
      return (p.lower_learned == 0 ? "" : shortest(p.lower_learned) + " + ") +
             (p.temperature == 1 ? "softplus(raw)" : "softplus(raw / " + shortest(p.temperature) + ")");
    case Learned::sigmoid:
      return "sigmoid(raw)";
    case Learned::no:
      break;
  }
  return "";
}

std::string describe(const Parameter& p) {
  const std::string domain = op::domain(p), learned = transform(p);
  const std::string start = p.start() == p.initial ? "" : " from " + shortest(p.start());
  return fmt::format("{}, default {}{}: {}", domain.empty() ? fmt::format("any {}", p.name) : domain,
                     shortest(p.initial), learned.empty() ? "" : ", learned as " + learned + start, p.meaning);
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
    if (p.name == alias.learned) return p.start();
  return 0;
}

std::string describe(const Alias& alias) {
  if (alias.learned.empty()) return std::string(alias.activation);
  return fmt::format("{} with a learned {} that starts at {}{}", alias.activation, alias.learned,
                     shortest(initial(alias)), alias.shared ? " and that all sites of a model share" : "");
}

namespace {

std::string join(const std::vector<std::string_view>& names) { return fmt::format("{}", fmt::join(names, ", ")); }

std::string in_code(std::string_view formula) { return fmt::format("`{}`", formula); }

NamedCurve curve_of(const ActivationInfo& about) { return to_curve(std::string(about.name)); }

std::string describe_loss(std::string_view loss) {
  if (loss == "inf") return "infinite";
  if (loss.empty()) return "without a closed form";
  return loss.starts_with("the ") ? std::string(loss) : in_code(loss);
}

std::string law_lines(const ActivationInfo& about) {
  if (about.law.empty()) return "- threshold: none\n";
  const ActivationId id = *find(about.name);
  const NamedCurve curve = curve_of(about);
  const std::string_view fixed = curve.chosen.distribution()->maximum_entropy;
  std::string text = fmt::format("- threshold: {}, on {}\n", about.law, support(id));
  text += fmt::format("- gate `F(z)`: {}\n- loss `E(z - T)+`: {}\n", in_code(about.gate), describe_loss(about.loss));
  text += fmt::format("- threshold's mean {}, variance {}, entropy {}", in_code(mean_formula(id)),
                      in_code(variance_formula(id)), in_code(entropy_formula(id)));
  return text + (fixed.empty() ? "\n" : fmt::format(": the largest for fixed {}\n", fixed));
}

std::string section(const ActivationInfo& about) {
  std::string text = fmt::format("## {0}\n\n![{1}: value{2}](images/functions/{0}.svg)\n\n", about.name, about.title,
                                 about.law.empty() ? " and slope" : ", slope and gate");
  text += fmt::format("{}: `{}`\n\n", about.title, about.formula);
  text += fmt::format("- slope: `{}`\n", about.slope) + law_lines(about);
  for (const Parameter& p : parameters(about)) text += fmt::format("- `{}`: {}\n", p.name, describe(p));
  const figures::Curve curve = curve_of(about).curve;
  text += fmt::format("- at -inf: `{}`; at inf{}: `{}`; minimum{}: {}\n", about.limit,
                      about.parameter_count > 0 ? ", at the defaults" : "", behaviour(curve, true),
                      about.parameter_count > 0 ? " there" : "", minimum(curve));
  return text + fmt::format("- error at most: {}\n- reference: {}\n\n", describe(about.bound), about.reference);
}

}  // namespace

std::string functions_page() {
  std::string text = R"(# Functions

<!-- Written by scripts/pictures from the registry; a test compares the two. Do not edit. -->

Every activation that limen knows. `z` is the input, `F` the distribution function of the threshold `T`, `Phi` and
`phi` are the normal law's distribution function and density, `log` and `ln` natural logarithms; entropies are in nats.
Pictures show the defaults. Errors are largest ones in units in the last place (slopes: of their largest term). NaN
gives NaN, +inf gives +inf with slope 1, -inf gives the limit listed. A minimum is one below both limits.

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
  text += "\n\nBesides these:\n\n";
  for (const FurtherName& further : further_names)
    text += fmt::format("- `{}`: `{}`; {}\n", further.name, further.formula, further.meaning);
  text += '\n';
  for (const ActivationInfo& about : all_infos) text += section(about);
  text.pop_back();
  return text;
}

}  // namespace limen::cli
