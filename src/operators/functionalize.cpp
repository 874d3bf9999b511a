// Part of limen. SPDX-License-Identifier: MIT
//
// What torch.compile and torch.export make of the operator in place: the one that is not.
#include <ATen/FunctionalTensorWrapper.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <torch/library.h>

#include "operators/call.h"

namespace limen::op {
namespace {

namespace functional = at::functionalization::impl;

at::Tensor inner(const at::Tensor& tensor) {
  if (!functional::isFunctionalTensor(tensor)) return tensor;
  functional::sync(tensor);
  return functional::from_functional_tensor(tensor);
}

at::Tensor& in_place(at::Tensor& self, std::string_view name, Numbers numbers, const Tensors& tensors,
                     std::int64_t axis) {
  Tensors inner_tensors;
  for (std::size_t k = 0; k < tensors.size(); ++k) {
    const at::Tensor tensor = entry(tensors, k);
    inner_tensors.push_back(tensor.defined() ? std::optional(inner(tensor)) : std::nullopt);
  }
  at::Tensor inner_self = inner(self);
  const at::AutoDispatchSkipFunctionalize below;
  if (!functional::isFunctionalTensor(self)) {
    in_place_operator().call(inner_self, name, numbers, inner_tensors, axis);
    return self;
  }
  functional::replace_(self, forward_operator().call(inner_self, name, numbers, inner_tensors, axis));
  functional::commit_update(self);
  functional::sync(self);
  return self;
}

TORCH_LIBRARY_IMPL(limen, Functionalize, m) { m.impl("activation_", in_place); }

}  // namespace
}  // namespace limen::op
