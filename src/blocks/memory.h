// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <ATen/core/Tensor.h>

#include <string_view>

namespace limen::blocks {

/// For code that reads a tensor's memory itself: throws limen::Error, naming `what`, where the tensor is not f32 on the
/// CPU.
void expect_cpu_f32(const at::Tensor& tensor, std::string_view what);

}  // namespace limen::blocks
