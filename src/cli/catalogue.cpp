// Part of limen. SPDX-License-Identifier: MIT
#include "cli/catalogue.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "cli/output.h"
#include "limen/torch.h"
#include "torch/messages.h"

namespace limen::cli {

std::string transform(const Parameter& p) {
  switch (p.learned) {
    case Learned::directly:
      return "raw";
    case Learned::softplus:
      return p.lower_learned == 0 ? "softplus(raw)" : digits(p.lower_learned) + " + softplus(raw)";
    case Learned::sigmoid:
      return "sigmoid(raw)";
    case Learned::no:
      break;
  }
  return "";
}

std::string describe(const Parameter& p) {
  const std::string domain = op::domain(p), learned = transform(p);
  return fmt::format("{}, default {}{}: {}", domain.empty() ? fmt::format("any {}", p.name) : domain, digits(p.initial),
                     learned.empty() ? "" : ", learned as " + learned, p.meaning);
}

std::string describe(const ErrorBound& bound) {
  return fmt::format("{} ulp, slopes {} ulp", digits(bound.value), digits(bound.slope));
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

std::vector<Spelling> spellings() {
  std::vector<Spelling> all;
  for (const char* const name : {"tuelu", "uelu3"}) {
    ActivationOptions meant;
    meant.name = name;
    meant = resolve(meant);
    Spelling spelling{name, meant.name, "", 0};
    if (!meant.learned.empty()) spelling.learned = meant.learned.front();
    if (!meant.learned.empty()) spelling.initial = meant.parameters.at(spelling.learned);
    all.push_back(spelling);
  }
  return all;
}

std::string describe(const Spelling& spelling) {
  if (spelling.learned.empty()) return spelling.activation;
  return fmt::format("{} with a learned {} that starts at {}", spelling.activation, spelling.learned,
                     digits(spelling.initial));
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
  text += "\nFurther names:";
  for (const Spelling& spelling : spellings()) text += fmt::format(" `{}` is {};", spelling.name, describe(spelling));
  text.back() = '.';
  text += "\n\n";
  for (const ActivationInfo& about : all_infos) text += section(about);
  text.pop_back();
  return text;
}

}  // namespace limen::cli
