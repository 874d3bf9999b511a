// Part of limen. SPDX-License-Identifier: MIT
#include "blocks/linear.h"

#include <torch/types.h>

namespace limen::blocks {

LinearImpl::LinearImpl(std::int64_t inputs, std::int64_t outputs)
    : weight(register_parameter("weight", torch::zeros({outputs, inputs}))),
      bias(register_parameter("bias", torch::zeros({outputs}))) {}

at::Tensor LinearImpl::forward(const at::Tensor& x) { return at::linear(x, weight, bias); }

}  // namespace limen::blocks
