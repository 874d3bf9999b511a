// Part of limen. SPDX-License-Identifier: MIT
//
// One result whatever the instruction set, the size and the alignment.
#include <gtest/gtest.h>

#include "kernels/cases.h"
#include "limen/evaluate.h"

namespace limen::kernels {
namespace {

constexpr std::size_t max_size = 200;
constexpr std::size_t offsets = 16;
constexpr float guard = 1e30f;

/// A buffer whose element 0 can be placed 0..15 floats behind a multiple of 64 bytes, with guards before and behind.
class Buffer {
 public:
  float* at(std::size_t offset) { return memory_.data() + offsets + offset; }
  void clear() { memory_.fill(guard); }
  bool guards_untouched(std::size_t offset, std::size_t n) const {
    for (std::size_t i = 0; i < memory_.size(); ++i)
      if ((i < offsets + offset || i >= offsets + offset + n) && memory_[i] != guard) return false;
    return true;
  }

 private:
  alignas(64) std::array<float, max_size + 4 * offsets> memory_;
};

/// Reads and writes of wide vectors are tried at every place in a cache line; narrow ones, which are slow, at every
/// place in a vector.
std::size_t offsets_of(Isa isa) { return isa == Isa::avx2 || isa == Isa::avx512 ? offsets : 4; }

class Agreement : public testing::TestWithParam<Isa> {};

// With parameters of another magnitude than most inputs an activation is a straight line, on which all paths agree.
TEST(Cases, BendWhereMostInputsAre) {
  std::vector<float> z = gradients(2000, 1), slopes(z.size());
  z[0] = 0;
  const std::vector<float> ones(z.size(), 1);
  for (const Case& c : all_cases()) {
    for (std::size_t k = 0; k < c.parameter_count(); ++k)
      EXPECT_TRUE(info(c.id).parameter[k].accepts(static_cast<double>(c.parameters[k]))) << c.name();
    backward(c.id, c.parameters.data(), z.data(), ones.data(), slopes.data(), nullptr, z.size(), Isa::scalar);
    // Without a law it may be straight indeed, with a kink at 0: then both pieces must be seen.
    const bool straight = info(c.id).law.empty() && info(c.id).meets_at_0 && std::ranges::all_of(z, [&](float x) {
                            return evaluate(c.id, c.parameters.data(), x).curvature == 0;
                          });
    const auto bends = std::ranges::count_if(
        slopes, [&](float slope) { return slope != slopes[0] && (straight || (slope != 0 && slope != 1)); });
    EXPECT_GE(bends, c.parameter_count() > 0 ? 5 : 0) << c.name();
  }
}

TEST_P(Agreement, ForwardAtEverySizeAndOffset) {
  const std::vector<float> z = mixed_inputs(max_size, 1);
  Buffer in, out;
  for (const Case& c : all_cases()) {
    std::vector<float> expected(max_size);
    forward(c.id, c.parameters.data(), z.data(), expected.data(), max_size, Isa::scalar);
    for (std::size_t from = 0; from < offsets_of(GetParam()); ++from) {
      in.clear();
      std::copy(z.begin(), z.end(), in.at(from));
      for (std::size_t to = 0; to < offsets_of(GetParam()); ++to)
        for (std::size_t n = 0; n <= max_size; ++n) {
          out.clear();
          forward(c.id, c.parameters.data(), in.at(from), out.at(to), n, GetParam());
          const std::size_t i = first_difference(out.at(to), expected.data(), n);
          ASSERT_EQ(i, n) << c.name() << " at " << z[i] << ": " << out.at(to)[i] << ", expected " << expected[i]
                          << "; offsets " << from << " and " << to;
          ASSERT_TRUE(out.guards_untouched(to, n)) << c.name() << " n=" << n << " offset " << to;
        }
    }
  }
}

TEST_P(Agreement, BackwardAtEverySizeAndOffset) {
  const std::vector<float> z = mixed_inputs(max_size, 2), g = gradients(max_size, 2);
  Buffer in, upstream, out;
  for (const Case& c : all_cases()) {
    std::vector<float> expected(max_size);
    backward(c.id, c.parameters.data(), z.data(), g.data(), expected.data(), nullptr, max_size, Isa::scalar);
    for (std::size_t from = 0; from < offsets_of(GetParam()); ++from) {
      in.clear();
      upstream.clear();
      std::copy(z.begin(), z.end(), in.at(from));
      std::copy(g.begin(), g.end(), upstream.at((from * 5 + 3) % offsets));
      for (std::size_t to = 0; to < offsets_of(GetParam()); ++to)
        for (std::size_t n = 0; n <= max_size; ++n) {
          out.clear();
          backward(c.id, c.parameters.data(), in.at(from), upstream.at((from * 5 + 3) % offsets), out.at(to), nullptr,
                   n, GetParam());
          const std::size_t i = first_difference(out.at(to), expected.data(), n);
          ASSERT_EQ(i, n) << c.name() << " at " << z[i] << ": " << out.at(to)[i] << ", expected " << expected[i];
          ASSERT_TRUE(out.guards_untouched(to, n)) << c.name() << " n=" << n << " offset " << to;
        }
    }
  }
}

// With grad_z, without it, and grad_z alone must agree; the memory behind z and grad_out holds numbers that would show.
TEST_P(Agreement, ParameterSumsAtEverySizeAndOffset) {
  const std::vector<float> z = mixed_inputs(max_size, 3), g = gradients(max_size, 3);
  Buffer in, upstream, out;
  for (const Case& c : all_cases()) {
    for (std::size_t n = 0; n <= max_size; ++n) {
      std::array<double, max_parameters> expected = {};
      std::vector<float> slopes(n);
      backward(c.id, c.parameters.data(), z.data(), g.data(), nullptr, expected.data(), n, Isa::scalar);
      backward(c.id, c.parameters.data(), z.data(), g.data(), slopes.data(), nullptr, n, Isa::scalar);
      for (std::size_t offset = 0; offset < offsets_of(GetParam()); ++offset) {
        in.clear();
        upstream.clear();
        out.clear();
        std::copy_n(z.begin(), n, in.at(offset));
        std::copy_n(g.begin(), n, upstream.at(15 - offset));
        std::array<double, max_parameters> alone = {}, both = {};
        backward(c.id, c.parameters.data(), in.at(offset), upstream.at(15 - offset), nullptr, alone.data(), n,
                 GetParam());
        backward(c.id, c.parameters.data(), in.at(offset), upstream.at(15 - offset), out.at(offset), both.data(), n,
                 GetParam());
        ASSERT_EQ(first_difference(alone.data(), expected.data(), max_parameters), max_parameters) << c.name() << n;
        ASSERT_EQ(first_difference(both.data(), expected.data(), max_parameters), max_parameters) << c.name() << n;
        ASSERT_EQ(first_difference(out.at(offset), slopes.data(), n), n) << c.name();
        ASSERT_TRUE(out.guards_untouched(offset, n)) << c.name() << " n=" << n << " offset " << offset;
      }
    }
  }
}

TEST_P(Agreement, ParameterSumsOverBlocks) {
  for (const std::size_t n : {sum_block - 1, sum_block, sum_block + 1, 3 * sum_block, 3 * sum_block + 517}) {
    std::vector<float> z = gradients(n, 4);
    const std::vector<float> g = gradients(n, 5);
    for (float& x : z) x *= 3;
    for (const Case& c : all_cases()) {
      std::array<double, max_parameters> expected = {}, sums = {};
      backward(c.id, c.parameters.data(), z.data(), g.data(), nullptr, expected.data(), n, Isa::scalar);
      backward(c.id, c.parameters.data(), z.data(), g.data(), nullptr, sums.data(), n, GetParam());
      for (std::size_t k = 0; k < c.parameter_count(); ++k) EXPECT_EQ(sums[k], expected[k]) << c.name() << " n=" << n;
    }
  }
}

TEST_P(Agreement, InPlace) {
  const std::vector<float> z = mixed_inputs(max_size, 6), g = gradients(max_size, 6);
  for (const Case& c : all_cases())
    for (std::size_t n = 0; n <= max_size; ++n) {
      std::vector<float> expected(n), values(z.begin(), z.begin() + static_cast<std::ptrdiff_t>(n));
      forward(c.id, c.parameters.data(), z.data(), expected.data(), n, GetParam());
      forward(c.id, c.parameters.data(), values.data(), values.data(), n, GetParam());
      ASSERT_EQ(first_difference(values.data(), expected.data(), n), n) << c.name();

      std::array<double, max_parameters> sums = {};
      for (double* const wanted : {static_cast<double*>(nullptr), sums.data()}) {
        std::vector<float> slopes(g.begin(), g.begin() + static_cast<std::ptrdiff_t>(n));
        backward(c.id, c.parameters.data(), z.data(), g.data(), expected.data(), nullptr, n, GetParam());
        backward(c.id, c.parameters.data(), z.data(), slopes.data(), slopes.data(), wanted, n, GetParam());
        ASSERT_EQ(first_difference(slopes.data(), expected.data(), n), n) << c.name();
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Isa, Agreement, testing::ValuesIn(supported_isas()),
                         [](const auto& test) { return std::string(name(test.param)); });

// The kernels add nothing to the formulas: what a user computes from the headers is what the scalar loop computes.
TEST(Scalar, EqualsTheFormulas) {
  const std::vector<float> z = mixed_inputs(5000, 7), g = gradients(5000, 7);
  const std::vector<double> wide_z(z.begin(), z.end()), wide_g(g.begin(), g.end());
  std::vector<float> values(z.size()), slopes(z.size());
  std::vector<double> wide_values(z.size()), wide_slopes(z.size());
  for (const Case& c : all_cases()) {
    forward(c.id, c.parameters.data(), z.data(), values.data(), z.size(), Isa::scalar);
    backward(c.id, c.parameters.data(), z.data(), g.data(), slopes.data(), nullptr, z.size(), Isa::scalar);
    forward(c.id, c.wide.data(), wide_z.data(), wide_values.data(), z.size());
    backward(c.id, c.wide.data(), wide_z.data(), wide_g.data(), wide_slopes.data(), nullptr, z.size());
    visit(c.id, [&]<class A>() {
      const auto constants = A::prepare(c.parameters.data());
      const auto wide_constants = A::prepare(c.wide.data());
      for (std::size_t i = 0; i < z.size(); ++i) {
        ASSERT_TRUE(same(values[i], A::value(z[i], constants))) << c.name() << " at " << z[i];
        ASSERT_TRUE(same(slopes[i], g[i] * A::slope(z[i], constants))) << c.name() << " at " << z[i];
        ASSERT_TRUE(same(wide_values[i], A::value(wide_z[i], wide_constants))) << c.name() << " at " << z[i];
        ASSERT_TRUE(same(wide_slopes[i], wide_g[i] * A::slope(wide_z[i], wide_constants))) << c.name();
      }
    });
  }
}

}  // namespace
}  // namespace limen::kernels
