// Part of limen. SPDX-License-Identifier: MIT
#include "models/gpt.h"

#include <torch/types.h>

#include <span>
#include <string>

#include "blocks/attention.h"
#include "blocks/feed_forward.h"
#include "limen/digits.h"
#include "limen/error.h"
#include "limen/math/random.h"

namespace limen::models {
namespace {

using blocks::CausalAttention, blocks::Context, blocks::FeedForward, blocks::LayerNorm;

class BlockImpl : public torch::nn::Module {
 public:
  BlockImpl(const blocks::CausalAttentionOptions& attention, const blocks::FeedForwardOptions& ffn,
            const Activation& activation)
      : attention_norm_(register_module("attention_norm", LayerNorm(attention.width))),
        attention_(register_module("attention", CausalAttention(attention))),
        ffn_norm_(register_module("ffn_norm", LayerNorm(ffn.width))),
        ffn_(register_module("ffn", FeedForward(ffn, activation))) {}

  at::Tensor forward(const at::Tensor& input, const Context& context) {
    const at::Tensor x = input + attention_(attention_norm_(input), context);
    return x + ffn_(ffn_norm_(x), context);
  }

 private:
  LayerNorm attention_norm_;
  CausalAttention attention_;
  LayerNorm ffn_norm_;
  FeedForward ffn_;
};
TORCH_MODULE(Block);

void expect(bool holds, const std::string& what, const std::string& got) {
  if (!holds) throw Error("model." + what + ", got " + got);
}

}  // namespace

void Gpt::check(const ModelOptions& options) {
  const auto at_least_one = [](const std::string& key, std::int64_t value) {
    expect(value >= 1, key + ": expected at least 1", std::to_string(value));
  };
  at_least_one("layers", options.layers);
  at_least_one("heads", options.heads);
  at_least_one("width", options.width);
  at_least_one("context", options.context);
  expect(options.width % options.heads == 0,
         "width: expected a multiple of model.heads (" + std::to_string(options.heads) + ")",
         std::to_string(options.width));
  const bool probability = options.dropout >= 0 && options.dropout < 1;
  expect(probability && math::DropoutRate(options.dropout).n() < 65536, "dropout: expected at least 0 and below 1",
         shortest(options.dropout));
}

Gpt::Gpt(const ModelOptions& options, std::uint64_t seed) : Model(options) {
  check(options);
  expect(options.classes >= 1, "classes: expected at least 1", std::to_string(options.classes));
  token_embedding_ = register_module("token_embedding", blocks::Embedding(options.classes, options.width));
  position_embedding_ = register_module("position_embedding", blocks::Embedding(options.context, options.width));
  dropout_ = register_module("dropout", blocks::Dropout(options.dropout, 0));
  blocks_ = register_module("block", torch::nn::ModuleList());
  for (std::uint32_t b = 0; b < options.layers; ++b) {
    const Activation activation = add_site("block." + std::to_string(b) + ".ffn");
    blocks_->push_back(
        Block(blocks::CausalAttentionOptions{.width = options.width,
                                             .heads = options.heads,
                                             .context = options.context,
                                             .dropout = options.dropout,
                                             .weights_dropout_site = 3 * b + 1,
                                             .output_dropout_site = 3 * b + 2},
              blocks::FeedForwardOptions{.width = options.width,
                                         .hidden = blocks::hidden_width(4 * options.width, activation->options().form),
                                         .dropout = options.dropout,
                                         .dropout_site = 3 * b + 3,
                                         .activation_site = sites().size() - 1},
              activation));
  }
  norm_ = register_module("norm", LayerNorm(options.width));
  initialize(seed);
}

void Gpt::initialize(std::uint64_t seed) {
  constexpr double deviation = 0.02;
  // The matrices and embeddings; vectors are biases, norms and the activations' own, which hold their first values
  // already.
  for (const auto& parameter : named_parameters()) {
    at::Tensor weight = parameter.value().detach();
    if (weight.dim() < 2) continue;
    const std::span<float> values(weight.mutable_data_ptr<float>(), static_cast<std::size_t>(weight.numel()));
    math::Stream::weights(seed, parameter.key()).fill_normal(values, 0, deviation);
  }
}

at::Tensor Gpt::forward(const at::Tensor& tokens, const Context& context) {
  const at::Tensor positions = position_embedding_->weight.slice(0, 0, tokens.size(1));
  at::Tensor x = dropout_(token_embedding_(tokens) + positions, context);
  for (const auto& block : *blocks_) x = block->as<BlockImpl>()->forward(x, context);
  return at::linear(norm_(x), token_embedding_->weight);
}

}  // namespace limen::models
