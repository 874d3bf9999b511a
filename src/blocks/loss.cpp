// Part of limen. SPDX-License-Identifier: MIT
#include "blocks/loss.h"

#include <ATen/Functions.h>

namespace limen::blocks {

at::Tensor cross_entropy(const at::Tensor& logits, const at::Tensor& targets) {
  return at::cross_entropy_loss(logits.view({-1, logits.size(-1)}), targets.reshape(-1));
}

}  // namespace limen::blocks
