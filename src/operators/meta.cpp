// Part of limen. SPDX-License-Identifier: MIT
//
// What the operators return, without values: for the meta device, torch.compile and torch.export.
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <torch/library.h>

#include "operators/call.h"

namespace limen::op {
namespace {

at::Tensor forward(const at::Tensor& input, std::string_view name, Numbers numbers, const Tensors& tensors,
                   std::int64_t axis) {
  read_call(input, name, numbers, tensors, axis);
  return at::empty_like(input);
}

std::vector<at::Tensor> backward(const at::Tensor& grad_output, const at::Tensor& input, std::string_view name,
                                 Numbers numbers, const Tensors& tensors, std::int64_t axis, const Needs& needs) {
  const Call call = read_call(input, name, numbers, tensors, axis);
  check_backward(grad_output, input, tensors, needs);
  std::vector<at::Tensor> grads;
  if (needs.get(0)) grads.push_back(at::empty_like(input));
  for (std::size_t k = 0; k < tensors.size(); ++k)
    if (needs.get(k + 1)) grads.push_back(at::empty_symint(call.tensor[k].sym_sizes(), call.tensor[k].options()));
  return grads;
}

TORCH_LIBRARY_IMPL(limen, Meta, m) {
  m.impl("activation", forward);
  m.impl("activation_backward", backward);
}

}  // namespace
}  // namespace limen::op
