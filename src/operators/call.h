// Part of limen. SPDX-License-Identifier: MIT
//
// The operators limen::activation and limen::activation_backward as C++ types, and what their arguments mean: read and
// checked in one place for every device. docs/operators.md explains the schema.
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
/// The gradients that `needs` asks for (entry 0: the input's, entry 1 + k: that of tensors[k]), in that order.
using Backward = std::vector<at::Tensor>(const at::Tensor& grad_output, const at::Tensor& input, std::string_view name,
                                         Numbers numbers, const Tensors& tensors, std::int64_t axis,
                                         const Needs& needs);

/// The operator of that name, for calls through the dispatcher: keep it in a static.
template <class Signature>
auto find_operator(const char* name) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, "").typed<Signature>();
}

/// Throws limen::Error unless the input of `where` is f32 or f64.
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

/// Checks what only the backward has. Throws limen::Error.
void check_backward(const at::Tensor& grad_output, const at::Tensor& input, const Tensors& tensors, const Needs& needs);

}  // namespace limen::op
