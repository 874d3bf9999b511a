// Part of limen. SPDX-License-Identifier: MIT
#include "io/law_file.h"

#include <gtest/gtest.h>

#include "io/files.h"
#include "io/temporary_folder.h"

namespace limen::io {
namespace {

std::vector<double> quantiles(const EmpiricalLaw& law) { return {law->quantiles().begin(), law->quantiles().end()}; }
std::vector<double> levels(const EmpiricalLaw& law) { return {law->levels().begin(), law->levels().end()}; }
std::string fault(std::string_view text) {
  return message_of([&] { parse_law(text, "t.csv"); });
}

TEST(LawFile, OneNumberALineIsASample) {
  const std::vector<double> sorted = {-1.5, 0.25, 2, 1e3};
  for (const char* text :
       {"2\n-1.5\n1e3\n0.25\n", "threshold\n2\n-1.5\n1e3\n0.25", "\n# seen\n2\r\n -1.5 # low\n\n1e3\n0.25\n"}) {
    EXPECT_EQ(quantiles(parse_law(text, "t.csv")), sorted) << text;
    EXPECT_EQ(levels(parse_law(text, "t.csv")), (std::vector<double>{0, 1 / 3.0, 2 / 3.0, 1})) << text;
  }
}

TEST(LawFile, TwoNumbersALineAreALevelAndItsQuantile) {
  for (const char* text : {"level,quantile\n0,-1\n0.5, 0\n1,2\n", "0 -1\n0.5\t0\n1   2", "0 , -1\n0.5 ,0\n1, 2\n"}) {
    EXPECT_EQ(levels(parse_law(text, "t.csv")), (std::vector<double>{0, 0.5, 1})) << text;
    EXPECT_EQ(quantiles(parse_law(text, "t.csv")), (std::vector<double>{-1, 0, 2})) << text;
  }
}

TEST(LawFile, SaysWhatIsWrongAndWhere) {
  EXPECT_TRUE(names(fault("1\n2\nx\n"), {"t.csv, line 3", "a number", "'x'"}));
  EXPECT_TRUE(names(fault("1\n2,3\n"), {"line 2", "one number", "2"}));
  EXPECT_TRUE(names(fault("0,1\n1\n"), {"line 2", "two numbers", "1"}));
  EXPECT_TRUE(names(fault("0,1,2\n"), {"line 1", "3"}));
  EXPECT_TRUE(names(fault("0,1\n0.4,3\n0.3,4\n1,5"), {"line 3", "rise from 0 to 1", "0.3"}));
  EXPECT_TRUE(names(fault("0,1\n# x\n0.9,3\n"), {"line 3", "rise from 0 to 1", "0.9"}));
  EXPECT_TRUE(names(fault("p,q\n0,1\n1,0\n"), {"line 3", "do not fall"}));
  EXPECT_TRUE(names(fault("1\ninf\n"), {"line 2", "between", "inf"}));
  EXPECT_TRUE(names(fault("1\nnan\n"), {"line 2", "nan"}));
  EXPECT_TRUE(names(fault("7\n"), {"at least two"}));
  EXPECT_TRUE(names(fault("0,7\n"), {"at least two"}));
  EXPECT_TRUE(names(fault(""), {"t.csv", "got none"}));
  EXPECT_TRUE(names(fault("samples\n"), {"got none"}));
  for (const char* slip : {"0.1x\n1\n2\n", "-1..5\n1\n2\n", "1e\n1\n2\n", "1e400\n1\n2\n",
                           "\xE2\x88\x92"
                           "1\n1\n2\n",
                           ",1\n1\n2\n"})
    EXPECT_FALSE(fault(slip).empty()) << slip;
  EXPECT_EQ(quantiles(parse_law("\xEF\xBB\xBF+1\n2\n3\n", "t.csv")), (std::vector<double>{1, 2, 3}));
  EXPECT_TRUE(names(fault("1\n\x1b]0;title\n"), {"line 2", "'?]0;title'"})) << fault("1\n\x1b]0;title\n");
  std::string endless = "1\n";
  endless.append(100000, 'x');
  EXPECT_LT(fault(endless).size(), 200u);
  EXPECT_TRUE(names(fault("1,,2\n"), {"line 1", "3"}));
  EXPECT_TRUE(names(fault("1,\n2,\n"), {"line 1", "a number", "''"}));
}

TEST(LawFile, IsNamedInAnActivation) {
  const TemporaryFolder folder;
  const std::string path = (folder / "odd (name).txt").string();
  write_file(path, "1\n2\n");
  for (const auto& [name, rest] : {std::pair("empirical(" + path + ")", "empirical"),
                                   std::pair("gated(empirical(" + path + "))", "gated(empirical)")}) {
    const NameAndLaw read = read_law_in(name);
    EXPECT_EQ(read.name, rest);
    ASSERT_TRUE(read.law) << name;
    EXPECT_EQ(quantiles(read.law), (std::vector<double>{1, 2}));
  }
  for (const char* name : {"gelu", "empirical", "uelu(beta=1)", "gated(silu)", "empirical(", "empirical(x", ""}) {
    EXPECT_EQ(read_law_in(name).name, name);
    EXPECT_FALSE(read_law_in(name).law);
  }
  const std::string missing = message_of([&] { read_law_in("empirical(nowhere.txt)"); });
  EXPECT_TRUE(names(missing, {"nowhere.txt", "does not exist"})) << missing;
}

}  // namespace
}  // namespace limen::io
