// Part of limen. SPDX-License-Identifier: MIT
//
// What is fused against its steps one by one.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "limen/math/random.h"
#include "operators/cases.h"

namespace limen::testing {
namespace {

class Fused : public ::testing::Test {
 protected:
  void SetUp() override { torch::manual_seed(11); }
};

constexpr Draw drawn = {.seed = 7, .site = 2, .step = 5};
constexpr double rate = 0.3;

/// An input, a bias along its last dimension and a factor, in layouts of their own.
struct Arguments {
  std::string layout;
  at::Tensor input, bias, factor;
};

std::vector<Arguments> arguments(at::ScalarType type) {
  const auto some = [&](at::IntArrayRef shape) { return inputs(shape, type); };
  return {{"contiguous", some({4, 3, 50}), some({50}), some({4, 3, 50})},
          {"wide", some({3, 3, 2500}), some({2500}), some({3, 3, 2500})},
          {"transposed", some({50, 3, 4}).transpose(0, 2), some({3, 1}), some({4, 50, 3}).transpose(1, 2)},
          {"sliced", some({8, 3, 60}).slice(0, 0, 8, 2).slice(2, 3, 53), some({100}).slice(0, 0, 100, 2),
           some({4, 3, 100}).chunk(2, -1)[1]},
          {"expanded", some({1, 3, 50}).expand({4, 3, 50}), some({1}), some({4, 3, 1}).expand({4, 3, 50})},
          {"channels last", some({2, 3, 4, 5}).contiguous(at::MemoryFormat::ChannelsLast), some({3, 1, 1}),
           some({2, 3, 4, 5})},
          {"empty", some({0, 3, 5}), some({5}), some({0, 3, 5})}};
}

at::Tensor mask(const at::Tensor& input) {
  return fused_activation(torch::ones(input.sizes(), input.options()), {.dropout = rate, .draw = drawn}, "identity");
}

// In f32 and f64 a step more costs no accuracy: the bits are those of the steps one by one.
TEST_F(Fused, IsItsSteps) {
  for (const ActivationInfo& about : all_infos) {
    for (const auto type : {torch::kFloat32, torch::kFloat64}) {
      for (const auto& [layout, input, bias, factor] : arguments(type)) {
        for (const std::int64_t channels : {0, 3}) {
          SCOPED_TRACE(std::string(about.name) + ", " + layout + ", channels " + std::to_string(channels));
          const auto tensors = parameter_tensors(about, channels);
          const auto fused = [&](const Neighbours& with) {
            return fused_activation(input, with, about.name, {}, tensors);
          };
          const at::Tensor plain = activation(input, about.name, {}, tensors);
          const at::Tensor biased = activation(input + bias, about.name, {}, tensors);
          EXPECT_TRUE(same_bits(fused({}), plain));
          EXPECT_TRUE(same_bits(fused({.bias = bias}), biased));
          EXPECT_TRUE(same_bits(fused({.factor = factor}), plain * factor));
          EXPECT_TRUE(same_bits(fused({.dropout = rate, .draw = drawn}), plain * mask(input)));
          EXPECT_TRUE(same_bits(fused({.bias = bias, .factor = factor, .dropout = rate, .draw = drawn}),
                                biased * factor * mask(input)));
        }
      }
    }
  }
}

// Narrow types are rounded once at the end: no worse than the steps in f32.
TEST_F(Fused, RoundsNarrowTypesOnce) {
  for (const ActivationInfo& about : all_infos) {
    for (const auto type : {torch::kBFloat16, torch::kFloat16}) {
      for (const auto& [layout, input, bias, factor] : arguments(type)) {
        const at::Tensor steps =
            activation(input.to(torch::kFloat32) + bias.to(torch::kFloat32), about.name) * factor.to(torch::kFloat32);
        EXPECT_TRUE(same_bits(fused_activation(input, {.bias = bias, .factor = factor}, about.name), steps.to(type)))
            << about.name << ", " << layout;
      }
    }
  }
}

TEST_F(Fused, GradientsAreThoseOfItsSteps) {
  for (const ActivationInfo& about : all_infos) {
    for (const auto& given : arguments(torch::kFloat64)) {
      for (const std::int64_t channels : {0, 3}) {
        SCOPED_TRACE(std::string(about.name) + ", " + given.layout + ", channels " + std::to_string(channels));
        std::vector<at::Tensor> leaves;
        for (const at::Tensor& tensor : {given.input, given.bias, given.factor})
          leaves.push_back(tensor.detach().requires_grad_());
        const auto tensors = parameter_tensors(about, channels);
        for (const auto& tensor : tensors) leaves.push_back(*tensor);
        const at::Tensor weights = inputs(given.input.sizes());
        const at::Tensor fused =
            fused_activation(leaves[0], {.bias = leaves[1], .factor = leaves[2], .dropout = rate, .draw = drawn},
                             about.name, {}, tensors);
        const at::Tensor steps =
            activation(leaves[0] + leaves[1], about.name, {}, tensors) * leaves[2] * mask(given.input);
        const auto found = torch::autograd::grad({fused}, leaves, {weights});
        const auto expected = torch::autograd::grad({steps}, leaves, {weights});
        for (std::size_t i = 0; i < found.size(); ++i)
          EXPECT_TRUE(torch::allclose(found[i], expected[i], 1e-12, 1e-12)) << i;
      }
    }
  }
}

TEST_F(Fused, DropoutIsThatOfTheBlocks) {
  const at::Tensor z = torch::ones({100000});
  const at::Tensor kept = mask(z);
  const math::Stream stream(drawn.seed, math::Purpose::dropout, drawn.site, drawn.step);
  const math::DropoutRate rounded(rate);
  for (std::int64_t i = 0; i < z.numel(); i += 997)
    EXPECT_EQ(kept[i].item<float>(), stream.keep(rounded, static_cast<std::uint64_t>(i)) ? rounded.scale() : 0);
  EXPECT_NEAR(kept.mean().item<double>(), 1, 0.02);
  // Where an element lies in memory does not matter, its place in the tensor does.
  const at::Tensor grid = torch::ones({300, 70}), turned = torch::ones({70, 300}).t();
  EXPECT_TRUE(torch::equal(mask(grid), fused_activation(turned, {.dropout = rate, .draw = drawn}, "identity")));
}

}  // namespace
}  // namespace limen::testing
