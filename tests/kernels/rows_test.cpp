// Part of limen. SPDX-License-Identifier: MIT
//
// Faults that users of other projects reported of their kernels, each as a test; the other rows of that list are tests
// of the files beside this one. Numbers are those of the reports.
#include <gtest/gtest.h>

#include "kernels/cases.h"
#include "kernels/runs.h"

namespace limen::kernels {
namespace {

class Rows : public testing::TestWithParam<Isa> {
 protected:
  template <class T>
  static double value(std::string_view activation, double z) {
    return number(all<T>(activation, z, 1)[0]);
  }
  /// Times the upstream gradient.
  template <class T>
  static double slope(std::string_view activation, double z, double upstream = 1) {
    return number(all<T>(activation, z, upstream)[1]);
  }
  /// At default parameters.
  template <class T>
  static std::array<T, 2> all(std::string_view activation, double z, double upstream) {
    const Case c = at_default(activation);
    const T x = as<T>(z), g = as<T>(upstream);
    std::array<T, 2> results;
    forward(c.id, c.of<T>(), &x, &results[0], 1, GetParam());
    backward(c.id, c.of<T>(), &x, &g, &results[1], nullptr, 1, GetParam());
    return results;
  }
  static Case at_default(std::string_view activation) {
    const ActivationId id = *find(activation);
    return {id, test::parameter_sets(info(id))[0]};
  }
};

constexpr std::string_view gelus[] = {"gelu", "gelu_tanh"};

// NaN from 10.5 upward.
TEST_P(Rows, Row5_TanhGeluOfLargeBf16IsItsInput) {
  for (double z = 8; z <= 15.5; z += 0.5) EXPECT_EQ(value<BFloat16>("gelu_tanh", z), z);
  EXPECT_EQ(value<BFloat16>("gelu_tanh", 0x1.fep127), 0x1.fep127);
}

// The derivative's formula holds inf * 0.
TEST_P(Rows, Row7_TanhGeluSlopeOfHugeNumbers) {
  for (const double z : {1e13, 1e20, 3e38})
    for (const double upstream : {1.0, 0.0})
      for (const std::string_view gelu : gelus) {
        EXPECT_EQ(slope<float>(gelu, z, upstream), upstream);
        EXPECT_EQ(slope<float>(gelu, -z, upstream), 0);
        EXPECT_EQ(slope<BFloat16>(gelu, z, upstream), upstream);
        EXPECT_EQ(slope<double>(gelu, -z, upstream), 0);
      }
}

// The cube of 41 is beyond f16.
TEST_P(Rows, Row9_TanhGeluInF16ComputesInF32) {
  for (const double z : {41.0, 200.0}) {
    EXPECT_EQ(value<Float16>("gelu_tanh", z), z);
    EXPECT_EQ(slope<Float16>("gelu_tanh", z), 1);
  }
}

// The branch that is thrown away leaked its infinity through the selection.
TEST_P(Rows, Row11_SlopesFarToTheRightAreFinite) {
  for_all_types([&]<class T>() {
    const T one = as<T>(1);
    for (const Case& c : all_cases())
      for (const double z : {100.0, 1000.0, 1e30}) {
        const T x = as<T>(z);
        if (std::isinf(number(x))) continue;
        T grad = as<T>(0);
        ParameterSums sums = {};
        backward(c.id, c.of<T>(), &x, &one, &grad, sums.data(), 1, GetParam());
        EXPECT_TRUE(std::isfinite(number(grad))) << c.name() << " at " << z;
        EXPECT_TRUE(z < 1e30 || info(c.id).power_tails || number(grad) == 1) << c.name();
        for (const double sum : sums) EXPECT_TRUE(std::isfinite(sum)) << c.name() << " at " << z;
      }
  });
}

// 1 + tanh(u) has lost the tail at -4 and is 0 from -6 on.
TEST_P(Rows, Row15_TanhGeluKeepsItsTail) {
  const std::pair<double, double> exact[] = {{-5, -2.291796197e-7}, {-6, -8.439646701e-11}, {-8, -3.107782938e-21}};
  for (const auto& [z, expected] : exact) {
    EXPECT_NEAR(value<float>("gelu_tanh", z) / expected, 1, 4 * 0x1p-24);
    EXPECT_NEAR(value<double>("gelu_tanh", z) / expected, 1, 1e-9);
    EXPECT_NEAR(value<BFloat16>("gelu_tanh", z) / expected, 1, 0x1p-8);
  }
  for (const std::string_view gelu : gelus)
    for (double z = -12; z < -1; z += 0x1p-6) EXPECT_GE(value<float>(gelu, z), value<float>(gelu, z + 0x1p-6)) << z;
}

// A cut-off of bf16, taken over into f32.
TEST_P(Rows, Row17_GeluSlopeIsNotCutOff) {
  EXPECT_NEAR(slope<float>("gelu", 3.1719), 1.00751309, 1e-7);
  for (const double z : {3.5, 4.0, 5.0, 5.9})
    EXPECT_NEAR(slope<float>("gelu", z), slope<double>("gelu", z), 0x1p-23) << z;
}

// z exp(-z) overflows although the slope is small.
TEST_P(Rows, Row19_SiluSlopeFarToTheLeft) {
  for (const double upstream : {1.0, 0.5}) {
    EXPECT_NEAR(slope<float>("silu", -88, upstream) / (upstream * -5.267503649e-37), 1, 4 * 0x1p-24);
    EXPECT_NEAR(slope<double>("silu", -709, upstream) / (upstream * -8.614807714e-306), 1, 1e-9);
  }
}

// x came back instead of x / 2.
TEST_P(Rows, Row21_GeluOfTinyNumbersIsHalf) {
  for (const std::string_view gelu : gelus) {
    for (const double z :
         {-3.1851e-7, 1e-30, -1e-30, 0x1p-126, -0x1p-126, 0x1p-127, 0x1p-149, -0x1p-148, 3 * 0x1p-149}) {
      EXPECT_TRUE(same(as<float>(value<float>(gelu, z)), as<float>(static_cast<double>(as<float>(z)) / 2)) ||
                  std::abs(z) > 1e-7)
          << gelu << " of " << z;
      EXPECT_TRUE(same(as<BFloat16>(value<BFloat16>(gelu, z)), as<BFloat16>(number(as<BFloat16>(z)) / 2)))
          << gelu << " of " << z;
    }
    EXPECT_NEAR(value<float>(gelu, -3.1851e-7) / -1.59255e-7, 1, 1e-6);
    for (const double z : {0x1p-1022, -0x1p-1023, 0x1p-1074, 3 * 0x1p-1074})
      EXPECT_EQ(value<double>(gelu, z), z / 2) << gelu << " of " << z;
  }
}

// The input was rounded to f16 to look it up.
TEST_P(Rows, Row23_GeluReadsItsWholeInput) {
  for (const std::string_view gelu : gelus) {
    EXPECT_LT(value<float>(gelu, 1.0001), value<float>(gelu, 1.0003));
    EXPECT_EQ(value<float>(gelu, 12.3456), static_cast<double>(12.3456f));
  }
}

// Through softplus in f16 errors reach 100 percent.
TEST_P(Rows, Row25_MishInF16) {
  for (double z = -30; z <= 30; z += 0.5) {
    const double exact = value<double>("mish", z), unit = std::max(std::abs(exact) * 0x1p-10, 0x1p-24);
    EXPECT_NEAR(value<Float16>("mish", z), exact, 0.51 * unit) << z;
  }
}

// -0.5 and 1.5 at the knees.
TEST_P(Rows, Row29_HardSwishAtItsKnees) {
  for_all_types([&]<class T>() {
    const Case c = at_default("hard_swish");
    const std::vector<T> z = {as<T>(-3), as<T>(3)}, ones(2, as<T>(1));
    std::vector<T> values(2), slopes(2), curvatures(2);
    forward(c.id, c.of<T>(), z.data(), values.data(), 2, GetParam());
    backward(c.id, c.of<T>(), z.data(), ones.data(), slopes.data(), nullptr, 2, GetParam());
    second_backward(c.id, c.of<T>(), z.data(), ones.data(), ones.data(), nullptr, nullptr, curvatures.data(), nullptr,
                    2, GetParam());
    for (const std::size_t i : {0, 1}) {
      EXPECT_EQ(number(values[i]), i == 0 ? 0 : 3);
      EXPECT_EQ(number(slopes[i]), i == 0 ? 0 : 1);
      EXPECT_EQ(number(curvatures[i]), 0);
    }
  });
  const float inside = std::nextafter(-3.0f, 0.0f), outside = std::nextafter(3.0f, 4.0f);
  EXPECT_NEAR(slope<float>("hard_swish", static_cast<double>(inside)), -0.5, 1e-6);
  EXPECT_NEAR(slope<float>("hard_swish", static_cast<double>(std::nextafter(3.0f, 0.0f))), 1.5, 1e-6);
  EXPECT_EQ(slope<float>("hard_swish", static_cast<double>(outside)), 1);
}

// A count of 70,000 overflows f16 and stands still in bf16 at 256. The slope in alpha is z below 0.
template <class T>
void expect_exact_count(Isa isa, std::size_t n) {
  const float alpha = 0.25f;
  const std::vector<T> z(n, as<T>(-1)), ones(n, as<T>(1));
  double sum = 0;
  backward(*find("prelu"), &alpha, z.data(), ones.data(), nullptr, &sum, n, isa);
  EXPECT_EQ(sum, -static_cast<double>(n));
  const float w = 0;
  second_backward(*find("prelu"), &alpha, z.data(), ones.data(), ones.data(), &w, nullptr, nullptr, &sum, n, isa);
  EXPECT_EQ(sum, static_cast<double>(n)) << "of d2/dz dalpha, which is 1";
}

TEST_P(Rows, Row51_CountsAreExact) {
  for (const std::size_t n : {70'000, 10'000'000}) {
    expect_exact_count<Float16>(GetParam(), n);
    expect_exact_count<BFloat16>(GetParam(), n);
    expect_exact_count<float>(GetParam(), n);
  }
}

INSTANTIATE_TEST_SUITE_P(Isa, Rows, testing::ValuesIn(supported_isas()),
                         [](const auto& test) { return std::string(name(test.param)); });

}  // namespace
}  // namespace limen::kernels
