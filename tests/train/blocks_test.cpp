// Part of limen. SPDX-License-Identifier: MIT
//
// Each block against its plain twin in libtorch's own words.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "blocks/attention.h"
#include "blocks/dropout.h"
#include "blocks/embedding.h"
#include "blocks/feed_forward.h"
#include "blocks/layer_norm.h"
#include "blocks/linear.h"
#include "blocks/loss.h"
#include "limen/error.h"
#include "limen/math/random.h"

namespace limen::blocks {
namespace {

const Context training{.seed = 7, .step = 3, .training = true, .observe = nullptr};
const Context evaluation{.seed = 7, .step = 3, .training = false, .observe = nullptr};

template <class Block>
void randomize(Block& block) {
  const torch::NoGradGuard no_gradient;
  for (at::Tensor& parameter : block->parameters()) parameter.normal_(0, 0.3);
}

// Factors 0 or 1 / (1 - p) of the elements of `shape`, drawn one by one.
at::Tensor factors(double p, std::uint32_t site, const Context& context, at::IntArrayRef shape) {
  at::Tensor out = torch::empty(shape);
  const math::DropoutRate rate(p);
  const math::Stream stream(context.seed, math::Purpose::dropout, site, context.step);
  for (std::int64_t i = 0; i < out.numel(); ++i)
    out.data_ptr<float>()[i] = stream.keep(rate, static_cast<std::uint64_t>(i)) ? rate.scale() : 0;
  return out;
}

void expect_close(const at::Tensor& a, const at::Tensor& b, const std::string& what) {
  ASSERT_EQ(a.sizes(), b.sizes()) << what;
  EXPECT_TRUE(torch::allclose(a, b, 1e-4, 1e-5)) << what << ": " << (a - b).abs().max().item<double>();
}

// Outputs, the input's gradient and all parameters' gradients of a block and of the same function written plainly.
template <class Block, class Twin>
void expect_twin(Block& block, const at::Tensor& input, const Context& context, Twin&& twin) {
  for (const auto& parameter : block->named_parameters()) parameter.value().mutable_grad().reset();
  const at::Tensor x = input.detach().requires_grad_(), twin_x = input.detach().requires_grad_();
  const at::Tensor y = block->forward(x, context);
  const at::Tensor upstream = torch::randn_like(y);
  (y * upstream).sum().backward();
  std::vector<at::Tensor> gradients;
  for (const auto& parameter : block->named_parameters()) {
    gradients.push_back(parameter.value().grad().clone());
    parameter.value().mutable_grad().reset();
  }
  const at::Tensor twin_y = twin(twin_x);
  (twin_y * upstream).sum().backward();
  expect_close(y, twin_y, "output");
  expect_close(x.grad(), twin_x.grad(), "gradient of the input");
  std::size_t k = 0;
  for (const auto& parameter : block->named_parameters())
    expect_close(gradients[k++], parameter.value().grad(), "gradient of " + parameter.key());
}

TEST(Dropout, KeepsWhatTheRecipeKeeps) {
  Dropout dropout(0.3, 5);
  for (const std::vector<std::int64_t>& shape :
       std::vector<std::vector<std::int64_t>>{{}, {0}, {7}, {3, 5, 11}, {2, 1024}, {3, 4099}})
    expect_twin(dropout, torch::randn(shape), training,
                [&](const at::Tensor& x) { return x * factors(0.3, 5, training, x.sizes()); });
}

TEST(Dropout, DependsOnSeedStepAndSiteAndNotOnThreads) {
  const at::Tensor x = torch::ones({1 << 17});
  const at::Tensor y = Dropout(0.1, 5)->forward(x, training);
  Context other = training;
  other.step = 4;
  EXPECT_FALSE(torch::equal(y, Dropout(0.1, 5)->forward(x, other)));
  other = training;
  other.seed = 8;
  EXPECT_FALSE(torch::equal(y, Dropout(0.1, 5)->forward(x, other)));
  EXPECT_FALSE(torch::equal(y, Dropout(0.1, 6)->forward(x, training)));
  const int threads = at::get_num_threads();
  at::set_num_threads(threads == 1 ? 2 : 1);
  EXPECT_TRUE(torch::equal(y, Dropout(0.1, 5)->forward(x, training)));
  at::set_num_threads(threads);
  // 131,072 decisions of probability 0.1: six standard deviations are 0.005.
  EXPECT_NEAR(y.eq(0).to(torch::kFloat64).mean().item<double>(), 0.1, 0.005);
}

TEST(Dropout, LeavesEvaluationAndProbabilityZeroAlone) {
  const at::Tensor x = torch::randn({3, 4});
  EXPECT_TRUE(Dropout(0.3, 1)->forward(x, evaluation).is_same(x));
  EXPECT_TRUE(Dropout(0.0, 1)->forward(x, training).is_same(x));
}

TEST(Dropout, TakesStridedInputs) {
  const at::Tensor x = torch::randn({5, 3}).t();
  EXPECT_TRUE(torch::equal(Dropout(0.5, 1)->forward(x, training), Dropout(0.5, 1)->forward(x.contiguous(), training)));
}

TEST(Dropout, RefusesWhatItCannotReadInTraining) {
  for (const auto& options : {at::TensorOptions(torch::kMeta), at::TensorOptions(torch::kDouble)}) {
    const at::Tensor x = torch::ones({3}, options);
    EXPECT_THROW(Dropout(0.5, 1)->forward(x, training), Error) << options;
    EXPECT_TRUE(Dropout(0.5, 1)->forward(x, evaluation).is_same(x));
  }
}

TEST(CausalAttention, IsItsPlainTwin) {
  constexpr std::int64_t batch = 3, time = 5, heads = 2, width = 8;
  CausalAttention attention(CausalAttentionOptions{.width = width,
                                                   .heads = heads,
                                                   .context = 7,
                                                   .dropout = 0.2,
                                                   .weights_dropout_site = 11,
                                                   .output_dropout_site = 12});
  randomize(attention);
  const auto parameters = attention->named_parameters();
  for (const Context& context : {training, evaluation})
    expect_twin(attention, torch::randn({batch, time, width}), context, [&](const at::Tensor& x) {
      const auto packed = at::linear(x, parameters["qkv.weight"], parameters["qkv.bias"]).chunk(3, -1);
      const at::Tensor weight_factors = context.training ? factors(0.2, 11, context, {batch, heads, time, time})
                                                         : torch::ones({batch, heads, time, time});
      std::vector<at::Tensor> rows;
      for (std::int64_t b = 0; b < batch; ++b)
        for (std::int64_t i = 0; i < time; ++i)
          for (std::int64_t h = 0; h < heads; ++h) {
            const auto head = [&](int part) { return packed[part][b].slice(1, 4 * h, 4 * h + 4).slice(0, 0, i + 1); };
            const at::Tensor weights = at::softmax(head(1).matmul(head(0)[i]) / 2, 0);  // 2 = sqrt(width / heads)
            rows.push_back((weights * weight_factors[b][h][i].slice(0, 0, i + 1)).matmul(head(2)));
          }
      const at::Tensor y = torch::stack(rows).view({batch, time, width});
      const at::Tensor out = at::linear(y, parameters["out.weight"], parameters["out.bias"]);
      return context.training ? out * factors(0.2, 12, context, out.sizes()) : out;
    });
}

TEST(CausalAttention, SeesNothingOfWhatComesLater) {
  CausalAttention attention(CausalAttentionOptions{
      .width = 8, .heads = 2, .context = 6, .dropout = 0, .weights_dropout_site = 1, .output_dropout_site = 2});
  randomize(attention);
  at::Tensor x = torch::randn({1, 6, 8});
  const at::Tensor before = attention->forward(x, evaluation).slice(1, 0, 4).clone();
  x.slice(1, 4, 6).normal_();
  EXPECT_TRUE(torch::equal(before, attention->forward(x, evaluation).slice(1, 0, 4)));
}

TEST(CausalAttention, MovesAsAWholeAndKeepsNothingButItsWeights) {
  const auto make = [] {
    return CausalAttention(CausalAttentionOptions{
        .width = 8, .heads = 2, .context = 6, .dropout = 0, .weights_dropout_site = 1, .output_dropout_site = 2});
  };
  CausalAttention attention = make();
  randomize(attention);
  EXPECT_TRUE(attention->named_buffers().is_empty());
  EXPECT_EQ(attention->named_parameters().size(), 4U);
  const at::Tensor x = torch::randn({2, 5, 8});
  const at::Tensor y = attention->forward(x, evaluation);
  attention->to(torch::kDouble);
  EXPECT_TRUE(torch::allclose(attention->forward(x.to(torch::kDouble), evaluation), y.to(torch::kDouble), 1e-4, 1e-5));
}

TEST(FeedForward, IsItsPlainTwinAndShowsItsPreActivations) {
  ActivationOptions relu;
  relu.name = "relu";
  FeedForward ffn(
      FeedForwardOptions{.width = 6, .hidden = 24, .dropout = 0.25, .dropout_site = 9, .activation_site = 2},
      Activation(relu));
  randomize(ffn);
  const auto parameters = ffn->named_parameters();
  Context context = training;
  at::Tensor seen;
  context.observe = [&](std::size_t site, const at::Tensor& z) {
    EXPECT_EQ(site, 2u);
    EXPECT_FALSE(z.requires_grad());
    seen = z;
  };
  expect_twin(ffn, torch::randn({4, 5, 6}), context, [&](const at::Tensor& x) {
    const at::Tensor z = at::linear(x, parameters["up.weight"], parameters["up.bias"]);
    expect_close(seen, z, "pre-activations");
    const at::Tensor y = at::linear(z.clamp_min(0), parameters["down.weight"], parameters["down.bias"]);
    return y * factors(0.25, 9, context, y.sizes());
  });
}

TEST(FeedForward, GatesOneHalfByTheOther) {
  FeedForward ffn(FeedForwardOptions{.width = 6, .hidden = 16, .dropout = 0, .dropout_site = 9, .activation_site = 2},
                  Activation(ActivationOptions{.name = "gated(relu)"}));
  randomize(ffn);
  const auto parameters = ffn->named_parameters();
  EXPECT_EQ(parameters["up.weight"].sizes(), (at::IntArrayRef{32, 6}));
  Context context = training;
  at::Tensor seen;
  context.observe = [&](std::size_t, const at::Tensor& z) { seen = z; };
  expect_twin(ffn, torch::randn({4, 5, 6}), context, [&](const at::Tensor& x) {
    const at::Tensor z = at::linear(x, parameters["up.weight"], parameters["up.bias"]);
    const at::Tensor u = z.slice(-1, 0, 16), v = z.slice(-1, 16, 32);
    expect_close(seen, u, "what is gated");
    return at::linear(u.clamp_min(0) * v, parameters["down.weight"], parameters["down.bias"]);
  });
}

TEST(FeedForward, DrawsThresholdsInTrainingAlone) {
  const ActivationOptions relu_like{.name = "silu", .sampled = true};
  FeedForward ffn(FeedForwardOptions{.width = 6, .hidden = 8, .dropout = 0, .dropout_site = 9, .activation_site = 2},
                  Activation(relu_like));
  randomize(ffn);
  const auto parameters = ffn->named_parameters();
  const at::Tensor x = torch::randn({50, 6}), z = at::linear(x, parameters["up.weight"], parameters["up.bias"]);
  const auto down = [&](const at::Tensor& y) {
    return at::linear(y, parameters["down.weight"], parameters["down.bias"]);
  };
  const at::Tensor mean = activation(z, "silu");
  const Draw draw{.seed = training.seed, .site = 2, .step = training.step};
  EXPECT_TRUE(torch::equal(ffn->forward(x, training), down(sampled(z, mean, draw))));
  EXPECT_TRUE(torch::equal(ffn->forward(x, {}), down(mean)));
}

TEST(FeedForward, GatedFormsHaveAboutTheWeightsOfThePlainOne) {
  EXPECT_EQ(hidden_width(512, Form::plain), 512);
  EXPECT_EQ(hidden_width(512, Form::gated), 344);  // 341 to a multiple of 8
  EXPECT_EQ(hidden_width(384, Form::glu), 256);
  EXPECT_EQ(hidden_width(2048, Form::gated), 1368);
  EXPECT_EQ(hidden_width(24, Form::gated), 16);
  EXPECT_EQ(hidden_width(4, Form::gated), 8) << "never none";
}

// Blocks without a context, for expect_twin.
template <class Block>
struct WithContext {
  Block block;
  WithContext* operator->() { return this; }
  at::Tensor forward(const at::Tensor& x, const Context&) { return block->forward(x); }
  auto named_parameters() { return block->named_parameters(); }
};

TEST(Linear, IsItsPlainTwin) {
  WithContext<Linear> linear{Linear(6, 4)};
  randomize(linear.block);
  expect_twin(linear, torch::randn({3, 5, 6}), training,
              [&](const at::Tensor& x) { return x.matmul(linear.block->weight.t()) + linear.block->bias; });
}

TEST(LayerNorm, IsItsPlainTwin) {
  WithContext<LayerNorm> norm{LayerNorm(6)};
  EXPECT_TRUE(torch::equal(norm.block->weight, torch::ones({6})));
  randomize(norm.block);
  expect_twin(norm, torch::randn({3, 5, 6}) * 2 + 1, training, [&](const at::Tensor& x) {
    const at::Tensor centred = x - x.mean(-1, true);
    const at::Tensor variance = centred.square().mean(-1, true);
    return centred / (variance + 1e-5).sqrt() * norm.block->weight + norm.block->bias;
  });
}

TEST(Embedding, PicksRowsAndAddsTheirGradients) {
  Embedding embedding(5, 3);
  randomize(embedding);
  const at::Tensor ids = torch::tensor({{4, 0}, {4, 2}}, torch::kLong);
  const at::Tensor y = embedding->forward(ids);
  EXPECT_TRUE(torch::equal(y[1][0], embedding->weight[4]));
  y.sum().backward();
  EXPECT_TRUE(torch::equal(embedding->weight.grad().select(1, 0), torch::tensor({1.0F, 0.0F, 1.0F, 0.0F, 2.0F})));
}

TEST(CrossEntropy, IsItsPlainTwin) {
  const at::Tensor logits = torch::randn({3, 4, 5}), targets = torch::randint(0, 5, {3, 4});
  const at::Tensor chances = (logits.exp() / logits.exp().sum(-1, true)).gather(-1, targets.unsqueeze(-1));
  EXPECT_NEAR(cross_entropy(logits, targets).item<double>(), -chances.log().mean().item<double>(), 1e-6);
  EXPECT_NEAR(cross_entropy(torch::zeros({2, 3, 65}), torch::zeros({2, 3}, torch::kLong)).item<double>(),
              std::log(65.0), 1e-6);
}

}  // namespace
}  // namespace limen::blocks
