// Part of limen. SPDX-License-Identifier: MIT
#include "train/optimizer.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "io/temporary_folder.h"
#include "limen/error.h"
#include "models/model.h"

namespace limen::train {
namespace {

std::vector<TrainedParameter> random_parameters(std::int64_t seed) {
  torch::manual_seed(static_cast<std::uint64_t>(seed));
  return {{"a", torch::randn({40, 50}).requires_grad_(), true},
          {"b", torch::randn({7}).requires_grad_(), false},
          {"c", torch::randn({}).requires_grad_(), true}};
}

void set_gradients(const std::vector<TrainedParameter>& parameters, std::int64_t step) {
  torch::manual_seed(static_cast<std::uint64_t>(1000 + step));
  for (const TrainedParameter& parameter : parameters)
    parameter.value.mutable_grad() = torch::randn_like(parameter.value) * std::pow(10.0, step % 5 - 2);
}

TEST(AdamW, FollowsTorchsOptimiser) {
  const auto ours = random_parameters(1), theirs = random_parameters(1);
  AdamW optimizer(ours, 0.1);
  const auto options = [](double decay) {
    return std::make_unique<torch::optim::AdamWOptions>(torch::optim::AdamWOptions(1e-3).weight_decay(decay));
  };
  torch::optim::AdamW reference(std::vector<torch::optim::OptimizerParamGroup>{
      {{theirs[0].value, theirs[2].value}, options(0.1)}, {{theirs[1].value}, options(0)}});
  for (std::int64_t i = 1; i <= 50; ++i) {
    const double rate = 1e-2 / static_cast<double>(i);
    for (auto& group : reference.param_groups()) group.options().set_lr(rate);
    set_gradients(ours, i);
    set_gradients(theirs, i);
    optimizer.step(rate, 1);
    reference.step();
  }
  for (std::size_t k = 0; k < ours.size(); ++k)
    EXPECT_LT((ours[k].value - theirs[k].value).abs().max().item<double>(), 1e-6) << ours[k].name;
}

TEST(AdamW, GoesOnFromRestoredMoments) {
  const auto whole = random_parameters(2), parts = random_parameters(2);
  AdamW straight(whole, 0.1), before(parts, 0.1);
  for (std::int64_t i = 1; i <= 6; ++i) {
    set_gradients(whole, i);
    straight.step(1e-2, 1);
  }
  for (std::int64_t i = 1; i <= 3; ++i) {
    set_gradients(parts, i);
    before.step(1e-2, 1);
  }
  AdamW after(parts, 0.1);
  after.restore(before.steps(), before.moments());
  for (std::int64_t i = 4; i <= 6; ++i) {
    set_gradients(parts, i);
    after.step(1e-2, 1);
  }
  for (std::size_t k = 0; k < whole.size(); ++k) EXPECT_TRUE(torch::equal(whole[k].value, parts[k].value));
}

TEST(AdamW, RefusesTheMomentsOfAnotherModelByName) {
  AdamW optimizer(random_parameters(1), 0.1);
  io::TensorMap moments = optimizer.moments();
  moments.erase("m.a");
  moments["m.other"] = torch::zeros({2});
  moments["v.b"] = torch::zeros({8});
  try {
    optimizer.restore(3, moments);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_TRUE(
        io::names(error.what(), {"optimiser's moments", "missing: m.a", "unexpected: m.other", "v.b", "[7]", "[8]"}))
        << error.what();
  }
  EXPECT_EQ(optimizer.steps(), 0);
}

TEST(AdamW, SkipsNoParameterSilently) {
  const auto parameters = random_parameters(1);
  parameters[0].value.mutable_grad() = torch::ones_like(parameters[0].value);
  EXPECT_THROW(gradient_norm(parameters), Error);
  EXPECT_THROW(AdamW(parameters, 0).step(1e-3, 1), Error);
}

TEST(AdamW, RefusesMemoryItCannotRead) {
  const at::Tensor sound = torch::ones({2, 3});
  const at::Tensor all[] = {torch::ones({2, 3}, torch::kDouble), torch::ones({2, 3}, torch::kMeta),
                            torch::ones({3, 2}).t()};
  for (const at::Tensor& wrong : all) {
    const std::vector<TrainedParameter> parameters = {{"first", sound.clone(), true}, {"second", wrong, true}};
    for (const TrainedParameter& one : parameters) one.value.mutable_grad() = torch::ones_like(one.value);
    AdamW optimizer(parameters, 0.1);
    EXPECT_NE(io::message_of([&] { optimizer.step(1e-3, 1); }).find("second"), std::string::npos);
    EXPECT_TRUE(torch::equal(parameters[0].value, sound)) << "no half of a step";
    EXPECT_EQ(optimizer.steps(), 0);
    const bool strides_alone = wrong.is_cpu() && wrong.scalar_type() == torch::kFloat;
    if (!strides_alone) {
      EXPECT_THROW(gradient_norm(parameters), Error);
    }
  }
}

TEST(Clipping, GivesGradientsTheNormOfTorchsClipping) {
  for (const double scale : {1e-3, 1.0, 50.0}) {
    const auto ours = random_parameters(3), theirs = random_parameters(3);
    for (const auto* parameters : {&ours, &theirs})
      for (std::size_t k = 0; k < parameters->size(); ++k)
        (*parameters)[k].value.mutable_grad() = ours[k].value.detach() * scale;
    const double norm = gradient_norm(ours), factor = clip_factor(norm, 1.0);
    const double expected = torch::nn::utils::clip_grad_norm_({theirs[0].value, theirs[1].value, theirs[2].value}, 1.0);
    EXPECT_NEAR(norm / expected, 1, 1e-6);
    EXPECT_TRUE(torch::allclose(ours[0].value.grad() * factor, theirs[0].value.grad(), 1e-5, 1e-9)) << scale;
    EXPECT_EQ(clip_factor(norm, 0), 1) << "0 is no limit";
  }
}

TEST(Decay, ReachesWeightsAloneUnlessAllAreAsked) {
  const auto model = models::make_model({.layers = 2,
                                         .heads = 2,
                                         .width = 8,
                                         .context = 4,
                                         .classes = 5,
                                         .activation = {.name = "tuelu", .parameters = {}, .learned = {}}},
                                        1);
  std::vector<TrainedParameter> parameters = trained_parameters(*model, "weights");
  for (const TrainedParameter& parameter : parameters) {
    const bool matrix = parameter.name.ends_with("weight") && parameter.name.find("norm") == std::string::npos;
    EXPECT_EQ(parameter.decays, matrix) << parameter.name;
  }
  for (const TrainedParameter& parameter : trained_parameters(*model, "all"))
    EXPECT_TRUE(parameter.decays) << parameter.name;

  // Ten steps without gradients: what decays shrinks by the sum of rates, the rest stays bit for bit.
  std::vector<at::Tensor> before;
  for (const TrainedParameter& parameter : parameters) before.push_back(parameter.value.detach().clone());
  AdamW optimizer(parameters, 0.1);
  for (int i = 0; i < 10; ++i) {
    for (const TrainedParameter& parameter : parameters)
      parameter.value.mutable_grad() = torch::zeros_like(parameter.value);
    optimizer.step(1e-2, 1);
  }
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const at::Tensor expected = parameters[k].decays ? before[k] * std::pow(1 - 1e-3, 10) : before[k];
    if (parameters[k].decays)
      EXPECT_TRUE(torch::allclose(parameters[k].value, expected, 1e-5, 0)) << parameters[k].name;
    else
      EXPECT_TRUE(torch::equal(parameters[k].value, expected)) << parameters[k].name;
  }
}

}  // namespace
}  // namespace limen::train
