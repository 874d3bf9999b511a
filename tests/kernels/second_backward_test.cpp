// Part of limen. SPDX-License-Identifier: MIT
//
// The second backward is made of the core's formulas as its documentation says, with every choice of what is given.
#include <gtest/gtest.h>

#include "kernels/cases.h"
#include "kernels/runs.h"

namespace limen::kernels {
namespace {

/// A sum of terms in double, and what rounding may have changed it by.
struct Sum {
  double value = 0, sizes = 0;
  void add(double term) {
    value += term;
    sizes += std::abs(term);
  }
  Sum operator*(double factor) const { return {factor * value, std::abs(factor) * sizes}; }
};

template <class S>
bool near(S got, Sum expected) {
  const double g = static_cast<double>(got), most = static_cast<double>(std::numeric_limits<S>::max());
  if (std::isnan(g) || !std::isfinite(expected.value) || std::abs(expected.value) > most)
    return std::isnan(expected.value) ? std::isnan(g) : !std::isfinite(g);
  const double epsilon = static_cast<double>(std::numeric_limits<S>::epsilon());
  const double least = static_cast<double>(std::numeric_limits<S>::denorm_min());
  return std::abs(g - expected.value) <= 4 * epsilon * expected.sizes + 4 * least;
}

/// The documented sums at one element, from the core's formulas on S.
template <class A, class S>
struct Documented {
  static constexpr std::size_t count = A::info.parameter_count;
  Sum grad_grad_out, grad_z;
  std::array<Sum, count> parameters = {};

  Documented(S z, S grad, const S* v, const S* w, const typename A::template Constants<S>& c) {
    const auto slopes = A::parameter_slopes(z, c);
    const auto mixed = A::mixed_curvatures(z, c);
    const auto pairs = A::parameter_curvatures(z, c);
    if (v != nullptr) add(*v, A::slope(z, c), A::curvature(z, c), [&](std::size_t k) { return mixed[k]; });
    for (std::size_t l = 0; w != nullptr && l < count; ++l)
      add(w[l], slopes[l], mixed[l],
          [&](std::size_t k) { return pairs[pair_index(std::min(k, l), std::max(k, l), count)]; });
    grad_z = grad_z * static_cast<double>(grad);
    for (Sum& sum : parameters) sum = sum * static_cast<double>(grad);
  }

 private:
  template <class Second>
  void add(S cotangent, S first, S by_z, const Second& by_parameter) {
    const auto x = static_cast<double>(cotangent);
    grad_grad_out.add(x * static_cast<double>(first));
    grad_z.add(x * static_cast<double>(by_z));
    for (std::size_t k = 0; k < count; ++k) parameters[k].add(x * static_cast<double>(by_parameter(k)));
  }
};

/// One element at a time, so that the sums are those of the element.
template <class A, class S>
void compare_elements(const Case& c, bool with_v, bool with_w) {
  const std::vector<S> z = mixed_inputs<S>(600, 21), grad = gradients<S>(600, 22), v = gradients<S>(600, 23);
  const auto constants = A::prepare(c.of<S>());
  const S* const w = with_w ? cotangents<S>.data() : nullptr;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const S* const v_i = with_v ? &v[i] : nullptr;
    S grad_grad_out = 0, grad_z = 0;
    ParameterSums sums = {};
    second_backward(c.id, c.of<S>(), &z[i], &grad[i], v_i, w, &grad_grad_out, &grad_z, sums.data(), 1);
    const Documented<A, S> expected(z[i], grad[i], v_i, w, constants);
    ASSERT_TRUE(near(grad_grad_out, expected.grad_grad_out)) << c.name() << " at " << z[i] << ": " << grad_grad_out;
    ASSERT_TRUE(near(grad_z, expected.grad_z)) << c.name() << " at " << z[i] << ": " << grad_z;
    for (std::size_t k = 0; k < c.parameter_count(); ++k)
      ASSERT_TRUE(near(static_cast<S>(sums[k]), expected.parameters[k]))
          << c.name() << " at " << z[i] << ": " << sums[k];
  }
}

TEST(SecondBackward, Row67_IsMadeOfTheFormulas) {
  for (const Case& c : all_cases())
    for (const bool with_v : {true, false})
      for (const bool with_w : {true, false})
        visit(c.id, [&]<class A>() {
          compare_elements<A, float>(c, with_v, with_w);
          compare_elements<A, double>(c, with_v, with_w);
        });
}

template <class S>
void compare_sums(const Case& c) {
  const std::size_t n = 3 * sum_block + 100;
  std::vector<S> z = gradients<S>(n, 24);
  const std::vector<S> grad = gradients<S>(n, 25), v = gradients<S>(n, 26);
  for (S& x : z) x *= 3;
  ParameterSums sums = {};
  second_backward(c.id, c.of<S>(), z.data(), grad.data(), v.data(), cotangents<S>.data(), nullptr, nullptr, sums.data(),
                  n);
  visit(c.id, [&]<class A>() {
    const auto constants = A::prepare(c.of<S>());
    std::array<Sum, A::info.parameter_count> expected = {};
    for (std::size_t i = 0; i < n; ++i) {
      const Documented<A, S> element(z[i], grad[i], &v[i], cotangents<S>.data(), constants);
      for (std::size_t k = 0; k < expected.size(); ++k) {
        expected[k].value += element.parameters[k].value;
        expected[k].sizes += element.parameters[k].sizes;
      }
    }
    const double share = 64 * static_cast<double>(std::numeric_limits<S>::epsilon());
    for (std::size_t k = 0; k < expected.size(); ++k)
      EXPECT_NEAR(sums[k], expected[k].value, share * expected[k].sizes) << c.name();
  });
}

TEST(SecondBackward, SumsAreThoseOfTheElements) {
  for (const Case& c : all_cases()) {
    compare_sums<float>(c);
    compare_sums<double>(c);
  }
}

// A missing cotangent is not a 0: da/dp may be infinite, and 0 times that would be NaN.
TEST(SecondBackward, MissingCotangentsDropTheirTerms) {
  const float infinity = std::numeric_limits<float>::infinity(), one = 1;
  for (const Case& c : all_cases())
    for (const float z : {infinity, -infinity}) {
      float grad_grad_out = 0, slope = 0;
      second_backward<float>(c.id, c.of<float>(), &z, &one, &one, nullptr, &grad_grad_out, nullptr, nullptr, 1);
      backward(c.id, c.of<float>(), &z, &one, &slope, nullptr, 1);
      EXPECT_TRUE(same(grad_grad_out, slope)) << c.name() << " at " << z << ": " << grad_grad_out;
    }
}

}  // namespace
}  // namespace limen::kernels
