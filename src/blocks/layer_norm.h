// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include <cstdint>

namespace limen::blocks {

/// y = (x - mean) / sqrt(variance + 1e-5) * weight + bias over the last dimension [width]; the variance divides by the
/// width. Parameters `weight` (ones at first) and `bias` (zeros), both [width].
class LayerNormImpl : public torch::nn::Module {
 public:
  explicit LayerNormImpl(std::int64_t width);
  at::Tensor forward(const at::Tensor& x);

  static constexpr double epsilon = 1e-5;
  at::Tensor weight, bias;
};
TORCH_MODULE(LayerNorm);

}  // namespace limen::blocks
