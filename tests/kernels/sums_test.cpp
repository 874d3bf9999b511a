// Part of limen. SPDX-License-Identifier: MIT
//
// How exact the sums over parameters' slopes are. The activations here are made for the purpose, so that the terms are
// known; the loops are those of every activation.
#include <gtest/gtest.h>

#include "kernels/cases.h"
#include "kernels/probes.h"

namespace limen::kernels {
namespace {

class Sums : public testing::TestWithParam<Isa> {};

double sum(const Kernel<float>& kernel, const std::vector<float>& z, const std::vector<float>& g) {
  const Operand<float> unused = {};
  LaneTotals totals;
  kernel.backward(&unused, z.data(), g.data(), nullptr, &totals, z.size());
  return totals.sum(0);
}

TEST_P(Sums, TenMillionUnitTermsAreExact) {
  const std::vector<float> ones(10'000'000, 1);
  EXPECT_EQ(sum(probes_for(GetParam()).unit_terms, ones, ones), 10'000'000);
}

// Terms of one sign: an f32 accumulator over all of them would be off by 1e-2.
TEST_P(Sums, RelativeErrorOfPositiveTerms) {
  std::vector<float> z(3'000'001), ones(z.size(), 1);
  double exact = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    z[i] = 1 + static_cast<float>(i % 1013) * 0x1p-10f;
    exact += static_cast<double>(z[i]);
  }
  EXPECT_NEAR(sum(probes_for(GetParam()).identity_terms, z, ones) / exact, 1, 64 * 0x1p-24);
}

// Each term reaches the sum once, wherever it stands.
TEST_P(Sums, EveryTermCountsOnce) {
  for (std::size_t n : {1ul, 15ul, 16ul, 17ul, 100ul, sum_block - 1, sum_block, sum_block + 1, 2 * sum_block + 33})
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<float> z(n, 0), ones(n, 1);
      z[i] = 3;
      ASSERT_EQ(sum(probes_for(GetParam()).identity_terms, z, ones), 3) << "n=" << n << " i=" << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Isa, Sums, testing::ValuesIn(supported_isas()),
                         [](const auto& test) { return std::string(name(test.param)); });

}  // namespace
}  // namespace limen::kernels
