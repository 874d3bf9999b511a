// Part of limen. SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "cli/shell.h"
#include "limen/registry.h"

namespace limen::test {
namespace {

TEST(List, HoldsEveryActivationWithinAHundredColumns) {
  const Result result = sh("limen list");
  ASSERT_EQ(result.status, 0) << result.err;
  for (const ActivationInfo& about : all_infos) {
    std::string entry(about.name);
    entry += ' ';
    EXPECT_TRUE(result.out.starts_with(entry) || result.out.find('\n' + entry) != std::string::npos) << about.name;
    EXPECT_NE(result.out.find(about.formula), std::string::npos) << about.name;
  }
  std::stringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

TEST(List, JsonHoldsWhatTheRegistryHolds) {
  const auto all = nlohmann::json::parse(sh("limen list --json").out);
  ASSERT_EQ(all["activations"].size(), activation_count);
  for (std::size_t i = 0; i < activation_count; ++i) {
    const auto& entry = all["activations"][i];
    EXPECT_EQ(entry["name"], all_infos[i].name);
    EXPECT_EQ(entry["title"], all_infos[i].title);
    EXPECT_EQ(entry["formula"], all_infos[i].formula);
    EXPECT_EQ(entry["slope"], all_infos[i].slope);
    EXPECT_EQ(entry["gate"].is_null(), all_infos[i].gate.empty());
    EXPECT_EQ(entry["bound"]["value"], all_infos[i].bound.value);
    ASSERT_EQ(entry["parameters"].size(), all_infos[i].parameter_count);
    for (std::size_t k = 0; k < all_infos[i].parameter_count; ++k) {
      EXPECT_EQ(entry["parameters"][k]["name"], all_infos[i].parameter[k].name);
      EXPECT_EQ(entry["parameters"][k]["default"], all_infos[i].parameter[k].initial);
      EXPECT_EQ(entry["parameters"][k]["upper"], all_infos[i].parameter[k].upper);
    }
  }
  const auto tuelu = std::find_if(all["aliases"].begin(), all["aliases"].end(),
                                  [](const auto& alias) { return alias["name"] == "tuelu"; });
  ASSERT_NE(tuelu, all["aliases"].end());
  EXPECT_EQ((*tuelu)["activation"], "uelu");
  EXPECT_EQ((*tuelu)["learned"]["beta"], 1.25);
  EXPECT_EQ((*tuelu)["scope"], "model");
  EXPECT_EQ(all["aliases"].size(), aliases.size());
  EXPECT_EQ(all["further"][0]["name"], "empirical(FILE)");
}

TEST(List, FunctionsPageIsFresh) {
  EXPECT_TRUE(read(LIMEN_SOURCE_DIR "/docs/functions.md") == sh("limen list --markdown").out)
      << "docs/functions.md differs from the registry; run scripts/pictures";
}

}  // namespace
}  // namespace limen::test
