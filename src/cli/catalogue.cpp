// Part of limen. SPDX-License-Identifier: MIT
#include "cli/catalogue.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "cli/curves.h"
#include "cli/facts.h"
#include "limen/digits.h"
#include "operators/messages.h"
#include "report/table.h"

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
std::string in_code(const Stated& cell) { return cell.formula ? in_code(std::string_view(cell.text)) : cell.text; }

NamedCurve curve_of(const ActivationInfo& about) { return to_curve(std::string(about.name)); }

/// "[-1.25, 1.25] at beta = 1.25"
std::string support(const Member& chosen) {
  const Distribution law = *chosen.distribution();
  if (std::isinf(law.lower) && std::isinf(law.upper)) return "the real line";
  if (law.lower == law.upper) return fmt::format("{:.6g} alone", law.lower);
  if (std::isinf(law.upper)) return fmt::format("[{:.6g}, inf)", law.lower);
  const std::string at = settings_of(chosen);
  return fmt::format("[{:.6g}, {:.6g}]{}{}", law.lower, law.upper, at.empty() ? "" : " at ", at);
}

std::string law_lines(const ActivationInfo& about) {
  if (about.law.empty()) return "- threshold: none\n";
  const Member chosen = curve_of(about).chosen;
  std::string text = fmt::format("- threshold: {}, on {}\n", about.law, support(chosen));
  text += fmt::format("- gate `F(z)`: {}\n- loss `E(z - T)+`: {}\n", in_code(about.gate), in_code(loss_of(about)));
  text += fmt::format("- threshold's mean: {}; variance: {}; entropy: {}", in_code(fact(about.mean)),
                      in_code(fact(about.variance)), in_code(fact(about.entropy)));
  const bool largest = !chosen.distribution()->maximum_entropy.empty();
  return text + (largest ? fmt::format(", the largest given {}\n", in_code(entropy_given(chosen))) : "\n");
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
                      about.parameter_count > 0 ? " there" : "", minimum(curve).text);
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

)";
  report::Table table{{{"activation", false}, {"formula", false}, {"threshold", false}, {"parameters", false}}, {}};
  for (const ActivationInfo& about : all_infos) {
    std::vector<std::string_view> names;
    for (const Parameter& p : parameters(about)) names.push_back(p.name);
    table.rows.push_back(
        {fmt::format("[{0}](#{0})", about.name), in_code(about.formula), std::string(about.law), join(names)});
  }
  text += report::as_markdown(table);
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
