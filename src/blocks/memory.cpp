// Part of limen. SPDX-License-Identifier: MIT
#include "blocks/memory.h"

#include <string>

#include "limen/error.h"

namespace limen::blocks {

void expect_cpu_f32(const at::Tensor& tensor, std::string_view what) {
  if (tensor.device().is_cpu() && tensor.scalar_type() == at::kFloat && tensor.layout() == at::kStrided) return;
  throw Error(std::string(what) + ": expected a dense tensor of type Float on cpu, got " +
              c10::toString(tensor.scalar_type()) + (tensor.layout() == at::kStrided ? "" : ", not dense,") + " on " +
              tensor.device().str() + "; try .to(torch::kCPU, torch::kFloat)");
}

}  // namespace limen::blocks
