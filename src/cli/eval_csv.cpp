// Part of limen. SPDX-License-Identifier: MIT
#include "cli/eval_csv.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/arguments.h"
#include "cli/csv.h"
#include "cli/output.h"
#include "io/csv.h"
#include "io/error.h"
#include "limen/error.h"

namespace limen::cli {
namespace {

using Record = std::vector<std::string>;

constexpr std::array<std::string_view, 3> input_columns = {"activation", "params", "z"};
using Columns = std::array<std::size_t, input_columns.size()>;

Columns find_columns(const Record& header) {
  Columns columns{};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto named = [&](const std::string& field) { return trim(field) == input_columns[i]; };
    const auto place = std::find_if(header.begin(), header.end(), named);
    if (place == header.end())
      throw Error(
          fmt::format("header: expected the columns activation, params and z, got none named {}", input_columns[i]));
    columns[i] = static_cast<std::size_t>(place - header.begin());
  }
  return columns;
}

std::string parameter_slopes(const Member& chosen, const Answer& answer) {
  std::string text;
  for (std::size_t k = 0; k < answer.parameter_slopes.size(); ++k)
    if (const std::string& slope = answer.parameter_slopes[k]; !slope.empty())
      text += fmt::format("{}{}={}", text.empty() ? "" : ";", chosen.info().parameter[k].name, slope);
  return text;
}

std::string output_row(const Record& record, const Columns& columns, const Method& method) {
  std::array<std::string, input_columns.size()> field;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i] >= record.size())
      throw Error(fmt::format("{}: expected a field, got a row that ends before it", input_columns[i]));
    field[i] = trim(record[columns[i]]);
  }
  const Member chosen = choose(field[0], split(field[1], ';'), method);
  const Answer at_z = answer(chosen, field[2], method);
  std::string row = io::csv_field(field[0]) + ',' + io::csv_field(field[1]) + ',' + io::csv_field(field[2]);
  for (std::size_t i = 0; i < all_quantities.size(); ++i)
    if (all_quantities[i].in_csv) row += ',' + at_z.quantities[i];
  return row + ',' + parameter_slopes(chosen, at_z) + '\n';
}

void expect_sound(const std::istream& input, std::string_view source) {
  if (input.bad()) throw io::SystemError(fmt::format("cannot read {} to its end", source));
}

}  // namespace

void evaluate_csv(std::istream& input, std::string_view source, const Method& method) {
  CsvReader reader(input);
  try {
    const auto header = reader.next();
    expect_sound(input, source);
    if (!header) throw Error("header: expected the columns activation, params and z, got nothing");
    const Columns columns = find_columns(*header);
    std::string title = "activation,params,z";
    for (const Quantity& quantity : all_quantities)
      if (quantity.in_csv) title += fmt::format(",{}", quantity.name);
    print(title + ",param_slopes\n");
    while (const auto record = reader.next()) print(output_row(*record, columns, method));
  } catch (const Error& error) {
    flush();
    throw Error(fmt::format("{}, line {}: {}", source, std::max<std::size_t>(reader.line(), 1), error.what()));
  }
  expect_sound(input, source);
}

}  // namespace limen::cli
