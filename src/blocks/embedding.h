// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include <cstdint>

namespace limen::blocks {

/// Row `id` of `weight` [count, width] for every id: ids [...] (i64, in [0, count)) give [..., width]. The weight is
/// zero until the model fills it.
class EmbeddingImpl : public torch::nn::Module {
 public:
  EmbeddingImpl(std::int64_t count, std::int64_t width);
  at::Tensor forward(const at::Tensor& ids);

  at::Tensor weight;
};
TORCH_MODULE(Embedding);

}  // namespace limen::blocks
