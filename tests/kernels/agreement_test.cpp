// Part of limen. SPDX-License-Identifier: MIT
//
// One result whatever the instruction set, the size and the alignment.
#include <gtest/gtest.h>

#include <numeric>
#include <span>

#include "kernels/cases.h"
#include "kernels/runs.h"
#include "limen/evaluate.h"

namespace limen::kernels {
namespace {

constexpr std::size_t max_size = Buffer<float>::max_size;

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

constexpr std::size_t some_sizes[] = {1, 15, 37, 67, max_size};

/// A loop's results by the scalar path, for the given n up to max_size: arrays do not depend on n, sums do.
template <class T>
struct Expected {
  std::vector<T> z = mixed_inputs<T>(max_size, 1), grad = gradients<T>(max_size, 2), v = gradients<T>(max_size, 3);
  std::vector<T> first = std::vector<T>(max_size), second = first;
  std::vector<ParameterSums> sums = std::vector<ParameterSums>(max_size + 1);

  Expected(Loop loop, const Case& c, std::span<const std::size_t> sizes) {
    for (const std::size_t n : sizes)
      sums[n] = run<T>(loop, c, {z.data(), grad.data(), v.data(), first.data(), second.data(), n}, Isa::scalar);
  }
};

template <class T>
void expect_results(Loop loop, const Expected<T>& expected, const T* first, const T* second, const ParameterSums& sums,
                    std::size_t n) {
  const std::size_t i = first_difference(first, expected.first.data(), n);
  ASSERT_EQ(i, n) << "at " << number(expected.z[i]) << ": " << number(first[i]) << ", expected "
                  << number(expected.first[i]);
  const std::size_t j = loop == Loop::second_backward ? first_difference(second, expected.second.data(), n) : n;
  ASSERT_EQ(j, n) << "grad_z at " << number(expected.z[j]) << ": " << number(second[j]) << ", expected "
                  << number(expected.second[j]);
  const std::size_t k = first_difference(sums.data(), expected.sums[n].data(), max_parameters);
  ASSERT_EQ(k, max_parameters) << "sum " << k << ": " << sums[k] << ", expected " << expected.sums[n][k];
}

/// Every size with arrays at two places each in a cache line; over all sizes, at every one.
template <class T>
void compare_at_every_size_and_offset(Isa isa, Loop loop, const Case& c) {
  std::array<std::size_t, max_size + 1> sizes;
  std::iota(sizes.begin(), sizes.end(), 0);
  const Expected<T> expected(loop, c, sizes);
  Buffer<T> z, grad, v, first, second;
  for (const std::size_t n : sizes)
    for (const std::size_t shift : {n, 3 * n + 7}) {
      const auto place = [&](std::size_t which) { return (shift + which * (n / 16 + 1)) % Buffer<T>::offsets; };
      first.clear();
      second.clear();
      const ParameterSums sums = run<T>(loop, c,
                                        {z.fill(place(0), expected.z, n), grad.fill(place(1), expected.grad, n),
                                         v.fill(place(2), expected.v, n), first.at(place(3)), second.at(place(4)), n},
                                        isa);
      expect_results<T>(loop, expected, first.at(place(3)), second.at(place(4)), sums, n);
      ASSERT_TRUE(first.guards_untouched(place(3), n)) << "n=" << n;
      ASSERT_TRUE(second.guards_untouched(place(4), loop == Loop::second_backward ? n : 0)) << "n=" << n;
      if (testing::Test::HasFatalFailure()) return;
    }
}

void compare_loop(Isa isa, Loop loop) {
  for_all_types([&]<class T>() {
    for (const Case& c : all_cases()) {
      SCOPED_TRACE(c.name() + ", " + std::to_string(8 * sizeof(T)) + " bits");
      compare_at_every_size_and_offset<T>(isa, loop, c);
      if (testing::Test::HasFatalFailure()) return;
    }
  });
}

// Guards before and behind all arrays are NaN and 1e30, as issue google/gemma.cpp#23 asks.
TEST_P(Agreement, Row73_ForwardAtEverySizeAndOffset) { compare_loop(GetParam(), Loop::forward); }
TEST_P(Agreement, Row73_BackwardAtEverySizeAndOffset) { compare_loop(GetParam(), Loop::backward); }
TEST_P(Agreement, Row73_ParameterSumsAtEverySizeAndOffset) { compare_loop(GetParam(), Loop::backward_with_sums); }
TEST_P(Agreement, Row73_SecondBackwardAtEverySizeAndOffset) { compare_loop(GetParam(), Loop::second_backward); }

// What is not asked for is left out, and changes nothing of the rest.
template <class T>
void ask_for_one_output(Isa isa, const Case& c) {
  const Expected<T> both(Loop::backward_with_sums, c, some_sizes), second(Loop::second_backward, c, some_sizes);
  const T *const z = both.z.data(), *const grad = both.grad.data(), *const v = both.v.data();
  std::vector<T> out(max_size);
  ParameterSums sums = {};
  for (const std::size_t n : some_sizes) {
    backward(c.id, c.of<T>(), z, grad, nullptr, sums.data(), n, isa);
    ASSERT_EQ(first_difference(sums.data(), both.sums[n].data(), max_parameters), max_parameters) << c.name();
    const auto ask = [&](T* first, T* grad_z, double* to) {
      second_backward(c.id, c.of<T>(), z, grad, v, cotangents<T>.data(), first, grad_z, to, n, isa);
    };
    ask(out.data(), nullptr, nullptr);
    ASSERT_EQ(first_difference(out.data(), second.first.data(), n), n) << c.name();
    ask(nullptr, out.data(), nullptr);
    ASSERT_EQ(first_difference(out.data(), second.second.data(), n), n) << c.name();
    ask(nullptr, nullptr, sums.data());
    ASSERT_EQ(first_difference(sums.data(), second.sums[n].data(), max_parameters), max_parameters) << c.name();
  }
}

TEST_P(Agreement, OutputsAreOptional) {
  for_all_types([&]<class T>() {
    for (const Case& c : all_cases()) ask_for_one_output<T>(GetParam(), c);
  });
}

template <class T>
void compare_sums_over_blocks(Isa isa, Loop loop) {
  for (const std::size_t n : {sum_block - 1, sum_block, sum_block + 1, 3 * sum_block, 3 * sum_block + 517}) {
    std::vector<T> z = gradients<T>(n, 4);
    const std::vector<T> grad = gradients<T>(n, 5), v = gradients<T>(n, 6);
    for (T& x : z) x = as<T>(3 * number(x));
    std::vector<T> first(n), second(n);
    const Arrays<T> arrays = {z.data(), grad.data(), v.data(), first.data(), second.data(), n};
    for (const Case& c : all_cases()) {
      const ParameterSums expected = run<T>(loop, c, arrays, Isa::scalar), sums = run<T>(loop, c, arrays, isa);
      for (std::size_t k = 0; k < c.parameter_count(); ++k) ASSERT_EQ(sums[k], expected[k]) << c.name() << " n=" << n;
    }
  }
}

TEST_P(Agreement, ParameterSumsOverBlocks) {
  for_all_types([&]<class T>() {
    compare_sums_over_blocks<T>(GetParam(), Loop::backward_with_sums);
    compare_sums_over_blocks<T>(GetParam(), Loop::second_backward);
  });
}

/// The loop with its outputs written over two of its inputs.
template <class T>
void compare_in_place(Isa isa, Loop loop, const Case& c, std::size_t over_first, std::size_t over_second) {
  const Expected<T> expected(loop, c, some_sizes);
  for (const std::size_t n : some_sizes) {
    std::array<std::vector<T>, 3> inputs = {expected.z, expected.grad, expected.v};
    T *const first = inputs[over_first].data(), *const second = inputs[over_second].data();
    const ParameterSums sums =
        run<T>(loop, c, {inputs[0].data(), inputs[1].data(), inputs[2].data(), first, second, n}, isa);
    expect_results<T>(loop, expected, first, second, sums, n);
  }
}

TEST_P(Agreement, InPlace) {
  for_all_types([&]<class T>() {
    for (const Case& c : all_cases()) {
      SCOPED_TRACE(c.name() + ", " + std::to_string(8 * sizeof(T)) + " bits");
      compare_in_place<T>(GetParam(), Loop::forward, c, 0, 0);
      for (const std::size_t input : {0, 1}) {
        compare_in_place<T>(GetParam(), Loop::backward, c, input, input);
        compare_in_place<T>(GetParam(), Loop::backward_with_sums, c, input, input);
      }
      for (const std::size_t a : {0, 1, 2})
        for (const std::size_t b : {0, 1, 2})
          if (a != b) compare_in_place<T>(GetParam(), Loop::second_backward, c, a, b);
      if (testing::Test::HasFatalFailure()) return;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Isa, Agreement, testing::ValuesIn(supported_isas()),
                         [](const auto& test) { return std::string(name(test.param)); });

// The kernels add nothing to the formulas: what a user computes from the headers is what the scalar loop computes.
template <class S>
void compare_with_formulas() {
  const std::vector<S> z = mixed_inputs<S>(5000, 7), g = gradients<S>(5000, 7);
  std::vector<S> values(z.size()), slopes(z.size());
  for (const Case& c : all_cases()) {
    forward(c.id, c.of<S>(), z.data(), values.data(), z.size(), Isa::scalar);
    backward(c.id, c.of<S>(), z.data(), g.data(), slopes.data(), nullptr, z.size(), Isa::scalar);
    visit(c.id, [&]<class A>() {
      const auto constants = A::prepare(c.of<S>());
      for (std::size_t i = 0; i < z.size(); ++i) {
        ASSERT_TRUE(same(values[i], A::value(z[i], constants))) << c.name() << " at " << z[i];
        ASSERT_TRUE(same(slopes[i], g[i] * A::slope(z[i], constants))) << c.name() << " at " << z[i];
      }
    });
  }
}

TEST(Scalar, EqualsTheFormulas) {
  compare_with_formulas<float>();
  compare_with_formulas<double>();
}

}  // namespace
}  // namespace limen::kernels
