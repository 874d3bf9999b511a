// Part of limen. SPDX-License-Identifier: MIT
//
// Every row of reference_values.csv (computed with mpmath at 50 digits, rounded to 17; entries below the range of
// doubles read as 0) that an activation of the registry has, and rows like them made by reference.h: here a zero of a
// function must be met as closely as everything else.
#include <gtest/gtest.h>

#include <charconv>
#include <fstream>
#include <map>
#include <set>

#include "core/points.h"
#include "core/quantities.h"

namespace limen::test {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

double number(const std::string& text) {
  double x = std::numeric_limits<double>::quiet_NaN();
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  return error == std::errc::result_out_of_range ? 0 : x;
}

/// The number after "name=" in "a=1;b=2".
double named(const std::string& list, const std::string& name) {
  for (const std::string& item : split(list, ';'))
    if (item.starts_with(name + "=")) return number(item.substr(name.size() + 1));
  ADD_FAILURE() << "no " << name << " in " << list;
  return 0;
}

void near(double got, double want, const std::string& what) {
  EXPECT_LE(std::abs(got - want), 1e-13 * std::abs(want)) << what << ": " << got << " is not " << want;
}

void near(const std::optional<double>& got, const std::string& want, const std::string& what) {
  if (want.empty()) return;
  ASSERT_TRUE(got) << what;
  near(*got, number(want), what);
}

void check(ActivationId id, const std::vector<std::string>& row) {
  const std::string where = row[0] + " " + row[1] + " at " + row[2];
  Parameters p{};
  for (std::size_t k = 0; k < info(id).parameter_count; ++k)
    p[k] = named(row[1], std::string(info(id).parameter[k].name));
  const Quantities<double> q = evaluate(id, p.data(), number(row[2]));
  near(q.value, number(row[3]), where + " value");
  near(q.slope, number(row[4]), where + " slope");
  for (std::size_t k = 0; k < q.parameter_count && !row[5].empty(); ++k) {
    if (info(id).parameter[k].integer) continue;
    const std::string name = std::string("d").append(info(id).parameter[k].name);
    near(q.parameter_slopes[k], named(row[5], name), where + " " + name);
  }
  near(q.gate, row[6], where + " gate");
  near(q.density, row[7], where + " density");
  near(q.loss, row[8], where + " loss");
  near(q.correction, row[9], where + " correction");
}

TEST(ReferenceValues, AreReproducedToThirteenDigits) {
  std::ifstream file(LIMEN_SOURCE_DIR "/tests/core/reference_values.csv");
  std::string line;
  std::getline(file, line);
  ASSERT_EQ(line, "activation,params,z,value,d_dz,d_dparam,gate_F,density_f,loss_Lhat,correction_C");
  std::set<std::string> covered;
  while (std::getline(file, line)) {
    const auto row = split(line, ',');
    ASSERT_EQ(row.size(), 10u) << line;
    const auto id = find(row[0]);
    if (!id) continue;
    check(*id, row);
    covered.insert(row[0]);
  }
  EXPECT_GE(covered.size(), 18u) << "activations of the registry that the file knows";
}

/// The largest relative errors of an activation's quantities, by name.
class Worst {
 public:
  void add(const std::string& quantity, double got, const Precise& want, const std::string& where) {
    const Precise error = abs(Precise(got) - want);
    if (error <= Precise(1e-290)) return;
    Entry& entry = worst_[quantity];
    const double relative = static_cast<double>(error / abs(want));
    if (!(relative <= entry.relative)) entry = {relative, where};
  }
  void check() const {
    for (const auto& [quantity, entry] : worst_) EXPECT_LE(entry.relative, 1e-13) << quantity << " of " << entry.where;
  }

 private:
  struct Entry {
    double relative = 0;
    std::string where;
  };
  std::map<std::string, Entry> worst_;
};

TEST(ReferenceValues, SoAreOthersLikeThem) {
  Random random;
  for (std::size_t i = 0; i < activation_count; ++i) {
    const ActivationInfo& about = all_infos[i];
    Worst worst;
    for (int draw = 0; draw < 4000; ++draw) {
      const Parameters p = random_parameters(about, 2, random);
      const double z = draw % 2 == 0 ? random.between(-30, 30) : random.between(-3, 3);
      const auto want = reference<Precise>(about.name, std::array<Precise, 3>{p[0], p[1], p[2]}.data(), z);
      if (!want) break;
      const std::string where = label(about, p) + " at " + std::to_string(z);
      for_quantities(evaluate(static_cast<ActivationId>(i), p.data(), z), *want, about,
                     [&](const std::string& quantity, double got, const Term<Precise>& exact) {
                       if (quantity != "curvature" && quantity != "density slope" && !quantity.starts_with("d2/"))
                         worst.add(quantity, got, exact.exact, where);
                     });
    }
    worst.check();
  }
}

}  // namespace
}  // namespace limen::test
