// Part of limen. SPDX-License-Identifier: MIT
//
// The formulas that activations state in words are the functions they compute.
#include <gtest/gtest.h>

#include "core/expression.h"
#include "limen/limen.h"

namespace limen::test {
namespace {

/// f(activation, its quantities at z, the number that a text stands for there) over parameters and points.
template <class F>
void everywhere(F f) {
  for (std::size_t i = 0; i < activation_count; ++i)
    for (const Parameters& parameters : parameter_sets(all_infos[i]))
      for (const double z : {-7.3, -3.1, -0.9, -0.25, 0.0, 0.3, 1.1, 2.4, 9.7}) {
        SCOPED_TRACE(label(all_infos[i], parameters) + " at " + std::to_string(z));
        Expression expression(all_infos[i], parameters);
        f(all_infos[i], evaluate(static_cast<ActivationId>(i), parameters.data(), z),
          [&](std::string_view text) { return expression(text, z); });
      }
}

void agree(double stated, double computed) { EXPECT_NEAR(stated, computed, 1e-9 * (1 + std::abs(computed))); }

TEST(Formula, OfTheValueAndItsSlope) {
  everywhere([](const ActivationInfo& about, const auto& at, const auto& stated) {
    agree(stated(about.formula), at.value);
    agree(stated(about.slope), at.slope);
  });
}

TEST(Formula, OfTheGateIsThereWhereThereIsALaw) {
  everywhere([](const ActivationInfo& about, const auto& at, const auto& stated) {
    ASSERT_EQ(about.gate.empty(), !at.gate);
    ASSERT_EQ(about.gate.empty(), about.law.empty());
    if (at.gate) agree(stated(about.gate), *at.gate);
  });
}

TEST(Formula, OfTheLoss) {
  everywhere([](const ActivationInfo& about, const auto& at, const auto& stated) {
    ASSERT_EQ(about.loss.empty() || about.loss == "inf", !at.loss);
    if (at.loss && !about.loss.starts_with("the integral")) agree(stated(about.loss), *at.loss);
  });
}

}  // namespace
}  // namespace limen::test
