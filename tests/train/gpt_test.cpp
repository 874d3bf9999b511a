// Part of limen. SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <set>

#include "blocks/loss.h"
#include "limen/error.h"
#include "limen/registry.h"
#include "models/model.h"
#include "train/weights.h"

namespace limen::models {
namespace {

// The character GPT of the published study.
ModelOptions published(const std::string& activation) {
  return {.classes = 65,
          .activation = {.name = activation, .parameters = {}, .learned = {}},
          .share_activation = activation == "tuelu"};
}

ModelOptions small(const std::string& activation, bool share = false) {
  return {.layers = 2,
          .heads = 2,
          .width = 8,
          .context = 6,
          .dropout = 0.2,
          .classes = 11,
          .activation = {.name = activation, .parameters = {}, .learned = {}},
          .share_activation = share};
}

std::int64_t parameter_count(const Model& model) {
  std::int64_t count = 0;
  for (const at::Tensor& parameter : model.parameters()) count += parameter.numel();
  return count;
}

TEST(Gpt, HasThePublishedNumberOfParameters) {
  for (const char* name : {"relu", "silu", "gelu", "dgelu", "uelu3", "uelu"})
    EXPECT_EQ(parameter_count(*make_model(published(name), 1)), 818048) << name;
  EXPECT_EQ(parameter_count(*make_model(published("tuelu"), 1)), 818049);
  ModelOptions each_site = published("tuelu");
  each_site.share_activation = false;
  EXPECT_EQ(parameter_count(*make_model(each_site, 1)), 818052);
}

TEST(Gpt, GatedFormsHaveAboutThePublishedNumberOfParameters) {
  // In each of 4 blocks three matrices of 128 x 344 and 2 * 344 + 128 biases for two of 128 x 512 and 512 + 128.
  EXPECT_EQ(parameter_count(*make_model(published("gated(silu)"), 1)),
            818048 + 4 * (3 * 344 - 2 * 512) * 128 + 4 * 176);
}

TEST(Gpt, LossBeforeTrainingIsThatOfGuessing) {
  torch::manual_seed(1);
  const torch::NoGradGuard no_gradient;
  const auto model = make_model(published("gelu"), 1);
  const at::Tensor tokens = torch::randint(0, 65, {16, 129});
  const at::Tensor logits = model->forward(tokens.slice(1, 0, 128), {});
  const double loss = blocks::cross_entropy(logits, tokens.slice(1, 1, 129)).item<double>();
  EXPECT_GT(loss, 4.174);
  EXPECT_LT(loss, 4.28);
}

TEST(Gpt, BeginsAlikeForAllActivationsOfASeedAndElseWithTheNext) {
  const auto weights = [](const std::string& name, std::uint64_t seed) {
    io::TensorMap tensors = train::tensors_of(*make_model(small(name), seed));
    std::erase_if(tensors, [](const auto& entry) { return entry.first.starts_with("activations."); });
    return tensors;
  };
  const io::TensorMap relu = weights("relu", 1);
  EXPECT_EQ(relu.size(), 4u + 2 * 12) << "or the comparisons below miss some";
  for (const ActivationInfo& info : all_infos)
    for (const auto& [name, tensor] : weights(std::string(info.name), 1))
      EXPECT_TRUE(torch::equal(tensor, relu.at(name))) << info.name << " " << name;
  for (const auto& [name, tensor] : weights("relu", 2)) {
    const bool drawn = tensor.dim() == 2;
    EXPECT_EQ(torch::equal(tensor, relu.at(name)), !drawn) << name;
  }
}

TEST(Gpt, InitialWeightsAreNormalZerosAndOnes) {
  const auto model = make_model(published("gelu"), 3);
  std::set<float> first_values;
  for (const auto& parameter : model->named_parameters()) {
    const at::Tensor value = parameter.value().detach();
    const bool norm = parameter.key().find("norm") != std::string::npos;
    if (value.dim() < 2) {
      const double expected = norm && parameter.key().ends_with("weight") ? 1 : 0;
      EXPECT_TRUE(value.eq(expected).all().item<bool>()) << parameter.key();
      continue;
    }
    // Means and deviations of n draws: six standard deviations.
    const double root_n = std::sqrt(static_cast<double>(value.numel()));
    EXPECT_NEAR(value.mean().item<double>(), 0, 6 * 0.02 / root_n) << parameter.key();
    EXPECT_NEAR(value.std().item<double>(), 0.02, 6 * 0.02 / (1.414 * root_n)) << parameter.key();
    first_values.insert(value.flatten()[0].item<float>());
  }
  EXPECT_EQ(first_values.size(), 2u + 4 * 4) << "no two parameters share a stream";
}

TEST(Gpt, IsItsPlainTwin) {
  const torch::NoGradGuard no_gradient;
  const auto model = make_model(small("relu"), 5);
  torch::manual_seed(2);
  for (at::Tensor& parameter : model->parameters()) parameter.normal_(0, 0.5);
  const auto named = model->named_parameters();
  const auto linear = [&](const at::Tensor& x, const std::string& name) {
    return at::linear(x, named[name + ".weight"], named[name + ".bias"]);
  };
  const auto norm = [&](const at::Tensor& x, const std::string& name) {
    return at::layer_norm(x, {8}, named[name + ".weight"], named[name + ".bias"]);
  };
  const at::Tensor tokens = torch::randint(0, 11, {3, 5});
  at::Tensor x = at::embedding(named["token_embedding.weight"], tokens) +
                 at::embedding(named["position_embedding.weight"], torch::arange(5));
  for (const std::string block : {"block.0.", "block.1."}) {
    const auto packed = linear(norm(x, block + "attention_norm"), block + "attention.qkv").chunk(3, -1);
    const auto heads = [&](int part) { return packed[part].view({3, 5, 2, 4}).transpose(1, 2); };
    const at::Tensor y = at::scaled_dot_product_attention(heads(0), heads(1), heads(2), {}, 0, /*is_causal=*/true);
    x = x + linear(y.transpose(1, 2).reshape({3, 5, 8}), block + "attention.out");
    x = x + linear(linear(norm(x, block + "ffn_norm"), block + "ffn.up").clamp_min(0), block + "ffn.down");
  }
  const at::Tensor logits = norm(x, "norm").matmul(named["token_embedding.weight"].t());
  EXPECT_TRUE(torch::allclose(model->forward(tokens, {}), logits, 1e-4, 1e-4));
}

TEST(Gpt, EqualContextsGiveEqualBitsAndTheNextStepOthers) {
  const torch::NoGradGuard no_gradient;
  const auto model = make_model(small("gelu"), 5);
  const at::Tensor tokens = torch::randint(0, 11, {3, 6});
  blocks::Context context{.seed = 1, .step = 1, .training = true, .observe = nullptr};
  const at::Tensor first = model->forward(tokens, context);
  EXPECT_TRUE(torch::equal(first, model->forward(tokens, context)));
  context.step = 2;
  EXPECT_FALSE(torch::equal(first, model->forward(tokens, context)));
}

TEST(Gpt, NamesItsSitesAndShowsTheirInputs) {
  const torch::NoGradGuard no_gradient;
  const auto model = make_model(small("uelu"), 5);
  ASSERT_EQ(model->sites().size(), 2u);
  EXPECT_EQ(model->sites()[0].name, "block.0.ffn");
  EXPECT_EQ(model->sites()[1].name, "block.1.ffn");
  std::vector<std::size_t> seen;
  blocks::Context context;
  context.observe = [&](std::size_t site, const at::Tensor& z) {
    seen.push_back(site);
    EXPECT_EQ(z.sizes(), (at::IntArrayRef{3, 6, 32}));
  };
  model->forward(torch::randint(0, 11, {3, 6}), context);
  EXPECT_EQ(seen, (std::vector<std::size_t>{0, 1}));
}

TEST(Gpt, SharesOneActivationOnlyWhenAsked) {
  const auto shared = make_model(small("tuelu", true), 1), separate = make_model(small("tuelu", false), 1);
  EXPECT_EQ(shared->sites()[0].activation.get(), shared->sites()[1].activation.get());
  EXPECT_NE(separate->sites()[0].activation.get(), separate->sites()[1].activation.get());
  EXPECT_EQ(activation_parameters(*shared).size(), 1u);
  EXPECT_EQ(activation_parameters(*separate).size(), 2u);
}

TEST(Models, UnknownNamesAndMisfitsAreTold) {
  ModelOptions options = small("relu");
  options.name = "gtp";
  EXPECT_THROW(make_model(options, 1), Error);
  options = small("relu");
  options.heads = 3;
  EXPECT_THROW(make_model(options, 1), Error);
}

}  // namespace
}  // namespace limen::models
