// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <ATen/core/Tensor.h>

namespace limen::blocks {

/// Mean cross entropy in nats, without smoothing: logits [..., classes], targets [...] (i64, in [0, classes)) give [].
at::Tensor cross_entropy(const at::Tensor& logits, const at::Tensor& targets);

}  // namespace limen::blocks
