// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <torch/nn/modules/container/modulelist.h>

#include <cstdint>

#include "blocks/dropout.h"
#include "blocks/embedding.h"
#include "blocks/layer_norm.h"
#include "models/model.h"

namespace limen::models {

/// A decoder-only transformer over tokens [batch, time] (i64, time <= context), giving logits [batch, time, classes]:
///   x      = dropout(token embedding + learned position embedding)
///   x     += attention(norm x);  x += feed_forward(norm x)      for each block, hidden width 4 * width
///                                                               (gated forms: see blocks::hidden_width)
///   logits = norm(x) E^T                                        with the token embedding E, no bias
/// Initial weights: matrices and embeddings normal(0, 0.02), biases 0, norms 1 and 0.
///
/// Parts of `rng = 1` (limen/math/random.h): parameters are named as named_parameters() does, and the dropouts are
/// sites 0 (embeddings) and, in block b, 3 b + 1 (attention weights), 3 b + 2 (attention output), 3 b + 3 (feed-forward
/// output).
class Gpt : public Model {
 public:
  /// Throws limen::Error for options out of range; `classes`, which the data decide, is left to the constructor.
  static void check(const ModelOptions& options);
  Gpt(const ModelOptions& options, std::uint64_t seed);
  at::Tensor forward(const at::Tensor& tokens, const blocks::Context& context) override;

 private:
  void initialize(std::uint64_t seed);

  blocks::Embedding token_embedding_ = nullptr, position_embedding_ = nullptr;
  blocks::Dropout dropout_ = nullptr;
  torch::nn::ModuleList blocks_;
  blocks::LayerNorm norm_ = nullptr;
};

}  // namespace limen::models
