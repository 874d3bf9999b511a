// Part of limen. SPDX-License-Identifier: MIT
//
// The operators of the family as C++ types, and what their arguments mean: read and checked in one place for every
// device. docs/operators.md explains the schemas.
#pragma once

#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "limen/registry.h"

namespace limen::op {

using Numbers = at::ArrayRef<double>;
using Tensors = c10::List<std::optional<at::Tensor>>;
using Needs = c10::List<bool>;

using Forward = at::Tensor(const at::Tensor& input, std::string_view name, Numbers numbers, const Tensors& tensors,
                           std::int64_t axis);
using InPlace = at::Tensor&(at::Tensor& self, std::string_view name, Numbers numbers, const Tensors& tensors,
                            std::int64_t axis);
/// The gradients that `needs` asks for (entry 0: the input's, entry 1 + k: that of tensors[k]), in that order.
using Backward = std::vector<at::Tensor>(const at::Tensor& grad_output, const at::Tensor& input, std::string_view name,
                                         Numbers numbers, const Tensors& tensors, std::int64_t axis,
                                         const Needs& needs);
/// The gradients of what Backward returns, given the cotangents `v` of the input's gradient and w[k] of that of
/// tensors[k]: for grad_output (entry 0 of `needs`), the input (entry 1) and tensors[k] (entry 2 + k).
using SecondBackward = std::vector<at::Tensor>(const at::Tensor& grad_output, const at::Tensor& input,
                                               std::string_view name, Numbers numbers, const Tensors& tensors,
                                               std::int64_t axis, const std::optional<at::Tensor>& v, const Tensors& w,
                                               const Needs& needs);

/// The operator of that name, for calls through the dispatcher: keep it in a static.
template <class Signature>
auto find_operator(const char* name) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, "").typed<Signature>();
}
const c10::TypedOperatorHandle<Forward>& forward_operator();
const c10::TypedOperatorHandle<InPlace>& in_place_operator();
const c10::TypedOperatorHandle<Backward>& backward_operator();
const c10::TypedOperatorHandle<SecondBackward>& second_backward_operator();

/// Throws limen::Error unless the input of `where` is of a floating type that the family computes.
void check_type(std::string_view where, const at::Tensor& input);

/// The arguments of one call, checked: every device may rely on them.
struct Call {
  ActivationId id;
  std::array<double, max_parameters> number = {};      ///< values of the parameters without a tensor
  std::array<at::Tensor, max_parameters> tensor = {};  ///< undefined where the number counts
  std::array<bool, max_parameters> per_channel = {};   ///< whether the tensor holds one value a channel
  std::int64_t axis = -1;                              ///< of the channels, from 0; -1 when no parameter has them

  std::size_t parameter_count() const { return info(id).parameter_count; }
};

/// Reads and checks the arguments of either operator. Throws limen::Error. Looks at no tensor's values, and at symbolic
/// sizes only, so that it serves shapes that are not yet known.
Call read_call(const at::Tensor& input, std::string_view name, Numbers numbers, const Tensors& tensors,
               std::int64_t axis);

/// Throws limen::Error unless `tensor`, the argument `what` of `where`, has the input's shape, type and device.
void check_like(const char* where, const char* what, const at::Tensor& tensor, const at::Tensor& input);

/// Checks what only the backward has. Throws limen::Error.
void check_backward(const at::Tensor& grad_output, const at::Tensor& input, const Tensors& tensors, const Needs& needs);
/// Checks what only the second backward has. Throws limen::Error.
void check_second_backward(const at::Tensor& grad_output, const at::Tensor& input, const Tensors& tensors,
                           const std::optional<at::Tensor>& v, const Tensors& w, const Needs& needs);

/// Entry k, or an undefined tensor where there is none.
at::Tensor entry(const Tensors& tensors, std::size_t k);
/// Whether any entry from `first` on is true.
bool any(const Needs& needs, std::size_t first);

}  // namespace limen::op
