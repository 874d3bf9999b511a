// Part of limen. SPDX-License-Identifier: MIT
//
// The table of special values, read from docs/accuracy.md: every cell for every activation, parameter set and scalar
// type. The words that its cells are written in are explained there.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "core/expression.h"
#include "core/points.h"
#include "core/quantities.h"

namespace limen::test {
namespace {

/// Lists of trimmed cells, the header first.
std::vector<std::vector<std::string>> read_table() {
  std::vector<std::vector<std::string>> rows;
  std::ifstream file(LIMEN_SOURCE_DIR "/docs/accuracy.md");
  for (std::string line; std::getline(file, line);) {
    if (rows.empty() && !line.starts_with("| z |")) continue;
    if (!line.starts_with("|")) break;
    if (line.starts_with("|--")) continue;
    auto& cells = rows.emplace_back();
    std::istringstream text(line.substr(1));
    for (std::string cell; std::getline(text, cell, '|');) cells.push_back(cell.substr(1, cell.find_last_not_of(' ')));
  }
  return rows;
}

/// The header's name of a quantity.
std::string column_of(const std::string& quantity) {
  if (quantity.starts_with("d/")) return "d/dp";
  if (quantity.starts_with("d2/dz ")) return "d2/dz dp";
  return quantity.starts_with("d2/") ? "d2/dp dq" : quantity;
}

/// An activation with parameters that S holds exactly, and what the cells' words mean for it.
template <class S>
struct Subject {
  ActivationId id;
  Parameters parameters;
  const ActivationInfo& about = info(id);
  std::map<std::string, double> words = {};

  Quantities<S> operator()(S z) const { return evaluate(id, cast<S>(parameters).data(), z); }
  std::optional<Reference<Precise>> exact(const Precise& z) const {
    return reference(about.name, std::array<Precise, 3>{parameters[0], parameters[1], parameters[2]}.data(), z);
  }
  /// Below 0 everything passes times this.
  double share() const {
    if (!leaks(about)) return 0;
    for (std::size_t k = 0; k < about.parameter_count; ++k)
      if (about.limit.starts_with(about.parameter[k].name)) return parameters[k];
    return 1;
  }
  void learn_words() {
    const auto at_0 = evaluate(id, parameters.data(), 0.);
    const double inf = std::numeric_limits<double>::infinity();
    words = {{"nan", std::nan("")}, {"share", share()}};
    words["limit"] = leaks(about) ? (share() == 0 ? 0 : share() * -inf) : Expression(about, parameters)(about.limit);
    if (about.law.empty()) return;
    words["mean"] = distribution(id, parameters.data())->mean;
    words["F_0"] = *at_0.gate;
    words["f_0"] = at_0.density.value_or(0);
    words["loss_0"] = at_0.loss.value_or(inf);
  }
};

template <class S, class F>
void for_subjects(F&& f) {
  for (std::size_t i = 0; i < activation_count; ++i)
    for (const Parameters& wanted : parameter_sets(all_infos[i])) {
      const auto p = cast<S>(wanted);
      Subject<S> subject{static_cast<ActivationId>(i), {p[0], p[1], p[2]}};
      subject.learn_words();
      SCOPED_TRACE(label(subject.about, subject.parameters));
      f(subject);
    }
}

/// The numbers that the first cell of a row stands for.
template <class S>
std::vector<S> places(const std::string& cell, const Subject<S>& a) {
  using Limits = std::numeric_limits<S>;
  if (cell == "subnormal") return {Limits::denorm_min(), 12345 * Limits::denorm_min(), Limits::min()};
  if (cell == "-subnormal") return {-Limits::denorm_min(), -12345 * Limits::denorm_min(), -Limits::min()};
  if (cell == "max" || cell == "-max") return {cell == "max" ? Limits::max() : Limits::lowest()};
  if (cell == "-0") return {-S(0)};
  if (cell.ends_with(" knee")) {
    if (!has_knees(a.id)) return {};
    const auto law = *distribution(a.id, a.parameters.data());
    const double knee = cell == "lower knee" ? law.lower : law.upper;
    if (knee * 1024 != std::floor(knee * 1024)) return {};  // S lies beside it
    return {static_cast<S>(knee)};
  }
  return {static_cast<S>(Expression(a.about, a.parameters, {{"nan", std::nan("")}})(cell))};
}

/// Where a law starts at 0 with a jump, what is there belongs to the piece below, as docs/accuracy.md says.
template <class S>
bool is_exception(const Subject<S>& a, S z) {
  return (a.about.law == "point mass" || a.about.law == "exponential") && z <= 0;
}

template <class S>
void expect_cell(const Subject<S>& a, const std::string& cell, const std::string& quantity, S z, S got,
                 const std::optional<Precise>& exact) {
  Subject<S> here = a;
  here.words["z"] = static_cast<double>(z);
  const double in_words = Expression(a.about, a.parameters, here.words)(cell);
  // Without a law only what lies at the ends is in words.
  const bool by_formula = cell == "exact" || (std::isnan(in_words) && cell != "nan");
  if (by_formula && !exact) {
    EXPECT_FALSE(std::isnan(got)) << quantity << " at " << z;
    return;
  }
  const S want = static_cast<S>(by_formula ? static_cast<double>(*exact) : in_words);
  const S far_slack = a.about.power_tails ? 100 / std::abs(z) : 0;
  // A correction cancels by as much as the location is away, the density slope of mish near 0: 64 units where
  // everything else keeps within four.
  const S slack = (quantity == "correction" || quantity == "density slope" ? 64 : 4) *
                      (std::abs(want) * std::numeric_limits<S>::epsilon() + std::numeric_limits<S>::denorm_min()) +
                  (std::abs(z) < 1 ? 100 * std::abs(z) : far_slack);
  const bool same = std::isnan(want)      ? std::isnan(got)
                    : std::isfinite(want) ? std::abs(got - want) <= slack
                                          : got == want;
  EXPECT_TRUE(same) << quantity << " at " << z << " is " << got << ", not " << cell << ": " << want;
}

template <class S>
void expect_row(const Subject<S>& a, const std::vector<std::string>& header, const std::vector<std::string>& row) {
  for (const S z : places<S>(row[0], a)) {
    const Precise beyond = Precise::power_of_two(20000);
    const auto exact = a.exact(std::isfinite(z) ? Precise(z) : z > 0 ? beyond : z < 0 ? -beyond : Precise(1));
    for_quantities(a(z), exact.value_or(Reference<Precise>{}), a.about,
                   [&](const std::string& quantity, S got, const Term<Precise>& term) {
                     const std::string column = column_of(quantity);
                     const auto place = std::ranges::find(header, column);
                     ASSERT_NE(place, header.end()) << "the table has no column " << column;
                     const std::string& cell = row[static_cast<std::size_t>(place - header.begin())];
                     expect_cell(a, is_exception(a, z) ? "exact" : cell, quantity, z, got,
                                 exact ? std::optional(term.exact) : std::nullopt);
                   });
  }
}

template <class S>
void expect_table() {
  const auto table = read_table();
  ASSERT_EQ(table.size(), 12u) << "rows of the table in docs/accuracy.md";
  for_subjects<S>([&](const Subject<S>& a) {
    for (std::size_t i = 1; i < table.size(); ++i) {
      ASSERT_EQ(table[i].size(), table[0].size()) << table[i][0];
      expect_row(a, table[0], table[i]);
    }
  });
}

TEST(SpecialTable, HoldsInF32) { expect_table<float>(); }
TEST(SpecialTable, HoldsInF64) { expect_table<double>(); }

}  // namespace
}  // namespace limen::test
