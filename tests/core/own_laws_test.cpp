// Part of limen. SPDX-License-Identifier: MIT
//
// Compiled with LIMEN_OWN_LAWS, as a user does whose law stands outside the tree.
#include <gtest/gtest.h>

#include <cmath>

#include "limen/limen.h"

namespace limen::test {
namespace {

TEST(OwnLaws, StandInTheRegistryBehindLimens) {
  const auto id = find("laplace");
  ASSERT_TRUE(id);
  EXPECT_EQ(static_cast<std::size_t>(*id), activation_count - 1);
  EXPECT_TRUE(find("gelu"));
}

TEST(OwnLaws, AreEvaluatedLikeLimens) {
  const double scale = 0.5;
  const Member laplace(*find("laplace"), {&scale, 1});
  for (const double z : {-2.0, -0.3, 0.8}) {
    const double tail = std::exp(-std::abs(z) / scale) / 2, gate = z < 0 ? tail : 1 - tail;
    const auto q = laplace.at(z);
    EXPECT_NEAR(q.value, z * gate, 1e-15);
    EXPECT_NEAR(q.slope, gate + z * tail / scale, 1e-15);
    EXPECT_NEAR(*q.loss, std::max(z, 0.0) + scale * tail, 1e-15);
  }
  EXPECT_DOUBLE_EQ(laplace.distribution()->variance, 2 * scale * scale);
}

}  // namespace
}  // namespace limen::test
