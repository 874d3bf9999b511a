// Part of limen. SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <memory>

#include "cli/arguments.h"
#include "cli/eval_csv.h"
#include "cli/output.h"
#include "cli/quantities.h"
#include "cli/verbs.h"
#include "io/error.h"
#include "limen/error.h"

namespace limen::cli {
namespace {

constexpr std::size_t line_width = 100;

struct EvalArguments {
  std::string name, dtype, path, csv;
  std::vector<std::string> settings, points;
};

/// A column of the table: a point and every quantity there.
std::vector<std::string> column(const Member& chosen, const std::string& z, const Method& method) {
  const Answer at_z = answer(chosen, z, method);
  std::vector<std::string> cells{at_z.z};
  cells.insert(cells.end(), at_z.quantities.begin(), at_z.quantities.end());
  cells.insert(cells.end(), at_z.parameter_slopes.begin(), at_z.parameter_slopes.end());
  for (std::string& cell : cells)
    if (cell.empty()) cell = "-";
  return cells;
}

std::vector<std::string> row_names(const Member& chosen) {
  std::vector<std::string> names{"z"};
  for (const Quantity& quantity : all_quantities) names.emplace_back(quantity.name);
  for (std::size_t k = 0; k < chosen.info().parameter_count; ++k)
    names.push_back(fmt::format("d/d {}", chosen.info().parameter[k].name));
  return names;
}

std::size_t widest(const std::vector<std::string>& cells) {
  std::size_t width = 0;
  for (const std::string& cell : cells) width = std::max(width, cell.size());
  return width;
}

/// Quantities down, points across, as many points a block as a line holds.
std::string points_table(const Member& chosen, const std::vector<std::string>& points, const Method& method) {
  const auto names = row_names(chosen);
  std::string text;
  std::vector<std::vector<std::string>> rows;
  std::size_t width = line_width;
  for (const std::string& z : points) {
    const auto cells = column(chosen, z, method);
    if (width + 2 + widest(cells) > line_width) {
      if (!rows.empty()) text += columns(rows) + '\n';
      rows.clear();
      for (const std::string& name : names) rows.push_back({name});
      width = widest(names);
    }
    for (std::size_t r = 0; r < rows.size(); ++r) rows[r].push_back(cells[r]);
    width += 2 + widest(cells);
  }
  return text + columns(rows);
}

std::string title(const Member& chosen, const Method& method) {
  const ActivationInfo& about = chosen.info();
  const std::string settings = settings_of(chosen);
  return fmt::format("{} = {}{}{}  ({})\n\n", about.name, about.formula, settings.empty() ? "" : "; ", settings,
                     method.describe());
}

int run_csv(const EvalArguments& arguments, const Method& method) {
  if (!arguments.name.empty() || !arguments.settings.empty())
    throw Error("--csv: expected alone, got NAME, --set or Z too, which its rows hold; leave them out");
  if (arguments.csv == "-") {
    evaluate_csv(std::cin, "standard input", method);
    return 0;
  }
  expect_file(arguments.csv, "--csv");
  std::ifstream file(arguments.csv, std::ios::binary);
  if (!file) throw io::SystemError(fmt::format("cannot read {}", arguments.csv));
  evaluate_csv(file, arguments.csv, method);
  return 0;
}

int run_eval(const EvalArguments& arguments) {
  const Method method = to_method(arguments.dtype, arguments.path);
  if (!arguments.csv.empty()) return run_csv(arguments, method);
  if (arguments.name.empty() || arguments.points.empty())
    throw Error("expected an activation and at least one point, such as limen eval gelu -1 0.5");
  const Member chosen = choose(arguments.name, arguments.settings, method);
  print(title(chosen, suited(method, chosen)) + points_table(chosen, arguments.points, method));
  return 0;
}

}  // namespace

void add_eval(CLI::App& program, Verbs& verbs) {
  const auto arguments = std::make_shared<EvalArguments>();
  CLI::App& verb = add_verb(program, "eval", "Value, slopes, gate, density and losses of an activation at points");
  verb.add_option("NAME", arguments->name, "an activation of limen list")->type_name("");
  verb.add_option("Z", arguments->points, "points: numbers, inf, -inf or nan")->type_name("");
  verb.add_option("--set", arguments->settings, "a parameter; may be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  verb.add_option("--dtype", arguments->dtype, "f64 (default), f32 (default with --path), bf16 or f16")
      ->type_name("TYPE");
  verb.add_option("--path", arguments->path,
                  "scalar, sse4, avx2, avx512 (kernels) or torch (the operator): value and slopes only")
      ->type_name("PATH");
  verb.add_option("--csv", arguments->csv, "a CSV file, or -: rows activation,params,z (params as k=v;k=v)")
      ->type_name("FILE");
  verb.footer(
      "Without --path the scalar core answers with every quantity; with another --dtype than\n"
      "f64, LIMEN_ISA names a path too. bf16 and f16 compute in f32 and round what they store.\n"
      "\n"
      "With --csv the header row names the columns activation, params and z in any order; others are ignored. Rows "
      "are\n"
      "written as they are read; the first bad one ends the work with its line number.\n\n"
      "Examples:\n  limen eval uelu --set beta=1.25 -1 0.5 2\n"
      "  printf 'activation,params,z\\nsilu,slope=1.702,-3\\n' | limen eval --csv -");
  verbs.push_back({&verb, [arguments] { return run_eval(*arguments); }});
}

}  // namespace limen::cli
