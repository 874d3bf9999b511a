// Part of limen. SPDX-License-Identifier: MIT
//
// Every word of the vocabulary means on vectors what it means on a float, special numbers included.
#include <gtest/gtest.h>

#include "kernels/cases.h"
#include "kernels/probes.h"

namespace limen::kernels {
namespace {

class Words : public testing::TestWithParam<Isa> {};

TEST_P(Words, MeanTheSameAsOnAFloat) {
  std::vector<float> z = mixed_inputs(3000, 11);
  for (const float x : {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::quiet_NaN(), 1.0f, 2.0f,
                        -3.0f, 1e-40f, 5e-20f})
    z.push_back(x);
  std::vector<float> expected(z.size()), out(z.size());
  const std::span<const Word> words = probes_for(GetParam()).words;
  ASSERT_GT(words.size(), 30u);
  for (std::size_t w = 0; w < words.size(); ++w)
    for (const float operand : {0.0f, -0.0f, 1.0f, 1.7f, -3.0f, 2.5e-39f, 1e30f, std::numeric_limits<float>::infinity(),
                                -std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
      const Operand<float> p{operand};
      scalar_probes.words[w].run(&p, z.data(), expected.data(), z.size());
      words[w].run(&p, z.data(), out.data(), z.size());
      const std::size_t i = first_difference(out.data(), expected.data(), z.size());
      ASSERT_EQ(i, z.size()) << words[w].name << " of " << z[i] << " and " << operand << ": " << out[i] << ", expected "
                             << expected[i];
    }
}

INSTANTIATE_TEST_SUITE_P(Isa, Words, testing::ValuesIn(supported_isas()),
                         [](const auto& test) { return std::string(name(test.param)); });

}  // namespace
}  // namespace limen::kernels
