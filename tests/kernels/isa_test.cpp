// Part of limen. SPDX-License-Identifier: MIT
//
// Which instruction set runs: the one asked for, by argument or by LIMEN_ISA, or the best.
#include <gtest/gtest.h>

#include <cstdio>
#include <set>

#include "kernels/cases.h"
#include "kernels/cpu/table.h"

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

TEST(Isa, NamesAreThoseOfTheCommandLine) {
  const std::set<std::string_view> known = {"scalar", "sse4", "avx2", "avx512"};
  for (const Isa isa : all_isas()) EXPECT_TRUE(known.count(name(isa))) << name(isa);
  EXPECT_EQ(all_isas().front(), Isa::scalar);
  EXPECT_TRUE(supported(Isa::scalar));
  EXPECT_TRUE(supported(best_isa()));
}

TEST(Isa, EnvironmentForcesASet) {
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

// An argument selects the table of that set's own unit. That the unit's instructions are of the set is the business of
// the symbol test.
TEST(Isa, EverySetHasItsOwnLoops) {
  EXPECT_EQ(&kernels_for(Isa::scalar), &scalar_f32);
#ifdef LIMEN_KERNELS_X86
  EXPECT_EQ(&kernels_for(Isa::sse4), &sse4_f32);
  EXPECT_EQ(&kernels_for(Isa::avx2), &avx2_f32);
  EXPECT_EQ(&kernels_for(Isa::avx512), &avx512_f32);
#endif
  for (std::size_t i = 0; i < activation_count; ++i) {
    std::set<void (*)(const void*, const float*, float*, std::size_t)> loops;
    for (const Isa isa : all_isas()) loops.insert(kernels_for(isa)[i].forward);
    EXPECT_EQ(loops.size(), all_isas().size()) << all_infos[i].name;
  }
}

}  // namespace
}  // namespace limen::kernels
