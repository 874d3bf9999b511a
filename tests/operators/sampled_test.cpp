// Part of limen. SPDX-License-Identifier: MIT
//
// Thresholds drawn for each element, and activations whose law is given as data or that stand in a gated form.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <sstream>

#include "limen/error.h"
#include "limen/member.h"
#include "operators/cases.h"

namespace limen::testing {
namespace {

const Draw some_draw{.seed = 0x123456789ULL, .site = 3, .step = 17};

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

bool names(const std::string& text, std::initializer_list<std::string_view> parts) {
  return std::ranges::all_of(parts, [&](std::string_view part) { return text.find(part) != std::string::npos; });
}

EmpiricalLaw three_pieces() {
  return std::make_shared<laws::Empirical>(std::vector{0.0, 0.25, 0.5, 1.0}, std::vector{-1.0, 0.0, 0.0, 2.0});
}

/// z where the threshold of its place is at most z, else 0.
at::Tensor drawn_from(const Member& member, const at::Tensor& z, const Draw& draw) {
  const math::Stream stream(draw.seed, math::Purpose::threshold, draw.site, draw.step);
  const at::Tensor flat = z.detach().contiguous().clone();
  double* x = flat.data_ptr<double>();
  for (std::int64_t i = 0; i < flat.numel(); ++i)
    if (*member.threshold(stream, static_cast<std::uint64_t>(i)) > x[i]) x[i] = 0;
  return flat;
}

TEST(Sampled, PassesWhatClearsTheThresholdOfItsPlace) {
  torch::manual_seed(1);
  int laws = 0;
  for (std::size_t i = 0; i < activation_count; ++i) {
    const auto id = static_cast<ActivationId>(i);
    const std::vector<double> parameters = others(info(id));
    if (info(id).law.empty()) continue;
    ++laws;
    const at::Tensor z = inputs({7, 333});
    const at::Tensor got = sampled(z, activation(z, info(id).name, parameters), some_draw);
    EXPECT_TRUE(torch::equal(got, drawn_from(Member(id, parameters), z, some_draw))) << info(id).name;
  }
  EXPECT_GE(laws, 15);
  const at::Tensor z = inputs({2000});
  EXPECT_TRUE(torch::equal(sampled(z, empirical(z, *three_pieces()), some_draw),
                           drawn_from(Member(three_pieces()), z, some_draw)));
}

TEST(Sampled, HasTheGradientOfTheMean) {
  torch::manual_seed(2);
  for (const ActivationInfo& about : all_infos) {
    if (about.law.empty()) continue;
    const at::Tensor z = inputs({50}).requires_grad_(), weights = torch::randn({50}, torch::kFloat64);
    const OptionalTensors tensors = parameter_tensors(about);
    std::vector<at::Tensor> leaves = {z};
    for (const auto& tensor : tensors) leaves.push_back(*tensor);
    const at::Tensor mean = activation(z, about.name, {}, tensors);
    const auto want = torch::autograd::grad({mean}, leaves, {weights}, true);
    const auto got = torch::autograd::grad({sampled(z, mean, some_draw)}, leaves, {weights});
    for (std::size_t k = 0; k < leaves.size(); ++k) EXPECT_TRUE(same_bits(got[k], want[k])) << about.name << k;
  }
}

TEST(Sampled, ItsMeanOverStepsIsTheActivation) {
  const at::Tensor z = torch::linspace(-3, 3, 24, torch::kFloat32), mean = activation(z, "silu");
  constexpr int steps = 20000;
  at::Tensor sum = torch::zeros({24}, torch::kFloat64);
  for (std::uint32_t step = 0; step < steps; ++step) sum += sampled(z, mean, {.seed = 5, .site = 0, .step = step});
  const at::Tensor gate = (mean / z).to(torch::kFloat64);
  const at::Tensor error = z.abs() * (gate * (1 - gate) / steps).sqrt();
  EXPECT_TRUE(((sum / steps - mean).abs() <= 4 * error).all().item<bool>()) << (sum / steps - mean) / error;
}

TEST(Sampled, DependsOnSeedSiteStepAndPlaceAndNotOnThreadsOrLayout) {
  torch::manual_seed(3);
  const at::Tensor z = inputs({300, 200}, torch::kFloat32), mean = activation(z, "gelu");
  const at::Tensor once = sampled(z, mean, some_draw);
  EXPECT_TRUE(same_bits(sampled(z, mean, some_draw), once));
  const int threads = at::get_num_threads();
  at::set_num_threads(1);
  EXPECT_TRUE(same_bits(sampled(z, mean, some_draw), once));
  at::set_num_threads(threads);
  const at::Tensor turned = z.t().contiguous().t();
  EXPECT_TRUE(same_bits(sampled(turned, mean, some_draw), once));
  for (const Draw& other : {Draw{1, 3, 17}, Draw{some_draw.seed, 4, 17}, Draw{some_draw.seed, 3, 18}})
    EXPECT_FALSE(same_bits(sampled(z, mean, other), once));
}

TEST(Sampled, KeepsNanAndTheInfinities) {
  const double infinity = std::numeric_limits<double>::infinity();
  const at::Tensor z =
      torch::tensor({std::nan(""), infinity, -infinity, 0.0, -0.0, 1e300, -1e300, 5e-324}, torch::kFloat64);
  for (const char* name : {"gelu", "iglu", "uelu", "relu"}) {
    const at::Tensor out = sampled(z, activation(z, name), some_draw);
    EXPECT_TRUE(std::isnan(out[0].item<double>())) << name;
    EXPECT_EQ(out[1].item<double>(), infinity) << name;
    EXPECT_EQ(out[2].item<double>(), 0) << name;
    EXPECT_EQ(out[3].item<double>(), 0) << name;
    EXPECT_EQ(out[5].item<double>(), 1e300) << name;
    EXPECT_EQ(out[6].item<double>(), 0) << name;
  }
  EXPECT_EQ(sampled(torch::empty({0, 3}), torch::empty({0, 3}), some_draw).sizes(), (at::IntArrayRef{0, 3}));
}

TEST(Sampled, RefusesWhatDoesNotFit) {
  const at::Tensor z = torch::zeros({4});
  EXPECT_TRUE(
      names(message_of([&] { sampled(z, torch::zeros({5}), {}); }), {"limen::sampled", "a mean like the input"}));
  EXPECT_TRUE(
      names(message_of([&] { sampled(z.to(torch::kInt64), z, {}); }), {"float32, float64, bfloat16 or float16"}));
}

TEST(SampledModule, SamplesInTrainingAndTakesTheMeanInEvaluation) {
  torch::manual_seed(4);
  const at::Tensor z = inputs({500}, torch::kFloat32);
  Activation module(ActivationOptions{.name = "tuelu", .sampled = true, .draw = some_draw});
  const at::Tensor mean = activation(z, "uelu", {}, {{module->value("beta")}});
  const Draw next{some_draw.seed, some_draw.site, some_draw.step + 1};
  EXPECT_TRUE(same_bits(module->forward(z), sampled(z, mean, some_draw)));
  EXPECT_TRUE(same_bits(module->forward(z), sampled(z, mean, next)));
  module->eval();
  EXPECT_TRUE(same_bits(module->forward(z), mean));
  EXPECT_EQ(module->named_buffers()["step"].item<std::int64_t>(), some_draw.step + 2);
  module->train();
  module->forward(z).sum().backward();
  EXPECT_NE(module->parameters()[0].grad().item<double>(), 0);
}

TEST(SampledModule, WantsALaw) {
  EXPECT_TRUE(names(message_of([] { Activation(ActivationOptions{.name = "softplus", .sampled = true}); }),
                    {"softplus", "a law", "sampled = false"}));
}

TEST(EmpiricalOperator, IsTheCoreAndItsSlope) {
  torch::manual_seed(5);
  const EmpiricalLaw law = three_pieces();
  for (const auto type : {torch::kFloat32, torch::kFloat64}) {
    const at::Tensor z = inputs({40, 50}, type).t();
    const at::Tensor leaf = z.detach().requires_grad_();
    const at::Tensor value = empirical(leaf, *law);
    const at::Tensor weights = torch::randn({50, 40}).to(type);
    const at::Tensor slope = torch::autograd::grad({value}, {leaf}, {weights})[0];
    for (std::int64_t i = 0; i < 50; ++i) {
      const double x = z[i][i % 40].item<double>(), w = weights[i][i % 40].item<double>();
      const auto q = evaluate(*law, x);
      const auto rounded = [&](double y) {
        return type == torch::kFloat64 ? y : static_cast<double>(static_cast<float>(y));
      };
      EXPECT_EQ(value[i][i % 40].item<double>(), rounded(q.value));
      EXPECT_EQ(slope[i][i % 40].item<double>(), rounded(w * q.slope));
    }
  }
}

TEST(EmpiricalOperator, NarrowTypesAreThoseOfFloat32Rounded) {
  torch::manual_seed(8);
  for (const auto type : {torch::kBFloat16, torch::kFloat16}) {
    const at::Tensor z = inputs({1000}, type), wide = z.to(torch::kFloat32);
    EXPECT_TRUE(same_bits(empirical(z, *three_pieces()), empirical(wide, *three_pieces()).to(type)));
    const at::Tensor mean = activation(z, "gelu");
    EXPECT_TRUE(same_bits(sampled(z, mean, some_draw), sampled(wide, mean.to(torch::kFloat32), some_draw).to(type)));
  }
}

TEST(EmpiricalOperator, RefusesWhatDoesNotFit) {
  const at::Tensor z = torch::zeros({4}), two = torch::zeros({2}, torch::kFloat64);
  EXPECT_TRUE(names(message_of([&] { empirical(z, two, torch::zeros({3}, torch::kFloat64)); }), {"as many levels"}));
  EXPECT_TRUE(names(message_of([&] { empirical(z, two, torch::zeros({2})); }), {"float64 vectors"}));
  EXPECT_TRUE(
      names(message_of([&] { empirical(z.to(torch::kInt32), two, two); }), {"float32, float64, bfloat16 or float16"}));
  const at::Tensor leaf = torch::ones({3}).requires_grad_();
  const at::Tensor slope = torch::autograd::grad({empirical(leaf, *three_pieces()).sum()}, {leaf}, {}, true, true)[0];
  EXPECT_TRUE(names(message_of([&] { torch::autograd::grad({slope.sum()}, {leaf}); }), {"second derivatives"}));
}

TEST(EmpiricalModule, HoldsItsTableAndSavesIt) {
  torch::manual_seed(6);
  const at::Tensor z = inputs({100}, torch::kFloat32);
  Activation module(ActivationOptions{.name = "empirical", .law = three_pieces()});
  EXPECT_TRUE(same_bits(module->forward(z), empirical(z, *three_pieces())));
  EXPECT_TRUE(module->parameters().empty());
  EXPECT_EQ(module->named_buffers()["quantiles"].size(0), 4);
  std::stringstream file;
  torch::save(module, file);
  const auto other =
      std::make_shared<laws::Empirical>(std::vector{0.0, 0.1, 0.2, 1.0}, std::vector{-9.0, 0.0, 5.0, 6.0});
  Activation loaded(ActivationOptions{.name = "empirical", .law = other});
  torch::load(loaded, file);
  EXPECT_TRUE(same_bits(loaded->forward(z), module->forward(z)));
  std::ostringstream text;
  text << *module;
  EXPECT_EQ(text.str(), "limen::Activation(empirical, 4 quantiles)");
}

TEST(EmpiricalModule, IsRefusedWithoutItsLaw) {
  EXPECT_TRUE(names(message_of([] { resolve({.name = "empirical"}); }), {"empirical", "a law", "empirical(FILE)"}));
  EXPECT_TRUE(names(message_of([] { resolve({.name = "gelu", .law = three_pieces()}); }), {"gelu", "no law"}));
  EXPECT_TRUE(names(message_of([] {
                      resolve({.name = "empirical", .parameters = {{"beta", 1}}, .law = three_pieces()});
                    }),
                    {"no parameter", "beta"}));
}

TEST(Gated, MultipliesTheActivationOfOneHalfByTheOther) {
  torch::manual_seed(7);
  const at::Tensor u = inputs({30}).requires_grad_(), v = inputs({30}).requires_grad_();
  const at::Tensor weights = torch::randn({30}, torch::kFloat64);
  for (const char* name : {"silu", "gelu", "relu", "identity", "tuelu", "uelu3"}) {
    Activation plain(ActivationOptions{.name = name});
    Activation gated(ActivationOptions{.name = "gated(" + std::string(name) + ")"});
    const at::Tensor got = gated->pass(u, v, {}), want = plain->forward(u) * v;
    EXPECT_TRUE(same_bits(got, want)) << name;
    const auto got_gradients = torch::autograd::grad({got}, {u, v}, {weights});
    const auto want_gradients = torch::autograd::grad({want}, {u, v}, {weights});
    EXPECT_TRUE(same_bits(got_gradients[0], want_gradients[0])) << name;
    EXPECT_TRUE(same_bits(got_gradients[1], want_gradients[1])) << name;
  }
  Activation glu(ActivationOptions{.name = "glu"});
  EXPECT_TRUE(torch::allclose(glu->pass(u, v, {}), at::glu(torch::cat({v, u})), 1e-15, 1e-15));
  std::ostringstream text;
  text << *glu << *Activation(ActivationOptions{.name = "gated(silu)"});
  EXPECT_EQ(text.str(), "limen::Activation(glu silu, slope=1)limen::Activation(gated silu, slope=1)");
}

TEST(Gated, SaysHowManyInputsItTakes) {
  const at::Tensor z = torch::zeros({3});
  EXPECT_TRUE(
      names(message_of([&] { Activation(ActivationOptions{.name = "gated(silu)"})->forward(z); }), {"two inputs"}));
  EXPECT_TRUE(names(message_of([&] { Activation(ActivationOptions{.name = "silu"})->pass(z, z, {}); }),
                    {"one input", "gated(silu)"}));
  EXPECT_TRUE(names(message_of([] { resolve({.name = "gated(sillu)"}); }), {"sillu", "silu"}));
  EXPECT_TRUE(names(message_of([] { resolve({.name = "gated"}); }), {"gated(silu)"}));
  EXPECT_TRUE(names(message_of([] { resolve({.name = "glu", .sampled = true}); }), {"glu", "drawn"}));
  EXPECT_TRUE(names(message_of([] { resolve({.name = "gelu", .form = Form::glu}); }), {"glu", "gelu", "gated(gelu)"}));
  for (const char* name : {"gated(glu)", "gated(gated(silu))"})
    EXPECT_TRUE(names(message_of([&] { resolve({.name = name}); }), {"one input", "try gated(silu)"})) << name;
  EXPECT_FALSE(names(message_of([&] { activation(z, "glu"); }), {"try \"glu\""}));
}

TEST(LambdaGelu, IsLearnedAsItsAuthorsDo) {
  const Activation module(ActivationOptions{.name = "lambda_gelu", .learned = {"lambda"}});
  EXPECT_NEAR(module->named_parameters()["raw_lambda"].item<double>(), 0, 1e-15);
  EXPECT_NEAR(module->value("lambda").item<double>(), 1.6931471805599454, 1e-7);
  const Activation near_1(
      ActivationOptions{.name = "lambda_gelu", .parameters = {{"lambda", 1.01}}, .learned = {"lambda"}});
  EXPECT_NEAR(near_1->named_parameters()["raw_lambda"].item<double>(), -0.46001660193, 1e-7);
  at::Tensor raw = near_1->named_parameters()["raw_lambda"];
  near_1->value("lambda").backward();
  EXPECT_NEAR(raw.grad().item<double>(), -std::expm1(-0.01) / 0.1, 1e-6) << "sigmoid(s / t) / t";
  EXPECT_TRUE(names(message_of([] {
                      resolve({.name = "lambda_gelu", .parameters = {{"lambda", 1}}, .learned = {"lambda"}});
                    }),
                    {"lambda > 1"}));
  EXPECT_EQ(resolve({.name = "iglu", .learned = {"sigma"}}).parameters.at("sigma"), 5) << "as its authors start it";
  EXPECT_EQ(resolve({.name = "iglu"}).parameters.at("sigma"), 1);
}

}  // namespace
}  // namespace limen::testing
