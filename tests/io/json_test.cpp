// Part of limen. SPDX-License-Identifier: MIT
#include "io/json.h"

#include <gtest/gtest.h>

#include <charconv>
#include <clocale>
#include <cmath>
#include <limits>
#include <locale>
#include <string>

#include "io/temporary_folder.h"

namespace limen::io {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Number, GoesThereAndBack) {
  for (const double value :
       {0.1, 1.0, -0.0, 5e-324, 1.7976931348623157e308, 3.0000000000000004e-5, 2.9891389973215736e-4}) {
    const std::string text = shortest(value);
    double digits = 0;
    std::from_chars(text.data(), text.data() + text.size(), digits);
    EXPECT_EQ(digits, value);
    const double back = to_number(parse_json(to_line(number(value)), "here"));
    EXPECT_EQ(back, value);
    EXPECT_EQ(std::signbit(back), std::signbit(value));
  }
  EXPECT_EQ(shortest(0.1), "0.1");
  EXPECT_EQ(shortest(3), "3");
  EXPECT_EQ(shortest(1e-5), "1e-05");
}

TEST(Number, SpellsWhatIsNotFinite) {
  EXPECT_EQ(shortest(-nan), "nan");
  EXPECT_EQ(shortest(infinity), "inf");
  EXPECT_EQ(number(-infinity), "-inf");
  EXPECT_TRUE(std::isnan(to_number(number(nan))));
  EXPECT_EQ(to_number(number(infinity)), infinity);
  EXPECT_EQ(to_number(number(-infinity)), -infinity);
  EXPECT_EQ(to_line({{"loss", nan}, {"learned", {{"beta", infinity}}}, {"list", {1, -infinity}}}),
            R"({"loss":"nan","learned":{"beta":"inf"},"list":[1,"-inf"]})");
  EXPECT_THROW(to_number("fast"), SystemError);
  EXPECT_THROW(to_number(nullptr), SystemError);
}

TEST(ParseJson, NamesTheSource) {
  EXPECT_NE(message_of([] { parse_json("{\"a\": ", "line 3 of metrics.jsonl"); }).find("line 3 of metrics.jsonl"),
            std::string::npos);
}

TEST(ToLine, RefusesWhatIsNotUtf8) { EXPECT_THROW(to_line("\xff"), Error); }

// A decimal comma and grouped thousands, in C++'s streams and, where the system has such a locale, in C's functions.
class Comma : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(Number, KnowsNoLocale) {
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
  const std::string c_before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "nb_NO.UTF-8", "fr_FR.UTF-8", "C"}) {
    if (std::setlocale(LC_ALL, name) == nullptr) continue;
    const Json row = {{"iteration", 10000}, {"loss", 1234567.125}, {"rate", 0.1}};
    EXPECT_EQ(to_line(row), R"({"iteration":10000,"loss":1234567.125,"rate":0.1})") << name;
    EXPECT_EQ(parse_json(to_line(row), "here"), row) << name;
    EXPECT_EQ(shortest(1234567.125), "1234567.125") << name;
  }
  std::setlocale(LC_ALL, c_before.c_str());
  std::locale::global(before);
}

}  // namespace
}  // namespace limen::io
