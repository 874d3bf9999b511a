// Part of limen. SPDX-License-Identifier: MIT
#include <fmt/ranges.h>

#include <memory>
#include <utility>

#include "cli/catalogue.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "io/json.h"

namespace limen::cli {
namespace {

/// "name text", the text broken between words to fit 100 columns; a long name has a line of its own.
std::string entry(std::string_view name, std::string_view text) {
  constexpr std::size_t indent = 18, width = 100 - indent;
  std::string lines;
  if (name.size() >= indent) lines = fmt::format("{}\n", std::exchange(name, ""));
  while (!text.empty()) {
    std::size_t end = text.size() <= width ? text.size() : text.rfind(' ', width);
    if (end == text.npos) end = std::min(text.find(' '), text.size());
    lines += fmt::format("{:<{}}{}\n", name, indent, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    name = "";
  }
  return lines;
}

std::string text_list() {
  std::string text;
  for (const ActivationInfo& about : all_infos) {
    text += entry(about.name, about.formula) + entry("  slope", about.slope);
    if (!about.law.empty()) text += entry("  threshold", about.law) + entry("  gate", about.gate);
    for (const Parameter& p : parameters(about)) text += entry("  parameter", describe(p));
    text += entry("  at -inf", about.limit) + entry("  error", describe(about.bound)) +
            entry("  reference", about.reference) + '\n';
  }
  for (const Alias& alias : aliases) text += entry(alias.name, describe(alias));
  for (const FurtherName& further : further_names)
    text += entry(further.name, fmt::format("{}; {}", further.formula, further.meaning));
  text += "\nLaws of the threshold\n";
  for (const auto& [law, names] : laws())
    text += entry(fmt::format("  {}", law), fmt::format("{}", fmt::join(names, ", ")));
  return text;
}

io::Json json(const Parameter& p) {
  return {{"name", p.name},
          {"default", io::number(p.initial)},
          {"lower", io::number(p.lower)},
          {"upper", io::number(p.upper)},
          {"closed", p.closed},
          {"integer", p.integer},
          {"meaning", p.meaning},
          {"learned_as", p.learned == Learned::no ? io::Json() : io::Json(transform(p))},
          {"learned_from", p.learned == Learned::no ? io::Json() : io::number(p.start())}};
}

io::Json json(const ActivationInfo& about) {
  io::Json all = io::Json::array();
  for (const Parameter& p : parameters(about)) all.push_back(json(p));
  const auto text_or_null = [](std::string_view text) { return text.empty() ? io::Json() : io::Json(text); };
  return {{"name", about.name},
          {"title", about.title},
          {"formula", about.formula},
          {"slope", about.slope},
          {"law", text_or_null(about.law)},
          {"gate", text_or_null(about.gate)},
          {"loss", text_or_null(about.loss)},
          {"parameters", all},
          {"limit", about.limit},
          {"bound", {{"value", about.bound.value}, {"slope", about.bound.slope}}},
          {"reference", about.reference}};
}

io::Json json(const Alias& alias) {
  io::Json all{{"name", alias.name}, {"activation", alias.activation}};
  if (!alias.learned.empty()) all["learned"] = {{alias.learned, initial(alias)}};
  if (alias.shared) all["scope"] = "model";
  return all;
}

std::string json_list() {
  io::Json activations = io::Json::array(), all_aliases = io::Json::array(), all_laws = io::Json::array();
  io::Json further = io::Json::array();
  for (const FurtherName& name : further_names)
    further.push_back({{"name", name.name}, {"formula", name.formula}, {"meaning", name.meaning}});
  for (const ActivationInfo& about : all_infos) activations.push_back(json(about));
  for (const Alias& alias : aliases) all_aliases.push_back(json(alias));
  for (const auto& [law, names] : laws()) all_laws.push_back({{"name", law}, {"activations", names}});
  return io::Json{{"activations", activations}, {"aliases", all_aliases}, {"further", further}, {"laws", all_laws}}
             .dump(2) +
         '\n';
}

struct ListArguments {
  bool json = false;
  bool markdown = false;
};

}  // namespace

void add_list(CLI::App& program, Verbs& verbs) {
  const auto arguments = std::make_shared<ListArguments>();
  CLI::App& verb = add_verb(program, "list", "Every law and activation: formula, parameters, limits, error bound");
  CLI::Option* const as_json = verb.add_flag("--json", arguments->json, "one JSON object");
  verb.add_flag("--markdown", arguments->markdown, "the page docs/functions.md")->excludes(as_json);
  verb.footer("Examples:\n  limen list\n  limen list --json | python3 -m json.tool");
  verbs.push_back({&verb, [arguments] {
                     print(arguments->json ? json_list() : arguments->markdown ? functions_page() : text_list());
                     return 0;
                   }});
}

}  // namespace limen::cli
