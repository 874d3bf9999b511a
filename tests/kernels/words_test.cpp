// Part of limen. SPDX-License-Identifier: MIT
//
// Every word of the vocabulary means on vectors what it means on a float, special numbers included.
#include <gtest/gtest.h>

#include "kernels/cases.h"
#include "kernels/probes.h"

namespace limen::kernels {
namespace {

// SSE4 rounds the sum of a fused multiply-add twice, so that it may be the neighbour.
bool agrees(Isa isa, std::string_view word, float found, float expected) {
  if (same(found, expected)) return true;
  return isa == Isa::sse4 && word.starts_with("Fma") && std::nextafter(expected, found) == found;
}

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
      for (std::size_t i = 0; i < z.size(); ++i)
        ASSERT_TRUE(agrees(GetParam(), words[w].name, out[i], expected[i]))
            << words[w].name << " of " << z[i] << " and " << operand << ": " << out[i] << ", expected " << expected[i];
    }
}

INSTANTIATE_TEST_SUITE_P(Isa, Words, testing::ValuesIn(supported_isas()),
                         [](const auto& test) { return std::string(name(test.param)); });

}  // namespace
}  // namespace limen::kernels
