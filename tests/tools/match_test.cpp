// Part of limen. SPDX-License-Identifier: MIT
//
// Widths that bring one family nearest to another, against values found independently in 20 digits.
#include "tools/match.h"

#include <gtest/gtest.h>

#include "limen/error.h"

namespace limen::tools {
namespace {

Member member(std::string_view name, std::vector<double> parameters = {}) { return {*find(name), parameters}; }

double width(const Member& from, const Member& to, Criterion criterion) {
  return matched(from, 0, to, criterion).parameters()[0];
}

TEST(Match, UeluToGelu) {
  const Member uelu = member("uelu", {1}), gelu = member("gelu");
  EXPECT_NEAR(width(uelu, gelu, Criterion::curvature), 1.2533141373155003, 1e-9);   // sqrt(pi / 2)
  EXPECT_NEAR(width(uelu, gelu, Criterion::correction), 1.5957691216057308, 1e-9);  // 4 phi(0)
  EXPECT_NEAR(width(uelu, gelu, Criterion::variance), 1.7320508075688773, 1e-9);
  EXPECT_NEAR(width(uelu, gelu, Criterion::rms), 1.59446158, 1e-6);
  EXPECT_NEAR(width(uelu, gelu, Criterion::sup), 1.80, 0.01);
}

TEST(Match, TakesALawGivenAsData) {
  const auto uniform = std::make_shared<laws::Empirical>(std::vector{0.0, 0.5, 1.0}, std::vector{-0.7, 0.0, 0.7});
  const Member uelu = member("uelu", {1}), data(uniform);
  for (const Criterion criterion : {Criterion::curvature, Criterion::correction, Criterion::variance})
    EXPECT_NEAR(width(uelu, data, criterion), 0.7, 1e-9);
  for (const Criterion criterion : {Criterion::rms, Criterion::sup, Criterion::gate})
    EXPECT_NEAR(width(uelu, data, criterion), 0.7, 1e-5);
  EXPECT_NEAR(rms_difference(member("uelu", {0.7}), data), 0, 1e-15);
}

TEST(Match, SeesJumps) {
  // All thresholds at 2: the gate jumps there, and the difference is largest on one of its sides.
  const Member uelu = member("uelu", {1}),
               point(std::make_shared<laws::Empirical>(std::vector{0.0, 1.0}, std::vector{2.0, 2.0}));
  const Member found = matched(uelu, 0, point, Criterion::sup);
  EXPECT_NEAR(found.parameters()[0], 9.65, 0.03);
  EXPECT_NEAR(sup_difference(found, point).size, 1.2072, 2e-4);
  EXPECT_NEAR(sup_difference(member("uelu", {9.532163950497447}), point).size, 1.2098, 1e-4);
}

TEST(Match, SaysWhenNothingIsNearest) {
  for (const auto& [from, to, criterion] :
       {std::tuple("uelu", "relu", Criterion::gate), {"silu", "relu", Criterion::rms}}) {
    try {
      matched(member(from, {1}), 0, member(to), criterion);
      ADD_FAILURE() << from << " to " << to;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("on both its sides"), std::string::npos) << error.what();
    }
  }
}

TEST(Match, SiluToGelu) {
  const Member silu = member("silu", {1}), gelu = member("gelu");
  EXPECT_NEAR(width(silu, gelu, Criterion::curvature), 1.5957691216057308, 1e-9);
  EXPECT_NEAR(width(silu, gelu, Criterion::variance), 1.8137993642342178, 1e-9);  // pi / sqrt 3
  EXPECT_NEAR(width(silu, gelu, Criterion::gate), 1.702, 5e-4);
  EXPECT_NEAR(width(silu, gelu, Criterion::sup), 1.7729, 5e-4);
}

TEST(Match, DistancesAreThePublishedOnes) {
  const Member gelu = member("gelu");
  EXPECT_NEAR(sup_difference(member("uelu", {1.2533141373155003}), gelu).size, 0.1316552643, 1e-9);  // at the knee
  EXPECT_NEAR(sup_difference(member("uelu", {3}), gelu).size, 0.29537, 5e-6);
  EXPECT_NEAR(rms_difference(member("uelu", {1.2533141373155003}), gelu), 0.05213, 5e-6);
  EXPECT_NEAR(rms_difference(member("uelu", {3}), gelu), 0.15269, 5e-6);
  const Sup tanh = sup_difference(member("gelu_tanh"), gelu);
  EXPECT_NEAR(tanh.size, 4.7324e-4, 5e-9);
  EXPECT_NEAR(std::abs(tanh.at), 2.699, 5e-4);
  EXPECT_NEAR(sup_difference(member("lambda_gelu", {4}), member("relu")).size, 0.1699712074799037 / 4, 1e-9);
}

TEST(Match, WhatCannotBeComparedIsRefused) {
  EXPECT_THROW(matched(member("uelu", {1}), 0, member("mish"), Criterion::correction), Error);
  EXPECT_THROW(matched(member("softplus", {1}), 0, member("gelu"), Criterion::gate), Error);
  EXPECT_THROW(matched(member("lambda_gelu", {1}), 0, member("relu"), Criterion::variance), Error);
}

}  // namespace
}  // namespace limen::tools
