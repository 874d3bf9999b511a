// Part of limen. SPDX-License-Identifier: MIT
//
// Every word of the vocabulary means on vectors what it means on a float or a double, special numbers included.
#include <gtest/gtest.h>

#include "kernels/cases.h"
#include "kernels/probes.h"

namespace limen::kernels {
namespace {

class Words : public testing::TestWithParam<Isa> {};

template <class S>
void compare_words(Isa isa) {
  using Limits = std::numeric_limits<S>;
  const S tiny = Limits::min() / S(3), root = std::sqrt(Limits::min()) / S(3);
  std::vector<S> z = mixed_inputs<S>(3000, 11);
  for (const S x : {Limits::quiet_NaN(), -Limits::quiet_NaN(), S(1), S(2), S(-3), tiny, root}) z.push_back(x);
  std::vector<S> expected(z.size()), out(z.size());
  const auto words = probes_for(isa).of<S>().words;
  ASSERT_GT(words.size(), 30u);
  for (std::size_t w = 0; w < words.size(); ++w)
    for (const S operand : {S(0), S(-0.0), S(1), S(1.7), S(-3), tiny / S(2), S(1e30), Limits::infinity(),
                            -Limits::infinity(), Limits::quiet_NaN()}) {
      const Operand<S> p{operand};
      scalar_probes.of<S>().words[w].run(&p, z.data(), expected.data(), z.size());
      words[w].run(&p, z.data(), out.data(), z.size());
      const std::size_t i = first_difference(out.data(), expected.data(), z.size());
      ASSERT_EQ(i, z.size()) << words[w].name << " of " << z[i] << " and " << operand << ": " << out[i] << ", expected "
                             << expected[i];
    }
}

TEST_P(Words, MeanTheSameAsOnAFloat) { compare_words<float>(GetParam()); }
TEST_P(Words, MeanTheSameAsOnADouble) { compare_words<double>(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Isa, Words, testing::ValuesIn(supported_isas()),
                         [](const auto& test) { return std::string(name(test.param)); });

}  // namespace
}  // namespace limen::kernels
