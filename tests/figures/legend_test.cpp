// Part of limen. SPDX-License-Identifier: MIT
#include "figures/legend.h"

#include <gtest/gtest.h>

namespace limen::figures {
namespace {

const std::vector<std::string> labels = {"one", "another"};
constexpr Range unit{0, 1, 0, 1};

Legend placed(const Stroke& line) { return place_legend(labels, {{line}}, unit, 26, 18); }

TEST(Legend, TakesTheFirstFreeCorner) {
  const Legend upper_left = placed({{0, 0}, {1, 1}});
  EXPECT_LT(upper_left.x, 0.1);
  EXPECT_EQ(upper_left.y, 1);
  const Legend upper_right = placed({{0, 1}, {1, 0}});
  EXPECT_GT(upper_right.x, 0.5);
  EXPECT_EQ(upper_right.y, 1);
  const Legend below = placed({{0, 0.9}, {1, 0.9}});
  EXPECT_LT(below.y, 0.3);
  EXPECT_EQ(below.room, 0);
}

TEST(Legend, MakesRoomWhereNoCornerIsFree) {
  const Legend legend = placed({{0, 0.05}, {0.1, 0.95}, {0.9, 0.95}, {0.95, 0.05}});
  ASSERT_GT(legend.room, 0);
  const double highest_line = 1 / (1 + legend.room);
  EXPECT_LE(highest_line, legend.y - legend.height + 1e-9);
}

TEST(Legend, CountsLettersNotBytesNorMarks) {
  const auto width = [](const std::string& label) { return place_legend({label}, {}, unit, 26, 18).width; };
  EXPECT_EQ(width("*\u03b2* = 1"), width("b = 1"));
}

}  // namespace
}  // namespace limen::figures
