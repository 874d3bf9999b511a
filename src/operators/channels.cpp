// Part of limen. SPDX-License-Identifier: MIT
#include "operators/channels.h"

#include <ATen/ops/zeros.h>

#include <string>

#include "limen/error.h"

namespace limen::op {

void check_isa() {
  if (const auto error = kernels::isa_error(); !error.empty()) throw Error(std::string(error));
}

std::vector<double> values_of(const at::Tensor& tensor) {
  if (tensor.scalar_type() == at::kFloat && tensor.is_contiguous() && !tensor.is_neg()) {
    const float* const first = tensor.const_data_ptr<float>();
    return std::vector<double>(first, first + tensor.numel());
  }
  const at::Tensor wide = tensor.resolve_neg().to(at::kDouble).contiguous();
  const double* const first = wide.const_data_ptr<double>();
  return std::vector<double>(first, first + wide.numel());
}

at::Tensor Sums::gradient(const Call& call, std::size_t k) const {
  const at::Tensor& tensor = call.tensor[k];
  at::Tensor gradient = at::zeros(tensor.sizes(), tensor.options().dtype(at::kDouble));
  double* const sums = gradient.mutable_data_ptr<double>();
  for (std::int64_t i = 0; i < walk_.tiles(); ++i) {
    const kernels::Tile tile = walk_.tile(i);
    const double* const own = of_tiles_.data() + static_cast<std::size_t>(i) * of_tile();
    for (std::int64_t c = 0; c < tile.extent.channels; ++c)
      sums[call.per_channel[k] ? tile.channel + c : 0] += own[static_cast<std::size_t>(c) * parameters_ + k];
  }
  return gradient.to(tensor.scalar_type());
}

}  // namespace limen::op
