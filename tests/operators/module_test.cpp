// Part of limen. SPDX-License-Identifier: MIT
//
// The module: fixed and learned parameters, TUELU's parameterisation, sharing, saving.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <numbers>
#include <sstream>

#include "operators/cases.h"

namespace limen::testing {
namespace {

/// Parameters are made in float64 while it lives.
class DefaultFloat64 {
 public:
  DefaultFloat64() { torch::set_default_dtype(caffe2::TypeMeta::Make<double>()); }
  ~DefaultFloat64() { torch::set_default_dtype(caffe2::TypeMeta::Make<float>()); }
};

Activation tuelu(double beta) { return Activation(ActivationOptions{.name = "tuelu", .parameters = {{"beta", beta}}}); }

/// Every activation with every parameter that can be learned learned.
ActivationOptions all_learned(const ActivationInfo& about, std::int64_t channels = 0) {
  ActivationOptions options{.name = std::string(about.name)};
  for (std::size_t k = 0; k < about.parameter_count; ++k) {
    const Parameter& parameter = about.parameter[k];
    options.parameters[std::string(parameter.name)] = other_value(parameter);
    if (parameter.learned != Learned::no) options.learned.emplace_back(parameter.name);
  }
  if (!options.learned.empty()) options.channels = channels;
  return options;
}

TEST(Module, StartsTueluAtThePublishedRho) {
  const DefaultFloat64 precise;
  const auto rho = [](double beta) { return tuelu(beta)->named_parameters()["raw_beta"].item<double>(); };
  EXPECT_NEAR(rho(1.25), 0.9110186022276543, 1e-15);
  EXPECT_NEAR(rho(std::sqrt(std::numbers::pi / 2)), 0.9156623118013062, 1e-15);
  EXPECT_NEAR(rho(1.0), 0.5397424172369521, 1e-15);
  EXPECT_NEAR(rho(0.5), -0.4352955851687624, 1e-15);
  EXPECT_EQ(Activation(ActivationOptions{.name = "tuelu"})->named_parameters()["raw_beta"].item<double>(), rho(1.25));
}

TEST(Module, HoldsOneNumberForTuelu) {
  Activation module(ActivationOptions{.name = "tuelu"});
  ASSERT_EQ(module->parameters().size(), 1u);
  EXPECT_EQ(module->parameters()[0].dim(), 0);
  EXPECT_EQ(module->parameters()[0].scalar_type(), torch::kFloat32);
  EXPECT_EQ(module->buffers().size(), 0u);
}

TEST(Module, DifferentiatesTueluByTheChainRule) {
  const DefaultFloat64 precise;
  torch::manual_seed(7);
  const at::Tensor z = inputs({50});
  auto module = tuelu(1.25);
  module->forward(z).sum().backward();
  const at::Tensor beta = torch::full({}, 1.25, torch::kFloat64).requires_grad_();
  activation(z, "uelu", {}, {{beta}}).sum().backward();
  const at::Tensor rho = module->named_parameters()["raw_beta"];
  EXPECT_NEAR(rho.grad().item<double>(), beta.grad().item<double>() * (1 / (1 + std::exp(-rho.item<double>()))), 1e-12);
  // protocols.md A.12: - sum of z^2 / (2 beta^2) inside, times sigmoid(rho) = 1 - exp(-(beta - 0.001)).
  const at::Tensor inside = z.masked_select(z.abs() < 1.25);
  EXPECT_NEAR(rho.grad().item<double>(),
              -(inside * inside).sum().item<double>() / (2 * 1.25 * 1.25) * -std::expm1(-1.249), 1e-12);
}

TEST(Module, IsTheOperatorWithItsValues) {
  const DefaultFloat64 precise;
  torch::manual_seed(8);
  const at::Tensor z = inputs({4, 3, 2});
  for (const ActivationInfo& about : all_infos) {
    Activation fixed(ActivationOptions{.name = std::string(about.name)});
    EXPECT_TRUE(same_bits(fixed->forward(z), activation(z, about.name))) << about.name;
    for (const std::int64_t channels : {0, 3}) {
      Activation learned(all_learned(about, channels));
      const at::Tensor expected = activation(z, about.name, others(about));
      EXPECT_TRUE(torch::allclose(learned->forward(z), expected, 1e-12, 1e-14)) << about.name;
    }
  }
}

TEST(Module, ReachesEveryStartValueThroughItsRawNumber) {
  const DefaultFloat64 precise;
  for (const ActivationInfo& about : all_infos) {
    for (std::size_t k = 0; k < about.parameter_count; ++k) {
      const Parameter& parameter = about.parameter[k];
      if (parameter.learned == Learned::no) continue;
      for (const double value : {0.002, 0.3, 0.9, 12.0, 25.0, 1e3}) {
        if (!parameter.accepts(value) || (parameter.learned == Learned::softplus && value <= parameter.lower_learned))
          continue;
        const std::string name(parameter.name);
        const Activation module(
            ActivationOptions{.name = std::string(about.name), .parameters = {{name, value}}, .learned = {name}});
        EXPECT_NEAR(module->value(name).item<double>() / value, 1, 1e-13) << about.name << ", " << name;
      }
    }
  }
}

TEST(Module, LetsAScheduleMoveAFixedParameter) {
  const at::Tensor z = torch::randn({20});
  Activation module(ActivationOptions{.name = "dgelu"});
  EXPECT_EQ(module->parameters().size(), 0u);
  module->set("gamma", 0);
  EXPECT_TRUE(same_bits(module->forward(z), activation(z, "gelu")));
  module->set("gamma", 0.25);
  EXPECT_EQ(module->value("gamma").item<double>(), 0.25);
  EXPECT_TRUE(same_bits(module->forward(z), activation(z, "dgelu", {0.25})));
  EXPECT_EQ(module->named_buffers()["gamma"].item<double>(), 0.25);
}

TEST(Module, SavesAndLoads) {
  const at::Tensor z = torch::randn({4, 3, 2});
  for (const ActivationInfo& about : all_infos) {
    Activation saved(all_learned(about, 3));
    for (std::size_t k = 0; k < about.parameter_count; ++k)
      if (about.parameter[k].learned == Learned::no)
        saved->set(about.parameter[k].name, other_value(about.parameter[k]));
    std::stringstream stream;
    torch::save(saved, stream);
    ActivationOptions options = saved->options();
    options.parameters.clear();
    Activation loaded(options);
    torch::load(loaded, stream);
    EXPECT_TRUE(same_bits(saved->forward(z), loaded->forward(z))) << about.name;
  }
}

TEST(Module, ClonesWithItsPresentValues) {
  const at::Tensor z = torch::randn({20});
  auto module = tuelu(2);
  {
    const torch::NoGradGuard no_grad;
    module->parameters()[0].fill_(0.1);
  }
  const auto copy = std::dynamic_pointer_cast<ActivationImpl>(module->clone());
  EXPECT_TRUE(same_bits(module->forward(z), copy->forward(z)));
  EXPECT_FALSE(module->parameters()[0].is_same(copy->parameters()[0]));
}

TEST(Module, FollowsItsModelToAnotherType) {
  Activation learned(ActivationOptions{.name = "tuelu"});
  Activation fixed(ActivationOptions{.name = "uelu", .parameters = {{"beta", 0.7}}});
  learned->to(torch::kFloat64);
  fixed->to(torch::kFloat64);
  const at::Tensor z = inputs({20});
  EXPECT_TRUE(same_bits(fixed->forward(z), activation(z, "uelu", {0.7})));
  EXPECT_NEAR(learned->value("beta").item<double>(), 1.25, 1e-7);
}

/// One module in both of its sites, and one of its own inside another module.
struct SharingImpl : torch::nn::Module {
  SharingImpl() {
    shared = register_module("first", Activation(ActivationOptions{.name = "tuelu"}));
    register_module("second", shared);
    inner = register_module(
        "inner",
        torch::nn::Sequential(torch::nn::Linear(2, 2),
                              Activation(ActivationOptions{.name = "gelu_mu_sigma", .learned = {"mu", "sigma"}})));
    fixed = register_module("fixed", Activation(ActivationOptions{.name = "dgelu"}));
  }
  Activation shared{nullptr}, fixed{nullptr};
  torch::nn::Sequential inner{nullptr};
};

TEST(ActivationParameters, HoldEachLearnedNumberOnceAndNothingElse) {
  const auto model = std::make_shared<SharingImpl>();
  const auto found = activation_parameters(*model);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_TRUE(found[0].is_same(model->shared->named_parameters()["raw_beta"]));
  EXPECT_TRUE(found[1].is_same(model->named_parameters()["inner.1.raw_mu"]));
  EXPECT_TRUE(found[2].is_same(model->named_parameters()["inner.1.raw_sigma"]));
  EXPECT_EQ(activation_parameters(*model->shared).size(), 1u);
  EXPECT_EQ(activation_parameters(*model->fixed).size(), 0u);
}

TEST(Module, SumsTheGradientOverItsSites) {
  const DefaultFloat64 precise;
  const at::Tensor z = inputs({2, 30});
  auto shared = tuelu(1.25), alone = tuelu(1.25);
  (shared->forward(z[0]).sum() + shared->forward(z[1]).sum()).backward();
  alone->forward(z).sum().backward();
  EXPECT_NEAR(shared->parameters()[0].grad().item<double>(), alone->parameters()[0].grad().item<double>(), 1e-12);
}

TEST(Module, PrintsWhatItIs) {
  const auto printed = [](ActivationOptions options) { return c10::str(Activation(std::move(options))); };
  EXPECT_EQ(printed({.name = "relu"}), "limen::Activation(relu)");
  EXPECT_EQ(printed({.name = "tuelu"}), "limen::Activation(uelu, beta=1.25 learned)");
  EXPECT_EQ(printed({.name = "dgelu"}), "limen::Activation(dgelu, gamma=1)");
  EXPECT_EQ(printed({.name = "tuelu", .channels = 64}), "limen::Activation(uelu, beta[64 along axis 1] learned)");
}

TEST(Resolve, ReplacesEveryAlias) {
  for (const Alias& alias : aliases) {
    EXPECT_FALSE(find(alias.name)) << alias.name << " is an activation already";
    const ActivationOptions options = resolve({.name = std::string(alias.name)});
    EXPECT_EQ(options.name, alias.activation);
    EXPECT_EQ(options.learned.empty() ? "" : options.learned.front(), alias.learned) << alias.name;
  }
}

TEST(Resolve, IsStable) {
  const ActivationOptions once = resolve({.name = "tuelu"});
  EXPECT_EQ(once.name, "uelu");
  EXPECT_EQ(once.learned, std::vector<std::string>{"beta"});
  EXPECT_EQ(once.parameters, (std::map<std::string, double>{{"beta", 1.25}}));
  const ActivationOptions twice = resolve(once);
  EXPECT_EQ(twice.name, once.name);
  EXPECT_EQ(twice.learned, once.learned);
  EXPECT_EQ(twice.parameters, once.parameters);
  EXPECT_EQ(resolve({.name = "tuelu", .parameters = {{"beta", 2}}, .learned = {"beta"}}).learned.size(), 1u);
  for (const ActivationInfo& about : all_infos)
    EXPECT_EQ(resolve({.name = std::string(about.name)}).parameters.size(), about.parameter_count);
}

}  // namespace
}  // namespace limen::testing
