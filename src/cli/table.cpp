// Part of limen. SPDX-License-Identifier: MIT
#include "report/table.h"

#include <fmt/format.h>

#include <limits>
#include <memory>

#include "cli/catalogue.h"
#include "cli/curves.h"
#include "cli/facts.h"
#include "cli/output.h"
#include "cli/symbols.h"
#include "cli/verbs.h"
#include "io/csv.h"

namespace limen::cli {
namespace {

using report::Table;

struct Looks {
  bool markdown = false, latex = false, csv = false;
};

struct Facts {
  std::vector<std::string> heads;
  std::vector<std::vector<Stated>> rows;
};

Table plain(const Facts& facts) {
  Table table;
  for (const std::string& head : facts.heads) table.columns.push_back({head, false});
  for (const auto& row : facts.rows) {
    auto& cells = table.rows.emplace_back();
    for (const Stated& cell : row) cells.push_back(cell.text);
  }
  return table;
}

std::string as_csv(const Table& table) {
  std::string text;
  const auto add = [&](const std::string& cell, bool last) { text += io::csv_field(cell) + (last ? '\n' : ','); };
  const std::size_t last = table.columns.size() - 1;
  for (std::size_t c = 0; c <= last; ++c) add(table.columns[c].head, c == last);
  for (const auto& row : table.rows)
    for (std::size_t c = 0; c <= last; ++c) add(row[c], c == last);
  return text;
}

/// With the rules of the package booktabs.
std::string as_latex(const Facts& facts) {
  std::string text = fmt::format("\\begin{{tabular}}{{{}}}\n\\toprule\n", std::string(facts.heads.size(), 'l'));
  const auto add = [&](const std::string& cell, std::size_t c) {
    text += cell + (c + 1 == facts.heads.size() ? " \\\\\n" : " & ");
  };
  for (std::size_t c = 0; c < facts.heads.size(); ++c) add(latex_text(facts.heads[c]), c);
  text += "\\midrule\n";
  for (const auto& row : facts.rows)
    for (std::size_t c = 0; c < row.size(); ++c)
      add(row[c].formula ? fmt::format("${}$", latex(row[c].text)) : latex_text(row[c].text), c);
  return text + "\\bottomrule\n\\end{tabular}\n";
}

/// A row a paragraph, for tables that no terminal is wide enough for.
std::string as_paragraphs(const Table& table) {
  std::string text;
  for (const auto& row : table.rows) {
    std::vector<std::vector<std::string>> lines;
    for (std::size_t c = 0; c < row.size(); ++c) lines.push_back({table.columns[c].head, row[c]});
    if (!text.empty()) text += '\n';
    text += columns(lines);
  }
  return text;
}

/// Columns as rows.
Table transposed(const Table& table) {
  Table turned;
  turned.columns.push_back({"function", false});
  for (const auto& row : table.rows) turned.columns.push_back({row[0], false});
  for (std::size_t c = 1; c < table.columns.size(); ++c) {
    auto& turned_row = turned.rows.emplace_back(1, table.columns[c].head);
    for (const auto& row : table.rows) turned_row.push_back(row[c]);
  }
  return turned;
}

std::string as_text(const Table& table) {
  constexpr std::size_t widest = 160;
  const std::string text = report::as_text(table, std::numeric_limits<std::size_t>::max());
  const std::size_t head = text.find('\n'), rule = text.find('\n', head + 1) - head - 1;
  if (rule <= widest) return text;
  return as_paragraphs(table.columns[0].head.empty() ? transposed(table) : table);
}

std::string rendered(const Facts& facts, const Looks& looks) {
  if (looks.latex) return as_latex(facts);
  const Table table = plain(facts);
  if (looks.markdown) return report::as_markdown(table);
  return looks.csv ? as_csv(table) : as_text(table);
}

Facts geometry(const std::vector<std::string>& spelled) {
  Facts facts{{""}, {}};
  for (const char* const name : {"value at 0", "as z -> -inf", "slope", "as z -> inf", "minimum"})
    facts.rows.push_back({{name, false}});
  for (const std::string& text : spelled) {
    const NamedCurve curve = to_curve(text);
    facts.heads.push_back(curve.label.empty() ? curve.spelling : curve.label);
    const Stated cells[] = {{number(curve.curve, 0)},
                            {behaviour(curve.curve, false)},
                            {slope_formula(curve)},
                            {behaviour(curve.curve, true)},
                            minimum(curve.curve)};
    std::size_t row = 0;
    for (const Stated& cell : cells) facts.rows[row++].push_back(cell);
  }
  return facts;
}

Facts laws_table() {
  Facts facts{{"law", "activation", "z F(z)", "gate F(z)", "loss E(z - T)+", "mean", "variance", "entropy",
               "entropy largest given"},
              {}};
  for (const auto& [law, names] : laws())
    for (const std::string_view name : names) {
      const Member chosen = choose(std::string(name), {}, {});
      const ActivationInfo& about = chosen.info();
      facts.rows.push_back({{std::string(law), false},
                            {std::string(about.title), false},
                            {std::string(about.formula)},
                            {std::string(about.gate)},
                            loss_of(about),
                            fact(about.mean),
                            fact(about.variance),
                            fact(about.entropy),
                            entropy_given(chosen)});
    }
  return facts;
}

void add_looks(CLI::App& verb, Looks& looks) {
  CLI::Option* const markdown = verb.add_flag("--markdown", looks.markdown, "as a table of Markdown");
  CLI::Option* const latex =
      verb.add_flag("--latex", looks.latex, "as a tabular of LaTeX, for the packages booktabs and amsmath");
  CLI::Option* const csv = verb.add_flag("--csv", looks.csv, "as comma-separated values");
  markdown->excludes(latex)->excludes(csv);
  latex->excludes(csv);
}

}  // namespace

void add_table(CLI::App& program, Verbs& verbs) {
  CLI::App& table = add_verb(program, "table", "Tables of functions: text, Markdown, LaTeX or CSV");
  table.require_subcommand(1, 1);
  table.footer("Example:\n  limen table geometry gelu:loss gelu:centred gelu");

  const auto looks = std::make_shared<Looks>();
  const auto curves = std::make_shared<std::vector<std::string>>();
  CLI::App& shape = add_verb(table, "geometry", "Value at 0, slope, behaviour at both ends, minimum");
  shape.add_option("CURVE", *curves, "as limen plot spells them")->type_name("")->required();
  add_looks(shape, *looks);
  shape.footer("Example:\n  limen table geometry gelu:loss gelu:centred gelu --latex");
  verbs.push_back({&shape, [looks, curves] { return print(rendered(geometry(*curves), *looks)), 0; }});

  CLI::App& law = add_verb(table, "laws", "Every law with its activations, gates, losses, moments and entropy");
  add_looks(law, *looks);
  law.footer("Example:\n  limen table laws --markdown");
  verbs.push_back({&law, [looks] { return print(rendered(laws_table(), *looks)), 0; }});
}

}  // namespace limen::cli
