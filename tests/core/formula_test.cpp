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

/// Digits without a formula are rounded.
void agree_on_fact(std::string_view text, double stated, double computed) {
  SCOPED_TRACE(std::string(text));
  if (std::isnan(computed) || std::isinf(computed)) {
    EXPECT_EQ(text == "nan", std::isnan(computed));
    if (text != "nan") {
      EXPECT_EQ(stated, computed);
    }
    return;
  }
  const bool digits = text.find_first_not_of("-.0123456789") == text.npos;
  EXPECT_NEAR(stated, computed, (digits ? 5e-6 : 1e-12) * (1 + std::abs(computed)));
}

TEST(Formula, OfTheMomentsAndTheEntropy) {
  for (std::size_t i = 0; i < activation_count; ++i)
    for (const Parameters& parameters : parameter_sets(all_infos[i])) {
      const ActivationInfo& about = all_infos[i];
      SCOPED_TRACE(label(about, parameters));
      const auto law = distribution(static_cast<ActivationId>(i), parameters.data());
      ASSERT_EQ(law.has_value(), !about.law.empty());
      for (const std::string_view text : {about.mean, about.variance, about.entropy})
        ASSERT_EQ(text.empty(), !law) << text;
      if (!law) continue;
      Expression stated(about, parameters);
      agree_on_fact(about.mean, stated(about.mean), law->mean);
      agree_on_fact(about.variance, stated(about.variance), law->variance);
      agree_on_fact(about.entropy, stated(about.entropy), law->entropy);
    }
}

}  // namespace
}  // namespace limen::test
