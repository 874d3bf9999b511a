// Part of limen. SPDX-License-Identifier: MIT
//
// Gradients against finite differences, and what autograd makes of them.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "operators/cases.h"

namespace limen::testing {
namespace {

class Gradient : public ::testing::Test {
 protected:
  void SetUp() override { torch::manual_seed(5); }
};

/// Central differences of sum(weights * activation) in each element of `moved`, which is `input` or one of `tensors`.
at::Tensor differences(const at::Tensor& moved, const at::Tensor& input, const ActivationInfo& about,
                       const OptionalTensors& tensors, const at::Tensor& weights, std::int64_t axis) {
  const torch::NoGradGuard no_grad;
  constexpr double step = 1e-5;
  at::Tensor result = torch::empty_like(moved, torch::kFloat64, at::MemoryFormat::Contiguous);
  auto* element = moved.mutable_data_ptr<double>();
  for (std::int64_t i = 0; i < moved.numel(); ++i) {
    const double kept = element[i];
    double sums[2];
    for (const int side : {0, 1}) {
      element[i] = kept + (side == 0 ? step : -step);
      sums[side] = (activation(input, about.name, {}, tensors, axis) * weights).sum().item<double>();
    }
    element[i] = kept;
    result.view(-1)[i] = (sums[0] - sums[1]) / (2 * step);
  }
  return result;
}

void expect_differences(const at::Tensor& input, const ActivationInfo& about, const OptionalTensors& tensors,
                        std::int64_t axis) {
  const at::Tensor weights = inputs(input.sizes());
  const auto found = gradients(input, about, tensors, weights, axis);
  // Rounding in the sums of both sides, divided by the step, and the third derivative's share.
  const double tolerance = 1e-8 * static_cast<double>(input.numel());
  EXPECT_TRUE(torch::allclose(found[0], differences(input, input, about, tensors, weights, axis), 1e-7, tolerance))
      << about.name;
  for (std::size_t k = 0; k < tensors.size(); ++k) {
    const at::Tensor expected = about.parameter[k].integer
                                    ? torch::zeros_like(*tensors[k])
                                    : differences(*tensors[k], input, about, tensors, weights, axis);
    EXPECT_TRUE(torch::allclose(found[k + 1], expected, 1e-7, tolerance))
        << about.name << ", " << about.parameter[k].name;
  }
}

TEST_F(Gradient, AgreesWithFiniteDifferences) {
  for (const ActivationInfo& about : all_infos) {
    expect_differences(inputs({60}), about, parameter_tensors(about), 0);
    expect_differences(inputs({5, 3, 4}), about, parameter_tensors(about, 3), 1);
    expect_differences(inputs({3, 7}), about, parameter_tensors(about, 7), -1);
    if (about.parameter_count < 2) continue;
    // One value in all beside one a channel.
    auto mixed = parameter_tensors(about, 3);
    mixed[0] = parameter_tensors(about)[0]->view({1}).detach().requires_grad_();
    expect_differences(inputs({5, 3, 4}), about, mixed, 1);
  }
}

TEST_F(Gradient, HasTheTypeAndShapeOfItsTensor) {
  for (const ActivationInfo& about : all_infos) {
    OptionalTensors tensors;
    for (const auto& tensor : parameter_tensors(about))
      tensors.emplace_back(tensor->detach().view({1}).to(torch::kFloat32).requires_grad_());
    const at::Tensor z = inputs({40});
    const auto found = gradients(z, about, tensors, z);
    for (std::size_t k = 1; k < found.size(); ++k) {
      EXPECT_EQ(found[k].scalar_type(), torch::kFloat32) << about.name;
      EXPECT_EQ(found[k].sizes(), at::IntArrayRef({1})) << about.name;
    }
    EXPECT_EQ(found[0].scalar_type(), torch::kFloat64);
  }
}

// The operator returns the gradients that are asked for and no others: they must reach the right tensor.
TEST_F(Gradient, OfOneTensorAloneIsTheSame) {
  const at::Tensor z = inputs({40});
  for (const ActivationInfo& about : all_infos) {
    const auto all = gradients(z, about, parameter_tensors(about), z);
    for (std::size_t k = 0; k < about.parameter_count; ++k) {
      auto tensors = parameter_tensors(about);
      for (std::size_t other = 0; other < tensors.size(); ++other)
        if (other != k) tensors[other] = tensors[other]->detach();
      const auto one = torch::autograd::grad({activation(z, about.name, {}, tensors)}, {*tensors[k]}, {z});
      EXPECT_TRUE(same_bits(one[0], all[k + 1])) << about.name;
    }
  }
}

TEST_F(Gradient, OfATensorBesideANumberIsTheSame) {
  const at::Tensor z = inputs({40});
  for (const ActivationInfo& about : all_infos) {
    if (about.parameter_count < 2) continue;
    const auto all = gradients(z, about, parameter_tensors(about), z);
    const OptionalTensors second = {std::nullopt, parameter_tensors(about)[1]};
    const at::Tensor out = activation(z, about.name, others(about), second);
    EXPECT_TRUE(same_bits(torch::autograd::grad({out}, {*second[1]}, {z})[0], all[2])) << about.name;
  }
}

TEST_F(Gradient, RefusesAnInputChangedAfterTheForward) {
  const at::Tensor leaf = inputs({8}).requires_grad_();
  const at::Tensor z = leaf * 1;
  const at::Tensor out = activation(z, "gelu");
  z.mul_(2);
  EXPECT_THROW(out.sum().backward(), c10::Error);
}

TEST_F(Gradient, RefusesASecondDerivativeWithASentence) {
  const at::Tensor z = inputs({8}).requires_grad_();
  const auto first = torch::autograd::grad({activation(z, "gelu").sum()}, {z}, {}, true, /*create_graph=*/true);
  try {
    first[0].sum().backward();
    FAIL() << "no error";
  } catch (const Error& error) {
    const std::string_view sentence = error.what();
    for (const std::string_view part : {"limen::activation", "gelu", "second derivative"})
      EXPECT_NE(sentence.find(part), std::string_view::npos) << sentence;
  }
}

}  // namespace
}  // namespace limen::testing
