// Part of limen. SPDX-License-Identifier: MIT
#include "figures/curve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace limen::figures {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The stroke's y at x.
double read_off(const Stroke& stroke, double x) {
  const auto right = std::ranges::find_if(stroke, [&](const Point& p) { return p.x >= x; });
  if (right == stroke.begin()) return right->y;
  const Point a = *std::prev(right), b = *right;
  return a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x);
}

TEST(Strokes, FollowACurveAsNearAsTheEyeSees) {
  const auto all = strokes({[](double x) { return std::tanh(3 * x); }, {}, {}}, -4, 4);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].front().x, -4);
  EXPECT_EQ(all[0].back().x, 4);
  for (double x = -4; x <= 4; x += 0.001) EXPECT_NEAR(read_off(all[0], x), std::tanh(3 * x), 2e-3) << x;
  EXPECT_LT(all[0].size(), 80u);
}

TEST(Strokes, AreTwoPointsWhereStraightAndOneMoreOnEachKink) {
  const double kink = 0.123456789;
  const auto all = strokes({[=](double x) { return std::max(0.0, x - kink); }, {kink}, {}}, -4, 4);
  ASSERT_EQ(all.size(), 1u);
  ASSERT_EQ(all[0].size(), 3u);
  EXPECT_EQ(all[0][1].x, kink);
  EXPECT_NEAR(all[0][1].y, 0, 1e-12);
}

TEST(Strokes, DoNotCrossAJump) {
  const auto all = strokes({[](double x) { return x < 1 ? 0.25 : 2 * x; }, {1}, {}}, 0, 3);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].back().x, 1);
  EXPECT_EQ(all[0].back().y, 0.25);
  EXPECT_EQ(all[1].front().x, 1);
  EXPECT_NEAR(all[1].front().y, 2, 1e-12);
}

TEST(Strokes, LeaveAGapWhereThereIsNothing) {
  const auto hole = [](double x) -> std::optional<double> {
    if (std::abs(x) < 1) return {};
    if (x > 2) return x > 3 ? infinity : std::nan("");
    return x;
  };
  const auto all = strokes({hole, {}, {}}, -4, 4);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_NEAR(all[0].back().x, -1, 1e-3);
  EXPECT_NEAR(all[1].front().x, 1, 1e-3);
  EXPECT_NEAR(all[1].back().x, 2, 1e-3);
}

TEST(Strokes, FindANarrowTransitionByItsGuides) {
  const auto step = [](double x) { return 1 / (1 + std::exp(-(x - 0.3) * 1e6)); };
  const auto all = strokes({step, {}, {0.3 - 2e-6, 0.3, 0.3 + 2e-6}}, -4, 4);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_NEAR(read_off(all[0], 0.3), 0.5, 1e-2);
  EXPECT_GT(std::ranges::count_if(all[0], [](const Point& p) { return p.y > 0.05 && p.y < 0.95; }), 5);
}

TEST(Strokes, OfNothingAreNone) {
  EXPECT_TRUE(strokes({[](double) -> std::optional<double> { return {}; }, {0}, {}}, -1, 1).empty());
}

}  // namespace
}  // namespace limen::figures
