// Part of limen. SPDX-License-Identifier: MIT
#include "blocks/layer_norm.h"

#include <torch/types.h>

namespace limen::blocks {

LayerNormImpl::LayerNormImpl(std::int64_t width)
    : weight(register_parameter("weight", torch::ones({width}))),
      bias(register_parameter("bias", torch::zeros({width}))) {}

at::Tensor LayerNormImpl::forward(const at::Tensor& x) {
  return at::layer_norm(x, weight.sizes(), weight, bias, epsilon);
}

}  // namespace limen::blocks
