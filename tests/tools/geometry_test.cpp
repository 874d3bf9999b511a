// Part of limen. SPDX-License-Identifier: MIT
#include "tools/geometry.h"

#include <gtest/gtest.h>

#include <cmath>

#include "limen/evaluate.h"

namespace limen::tools {
namespace {

figures::Curve value_of(const char* name, std::vector<double> parameters = {}) {
  return {[=](double z) { return evaluate<double>(*find(name), parameters.data(), z).value; }, {0}, {}};
}

TEST(Geometry, FindsTheMinimumBelowBothEnds) {
  const auto gelu = minimum(value_of("gelu"));
  ASSERT_TRUE(gelu);
  EXPECT_NEAR(gelu->value, -0.1699712074799037, 1e-15);
  EXPECT_NEAR(gelu->at, -0.7517915246935645, 1e-7);
  const auto uelu = minimum(value_of("uelu", {3000}));
  ASSERT_TRUE(uelu);
  EXPECT_NEAR(uelu->value, -3000 / 8.0, 1e-9);
  EXPECT_NEAR(uelu->at, -1500, 1e-3);
}

TEST(Geometry, HasNoMinimumWhereTheFunctionOnlyNearsItsEnd) {
  EXPECT_FALSE(minimum(value_of("relu")));
  EXPECT_FALSE(minimum(value_of("iglu", {1})));
  EXPECT_FALSE(minimum(value_of("leaky_relu", {0.01})));
  EXPECT_FALSE(minimum(value_of("squareplus", {4})));
}

TEST(Geometry, FindsAsymptotes) {
  const Asymptote iglu = asymptote(value_of("iglu", {2}), true);
  EXPECT_EQ(iglu.slope, 1);
  EXPECT_NEAR(iglu.offset, -0.5 / 3.14159265358979, 1e-7);
  EXPECT_EQ(asymptote(value_of("iglu", {2}), false).slope, 0);
  EXPECT_NEAR(asymptote(value_of("iglu", {2}), false).offset, -0.5 / 3.14159265358979, 1e-12);
  EXPECT_NEAR(asymptote(value_of("leaky_relu", {0.25}), false).slope, 0.25, 1e-12);
  for (const double alpha : {0.99995, 1 - 1e-9, 5e-5, 1e-12, -5e-5}) {
    const Asymptote leak = asymptote(value_of("leaky_relu", {alpha}), false);
    EXPECT_NEAR(leak.slope, alpha, 1e-15);
    EXPECT_NEAR(leak.offset, 0, 1e-7);
  }
  const figures::Curve shifted{[](double z) { return 0.25 * z + 3; }, {}, {}};
  EXPECT_NEAR(asymptote(shifted, true).offset, 3, 1e-7);
  const figures::Curve slow{[](double z) { return std::log1p(std::abs(z)); }, {}, {}};
  EXPECT_EQ(asymptote(slow, false).slope, 0);
  EXPECT_TRUE(std::isnan(asymptote(slow, false).offset));
  const figures::Curve logarithmic{[](double z) { return z + std::log1p(std::abs(z)); }, {}, {}};
  EXPECT_EQ(asymptote(logarithmic, true).slope, 1);
  EXPECT_TRUE(std::isnan(asymptote(logarithmic, true).offset));
}

}  // namespace
}  // namespace limen::tools
