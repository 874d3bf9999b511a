// Part of limen. SPDX-License-Identifier: MIT
//
// Which instruction set runs: the one asked for, by argument or by LIMEN_ISA, or the best.
#include <gtest/gtest.h>

#include <cstdio>

#include "kernels/cases.h"

namespace limen::kernels {
namespace {

// What isa_report prints under LIMEN_ISA=wish: the active set, and what is wrong with the wish.
std::pair<std::string, std::string> report(const std::string& wish) {
  const std::string command = "LIMEN_ISA='" + wish + "' '" LIMEN_ISA_REPORT "'";
  std::FILE* const pipe = popen(command.c_str(), "r");
  EXPECT_NE(pipe, nullptr);
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0);
  const std::size_t end = text.find('\n');
  return {text.substr(0, end), text.substr(end + 1)};
}

// Scalar first, then each set with its predecessors: what a processor has is a beginning of the list.
TEST(Isa, TheBestIsTheLastThatThisProcessorHas) {
  const std::vector<Isa> found = supported_isas();
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front(), Isa::scalar);
  EXPECT_TRUE(std::ranges::equal(found, all_isas().first(found.size())));
  EXPECT_EQ(best_isa(), found.back());
}

// As with an instruction set masked off: the next one runs, and says so.
TEST(Isa, Row77_EnvironmentForcesASet) {
  for (const Isa isa : supported_isas()) {
    const auto [active, error] = report(std::string(name(isa)));
    EXPECT_EQ(active, name(isa));
    EXPECT_EQ(error, "");
  }
}

TEST(Isa, WithoutAWishTheBestIsTaken) {
  EXPECT_EQ(report("").first, name(best_isa()));
  EXPECT_EQ(report("").second, "");
}

TEST(Isa, AWishThatCannotBeMetIsReportedAndIgnored) {
  for (const std::string wish : {"avx3", "AVX2", "scalar ", "sse4,avx2"}) {
    const auto [active, error] = report(wish);
    EXPECT_EQ(active, name(best_isa())) << wish;
    EXPECT_NE(error.find("LIMEN_ISA"), std::string::npos) << error;
    EXPECT_NE(error.find("'" + wish + "'"), std::string::npos) << error;
    for (const Isa isa : supported_isas()) EXPECT_NE(error.find(name(isa)), std::string::npos) << error;
  }
}

}  // namespace
}  // namespace limen::kernels
