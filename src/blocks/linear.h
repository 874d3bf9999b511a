// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include <cstdint>

namespace limen::blocks {

/// y = x W^T + b for x [..., inputs], y [..., outputs]. Parameters `weight` [outputs, inputs] and `bias` [outputs],
/// both zero until the model fills them.
class LinearImpl : public torch::nn::Module {
 public:
  LinearImpl(std::int64_t inputs, std::int64_t outputs);
  at::Tensor forward(const at::Tensor& x);

  at::Tensor weight, bias;
};
TORCH_MODULE(Linear);

}  // namespace limen::blocks
