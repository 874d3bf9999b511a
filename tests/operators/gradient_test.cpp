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

/// Central differences of the first derivatives, in the direction `along` (of the input, then of each tensor).
std::vector<at::Tensor> differences_of_gradients(const at::Tensor& input, const ActivationInfo& about,
                                                 const OptionalTensors& tensors, const at::Tensor& weights,
                                                 const std::vector<at::Tensor>& along) {
  constexpr double step = 1e-5;
  std::vector<std::vector<at::Tensor>> sides;
  for (const double side : {step, -step}) {
    OptionalTensors moved;
    for (std::size_t k = 0; k < tensors.size(); ++k)
      moved.emplace_back((tensors[k]->detach() + side * along[k + 1]).requires_grad_());
    sides.push_back(gradients(input + side * along[0], about, moved, weights));
  }
  std::vector<at::Tensor> found;
  for (std::size_t i = 0; i < sides[0].size(); ++i) found.push_back((sides[0][i] - sides[1][i]) / (2 * step));
  return found;
}

/// The first derivatives, which can be differentiated again.
struct Twice {
  at::Tensor leaf;
  std::vector<at::Tensor> leaves, first;

  Twice(const at::Tensor& input, const ActivationInfo& about, const OptionalTensors& tensors, const at::Tensor& weights)
      : leaf(input.detach().requires_grad_()), leaves{leaf} {
    for (const auto& tensor : tensors) leaves.push_back(*tensor);
    first = torch::autograd::grad({activation(leaf, about.name, {}, tensors)}, leaves, {weights},
                                  /*retain_graph=*/true, /*create_graph=*/true);
  }
};

/// A direction to move in: none for whole numbers.
std::vector<at::Tensor> directions(const at::Tensor& input, const ActivationInfo& about,
                                   const OptionalTensors& tensors) {
  std::vector<at::Tensor> along = {torch::rand_like(input)};
  for (std::size_t k = 0; k < tensors.size(); ++k)
    along.push_back(about.parameter[k].integer ? torch::zeros_like(*tensors[k])
                                               : 1e-2 * torch::rand_like(tensors[k]->detach()));
  return along;
}

// The Hessian is symmetric: its product with a direction is what the first derivatives change by along it.
TEST_F(Gradient, OfGradientsAgreesWithFiniteDifferences) {
  for (const ActivationInfo& about : all_infos) {
    for (const std::int64_t channels : {0, 3}) {
      SCOPED_TRACE(std::string(about.name) + ", channels " + std::to_string(channels));
      const at::Tensor input = inputs({5, 3, 4}), weights = inputs({5, 3, 4});
      const auto tensors = parameter_tensors(about, channels);
      const auto along = directions(input, about, tensors);
      const Twice twice(input, about, tensors, weights);
      const auto found = torch::autograd::grad(twice.first, twice.leaves, along, /*retain_graph=*/false,
                                               /*create_graph=*/false, /*allow_unused=*/true);
      const auto expected = differences_of_gradients(input, about, tensors, weights, along);
      for (std::size_t i = 0; i < found.size(); ++i) {
        if (i > 0 && about.parameter[i - 1].integer) continue;
        EXPECT_TRUE(torch::allclose(found[i], expected[i], 1e-6, 1e-6)) << i << found[i] << expected[i];
      }
    }
  }
}

// What a gradient penalty trains: the gradient of a gradient's norm reaches the input, the parameters and what came in.
TEST_F(Gradient, Row67_OfAPenaltyOnGradientsReachesEverything) {
  for (const ActivationInfo& about : all_infos) {
    const at::Tensor input = inputs({6, 3}), weights = inputs({6, 3}).requires_grad_();
    const auto tensors = parameter_tensors(about, 3);
    const Twice twice(input, about, tensors, weights);
    auto leaves = twice.leaves;
    leaves.push_back(weights);
    const auto found = torch::autograd::grad({twice.first[0].square().sum()}, leaves, {}, false, false, true);
    EXPECT_TRUE(found.back().defined()) << about.name;
    const at::Tensor slope = twice.first[0].detach() / weights.detach();
    EXPECT_TRUE(torch::allclose(found.back(), 2 * weights.detach() * slope * slope, 1e-9, 1e-12)) << about.name;
  }
}

TEST_F(Gradient, RefusesAThirdDerivativeWithASentence) {
  const at::Tensor z = inputs({8}).requires_grad_();
  const auto first = torch::autograd::grad({activation(z, "gelu").sum()}, {z}, {}, true, /*create_graph=*/true);
  const auto second = torch::autograd::grad({first[0].sum()}, {z}, {}, true, /*create_graph=*/true);
  try {
    second[0].sum().backward();
    FAIL() << "no error";
  } catch (const Error& error) {
    const std::string_view sentence = error.what();
    for (const std::string_view part : {"limen::activation", "gelu", "second derivatives", "third"})
      EXPECT_NE(sentence.find(part), std::string_view::npos) << sentence;
  }
}

}  // namespace
}  // namespace limen::testing
