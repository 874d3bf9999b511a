// Part of limen. SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/shell.h"

namespace limen::test {
namespace {

// Warm, median with spread: the first call's one-off costs must not be charged to anyone.
TEST(Bench, Row151_SaysTheMedianOfWarmRunsWithItsSpread) {
  const Result result =
      sh("limen bench uelu gelu --type f32,bf16 --direction forward,second_backward --elements 100 --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const auto rows = nlohmann::json::parse(result.out);
  ASSERT_EQ(rows.size(), 8u);
  for (const auto& row : rows) {
    const double rate = row.at("elements_per_second").get<double>();
    EXPECT_GT(rate, 0);
    EXPECT_LE(row.at("slowest").get<double>(), rate);
    EXPECT_GE(row.at("fastest").get<double>(), rate);
    EXPECT_GT(row.at("of_copy").get<double>(), 0);
    EXPECT_EQ(row.at("elements"), 100);
  }
  EXPECT_EQ(rows[0].at("activation"), "uelu");
  EXPECT_EQ(rows[7].at("direction"), "second_backward");
}

TEST(Bench, PrintsATableAndRefusesWhatItDoesNotKnow) {
  const Result table = sh("limen bench relu --elements 64 --direction backward_with_sums --threads 2");
  EXPECT_EQ(table.status, 0) << table.err;
  EXPECT_NE(table.out.find("backward_with_sums  64"), std::string::npos) << table.out;
  for (const auto& [command, said] : {std::pair{"bench rellu", "try 'relu'"},
                                      {"bench relu --path avx3", "--path"},
                                      {"bench relu --direction sideways", "--direction"},
                                      {"bench relu --type f31", "f32, f64, bf16 or f16"},
                                      {"bench relu --elements 0", "--elements"},
                                      {"bench relu --threads none", "--threads"}}) {
    const Result wrong = sh(std::string("limen ") + command);
    EXPECT_EQ(wrong.status, 2) << command;
    EXPECT_NE(wrong.err.find(said), std::string::npos) << command << ": " << wrong.err;
  }
}

}  // namespace
}  // namespace limen::test
