// Part of limen. SPDX-License-Identifier: MIT
#include "report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "cli/catalogue.h"
#include "cli/curves.h"
#include "cli/facts.h"
#include "cli/law_facts.h"
#include "cli/output.h"
#include "cli/symbols.h"
#include "cli/verbs.h"
#include "io/csv.h"
#include "limen/evaluate.h"

namespace limen::cli {
namespace {

using report::Table;

struct Looks {
  bool markdown = false, latex = false, csv = false;
};

std::string as_csv(const Table& table) {
  std::string text;
  const auto add = [&](const std::string& cell, bool last) { text += io::csv_field(cell) + (last ? '\n' : ','); };
  const std::size_t last = table.columns.size() - 1;
  for (std::size_t c = 0; c <= last; ++c) add(table.columns[c].head, c == last);
  for (const auto& row : table.rows)
    for (std::size_t c = 0; c <= last; ++c) add(row[c], c == last);
  return text;
}

/// Cells that calculate are formulas, all others text.
std::string latex_cell(const std::string& cell) {
  const bool formula = cell.find_first_of("=(^/") != cell.npos || cell.find_first_of("0123456789") != cell.npos ||
                       cell == "z" || cell == "inf" || cell == "-inf" || cell.starts_with("-ln ");
  return formula && !cell.starts_with("the ") ? fmt::format("${}$", latex(cell)) : latex_text(cell);
}

/// With the rules of the package booktabs; the first columns hold names.
std::string as_latex(const Table& table, std::size_t columns_of_text) {
  std::string text = fmt::format("\\begin{{tabular}}{{{}}}\n\\toprule\n", std::string(table.columns.size(), 'l'));
  const auto add = [&](const std::string& cell, std::size_t c) {
    text += cell + (c + 1 == table.columns.size() ? " \\\\\n" : " & ");
  };
  for (std::size_t c = 0; c < table.columns.size(); ++c) add(latex_text(table.columns[c].head), c);
  text += "\\midrule\n";
  for (const auto& row : table.rows)
    for (std::size_t c = 0; c < row.size(); ++c) add(c < columns_of_text ? latex_text(row[c]) : latex_cell(row[c]), c);
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

std::string rendered(const Table& table, std::size_t columns_of_text, const Looks& looks) {
  if (looks.markdown) return report::as_markdown(table);
  if (looks.latex) return as_latex(table, columns_of_text);
  if (looks.csv) return as_csv(table);
  return as_text(table);
}

/// The slope's formula: that of the registry for the value, else what it is for every law.
std::string slope_of(const NamedCurve& curve) {
  constexpr std::array<std::string_view, quantity_names.size()> slopes = {"",      "a''(z)", "a'''(z)", "f(z)",
                                                                          "f'(z)", "F(z)",   "F(z)",    "-z f(z)"};
  const ActivationInfo& about = curve.chosen.info();
  const auto found = std::ranges::find(quantity_names, curve.quantity);
  if (found == quantity_names.begin()) return std::string(about.slope);
  if (found == quantity_names.end()) return "d/dz " + curve.quantity;
  const std::string_view slope = slopes[static_cast<std::size_t>(found - quantity_names.begin())];
  return std::string(slope == "F(z)" ? about.gate : slope);
}

Table geometry(const std::vector<std::string>& spelled) {
  Table table;
  table.columns.push_back({"", false});
  table.rows = {{"value at 0"}, {"as z -> -inf"}, {"slope"}, {"as z -> inf"}, {"minimum"}};
  for (const std::string& text : spelled) {
    const NamedCurve curve = to_curve(text);
    table.columns.push_back({curve.label.empty() ? curve.spelling : curve.label, false});
    const std::string cells[] = {number(curve.curve, 0), behaviour(curve.curve, false), slope_of(curve),
                                 behaviour(curve.curve, true), minimum(curve.curve)};
    std::size_t row = 0;
    for (const std::string& cell : cells) table.rows[row++].push_back(cell);
  }
  return table;
}

/// The activation whose value is this one's loss, such as softplus for silu.
std::string_view loss_twin(ActivationId id) {
  std::vector<double> values;
  for (const Parameter& p : parameters(info(id))) values.push_back(p.initial);
  for (std::size_t i = 0; i < activation_count; ++i) {
    const auto own = parameters(all_infos[i]);
    if (!std::ranges::equal(own, values, [](const Parameter& p, double value) { return p.accepts(value); })) continue;
    const auto differs = [&](double z) {
      const auto loss = evaluate<double>(id, values.data(), z).loss;
      const double value = evaluate<double>(static_cast<ActivationId>(i), values.data(), z).value;
      return !loss || !(std::abs(*loss - value) < 1e-12);
    };
    const double points[] = {-3.5, -0.7, 0, 0.4, 1.9, 6};
    if (std::ranges::none_of(points, differs)) return all_infos[i].name;
  }
  return "";
}

std::string loss_of(ActivationId id) {
  const std::string_view formula = info(id).loss, twin = loss_twin(id);
  if (formula == "inf") return "infinite";
  if (formula.empty()) return "no closed form";
  return twin.empty() || twin == info(id).name ? std::string(formula) : fmt::format("{}: {}", twin, formula);
}

Table laws_table() {
  Table table;
  for (const char* const head : {"law", "activation", "z F(z)", "gate F(z)", "loss E(z - T)+", "variance", "entropy",
                                 "entropy largest for fixed"})
    table.columns.push_back({head, false});
  for (const auto& [law, names] : laws())
    for (const std::string_view name : names) {
      const ActivationId id = *find(name);
      const ActivationInfo& about = info(id);
      std::vector<double> values;
      for (const Parameter& p : parameters(about)) values.push_back(p.initial);
      const std::string_view fixed = distribution(id, values.data())->maximum_entropy;
      table.rows.push_back({std::string(law), std::string(about.title), std::string(about.formula),
                            std::string(about.gate), loss_of(id), variance_formula(id), entropy_formula(id),
                            fixed.empty() ? "-" : std::string(fixed)});
    }
  return table;
}

void add_looks(CLI::App& verb, Looks& looks) {
  CLI::Option* const markdown = verb.add_flag("--markdown", looks.markdown, "as a table of Markdown");
  CLI::Option* const latex = verb.add_flag("--latex", looks.latex, "as a tabular of LaTeX with the rules of booktabs");
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
  verbs.push_back({&shape, [looks, curves] { return print(rendered(geometry(*curves), 1, *looks)), 0; }});

  CLI::App& law = add_verb(table, "laws", "Every law with its activations, gates, losses, variance and entropy");
  add_looks(law, *looks);
  law.footer("Example:\n  limen table laws --markdown");
  verbs.push_back({&law, [looks] { return print(rendered(laws_table(), 2, *looks)), 0; }});
}

}  // namespace limen::cli
