// Part of limen. SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "report/content.h"
#include "report/render.h"

namespace limen::report {
namespace {

std::string list(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += fmt::format("- {}\n", line);
  return text;
}

std::string section(std::string_view title, const std::string& body) {
  return body.empty() ? "" : fmt::format("\n## {}\n\n{}", title, body);
}

std::string table_or_nothing(const Table& table) { return table.rows.empty() ? "" : as_markdown(table); }

}  // namespace

std::string markdown_text(const Summary& summary, const std::vector<Figure>& figures, const std::string& note) {
  const study::Study& study = summary.plan->study;
  std::string text = fmt::format("# {}\n\nStudy `{}`.\n", study.title, study.name);
  for (const std::string& notice : notices(summary)) text += fmt::format("\n> **{}**\n", notice);
  text += fmt::format("\n{}", as_markdown(main_table(summary)));
  text += section("Differences", list(comparisons(summary)));
  std::string pictures = note.empty() ? "" : note + "\n";
  if (note.empty())
    for (const Figure& figure : figures)
      pictures += fmt::format("{}![{}](figures/{}.svg)\n\n{}\n", pictures.empty() ? "" : "\n", figure.title,
                              figure.name, figure.caption);
  text += section("Curves", pictures);
  text += section("Not done", table_or_nothing(unfinished_table(summary)));
  if (const std::string table = table_or_nothing(published_table(summary)); !table.empty())
    text += section("Beside published values",
                    fmt::format("{} (n = {}).\n\n{}", study.published->source, study.published->n, table));
  text += section("Every cell", table_or_nothing(cells_table(summary)));
  text += section("How to read this", list(method(summary)));
  text += section("Where it ran", list(summary.machines));
  return text;
}

}  // namespace limen::report
