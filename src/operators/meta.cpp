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

at::Tensor& in_place(at::Tensor& self, std::string_view name, Numbers numbers, const Tensors& tensors,
                     std::int64_t axis) {
  read_call(self, name, numbers, tensors, axis);
  return self;
}

/// `others` like the input, then one like each tensor: where `needs` says so.
std::vector<at::Tensor> gradients(const Call& call, const at::Tensor& input, const Needs& needs, std::size_t others) {
  std::vector<at::Tensor> grads;
  for (std::size_t i = 0; i < needs.size(); ++i) {
    if (!needs.get(i)) continue;
    grads.push_back(i < others
                        ? at::empty_like(input)
                        : at::empty_symint(call.tensor[i - others].sym_sizes(), call.tensor[i - others].options()));
  }
  return grads;
}

std::vector<at::Tensor> backward(const at::Tensor& grad_output, const at::Tensor& input, std::string_view name,
                                 Numbers numbers, const Tensors& tensors, std::int64_t axis, const Needs& needs) {
  const Call call = read_call(input, name, numbers, tensors, axis);
  check_backward(grad_output, input, tensors, needs);
  return gradients(call, input, needs, 1);
}

std::vector<at::Tensor> second_backward(const at::Tensor& grad_output, const at::Tensor& input, std::string_view name,
                                        Numbers numbers, const Tensors& tensors, std::int64_t axis,
                                        const std::optional<at::Tensor>& v, const Tensors& w, const Needs& needs) {
  const Call call = read_call(input, name, numbers, tensors, axis);
  check_second_backward(grad_output, input, tensors, v, w, needs);
  return gradients(call, input, needs, 2);
}

TORCH_LIBRARY_IMPL(limen, Meta, m) {
  m.impl("activation", forward);
  m.impl("activation_", in_place);
  m.impl("activation_backward", backward);
  m.impl("activation_second_backward", second_backward);
}

}  // namespace
}  // namespace limen::op
