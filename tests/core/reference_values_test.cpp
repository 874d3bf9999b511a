// Part of limen. SPDX-License-Identifier: MIT
//
// Every row of reference_values.csv (computed with mpmath at 50 digits, rounded to 17; entries below the range of
// doubles read as 0) that an activation of the registry has.
#include <gtest/gtest.h>

#include <charconv>
#include <fstream>
#include <set>

#include "core/points.h"

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

}  // namespace
}  // namespace limen::test
