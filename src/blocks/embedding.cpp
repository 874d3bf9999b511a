// Part of limen. SPDX-License-Identifier: MIT
#include "blocks/embedding.h"

#include <torch/types.h>

namespace limen::blocks {

EmbeddingImpl::EmbeddingImpl(std::int64_t count, std::int64_t width)
    : weight(register_parameter("weight", torch::zeros({count, width}))) {}

at::Tensor EmbeddingImpl::forward(const at::Tensor& ids) { return at::embedding(weight, ids); }

}  // namespace limen::blocks
