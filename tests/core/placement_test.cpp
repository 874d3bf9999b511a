// Part of limen. SPDX-License-Identifier: MIT
//
// A law that is written for u alone stands anywhere on the line, at any width: T = m + s T0.
#include <gtest/gtest.h>

#include <cmath>

#include "core/points.h"
#include "limen/limen.h"

namespace limen::test {
namespace {

template <class Law>
using Shifted = activations::Transmission<Law, laws::ByLocationAndScale>;

template <class Law>
class Placement : public testing::Test {};
using Laws = testing::Types<laws::Normal, laws::Logistic>;
TYPED_TEST_SUITE(Placement, Laws);

/// Against the law at m = 0, s = 1: F(z) = F0(u), f = f0(u) / s, loss = s loss0(u), correction = s C0(u) - m F0(u).
TYPED_TEST(Placement, ShiftsAndScalesEveryQuantity) {
  const double standard[] = {0, 1}, m = -0.7, s = 1.3, placed[] = {m, s};
  for (const double z : {-9.0, -2.0, -0.7, 0.0, 0.4, 3.0, 20.0}) {
    const double u = (z - m) / s;
    const auto at = evaluate<Shifted<TypeParam>>(placed, z), at_u = evaluate<Shifted<TypeParam>>(standard, u);
    const auto near = [&](double got, double want, const char* what) {
      EXPECT_NEAR(got, want, 1e-14 * (std::abs(want) + 1e-3)) << what << " at " << z;
    };
    near(*at.gate, *at_u.gate, "gate");
    near(*at.density, *at_u.density / s, "density");
    near(*at.density_slope, *at_u.density_slope / (s * s), "density slope");
    near(*at.loss, s * *at_u.loss, "loss");
    near(*at.correction, s * *at_u.correction - m * *at_u.gate, "correction");
    near(at.value, z * *at_u.gate, "value");
    near(at.slope, *at_u.gate + z / s * *at_u.density, "slope");
    near(at.parameter_slopes[0], -z / s * *at_u.density, "slope in m");
    near(at.parameter_slopes[1], -z * u / s * *at_u.density, "slope in s");
  }
  const Distribution law = Shifted<TypeParam>::distribution(placed), law_0 = Shifted<TypeParam>::distribution(standard);
  EXPECT_DOUBLE_EQ(law.mean, m + s * law_0.mean);
  EXPECT_DOUBLE_EQ(law.variance, s * s * law_0.variance);
  EXPECT_DOUBLE_EQ(law.entropy, law_0.entropy + std::log(s));
  EXPECT_DOUBLE_EQ(Shifted<TypeParam>::quantile(placed, 0.3), m + s * Shifted<TypeParam>::quantile(standard, 0.3));
}

}  // namespace
}  // namespace limen::test
