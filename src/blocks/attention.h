// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include <cstdint>

#include "blocks/context.h"
#include "blocks/dropout.h"
#include "blocks/linear.h"

namespace limen::blocks {

struct CausalAttentionOptions {
  std::int64_t width;
  std::int64_t heads;                                       ///< divides width
  std::int64_t context;                                     ///< the longest sequence
  double dropout;                                           ///< of the attention weights and of the output
  std::uint32_t weights_dropout_site, output_dropout_site;  ///< see Dropout
};

/// Multi-head self-attention in which a token sees itself and what came before: x [batch, time, width] gives the same
/// shape.
///   q, k, v = heads of x W_qkv^T + b_qkv          (one packed product, columns ordered q, k, v, each head by head)
///   y       = dropout(softmax(q k^T / sqrt(width / heads), causal)) v
///   result  = dropout(y W_out^T + b_out)
class CausalAttentionImpl : public torch::nn::Module {
 public:
  explicit CausalAttentionImpl(const CausalAttentionOptions& options);
  at::Tensor forward(const at::Tensor& x, const Context& context);

 private:
  std::int64_t heads_;
  Linear qkv_, out_;
  Dropout weights_dropout_, output_dropout_;
};
TORCH_MODULE(CausalAttention);

}  // namespace limen::blocks
