// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <ATen/ops/empty.h>

#include <algorithm>
#include <span>

namespace limen::op {

/// The numbers as a float64 vector on the CPU.
inline at::Tensor vector_of(std::span<const double> numbers) {
  at::Tensor vector = at::empty({static_cast<std::int64_t>(numbers.size())}, at::kDouble);
  std::ranges::copy(numbers, vector.mutable_data_ptr<double>());
  return vector;
}

}  // namespace limen::op
