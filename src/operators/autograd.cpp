// Part of limen. SPDX-License-Identifier: MIT
//
// Gradients. The backward needs the input and the parameters' tensors, nothing that the forward computed.
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/functions/utils.h>
#include <torch/library.h>

#include <algorithm>
#include <string>
#include <utility>

#include "limen/error.h"
#include "operators/call.h"

namespace limen::op {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

template <class Signature>
const c10::TypedOperatorHandle<Signature>& handle(const char* name) {
  static const auto found = find_operator<Signature>(name);
  return found;
}
const auto& forward_handle() { return handle<Forward>("limen::activation"); }
const auto& backward_handle() { return handle<Backward>("limen::activation_backward"); }

/// Every tensor of a call that is set: what autograd can look at.
variable_list set_tensors(std::initializer_list<at::Tensor> first, const Tensors& tensors) {
  variable_list list(first);
  for (const std::optional<at::Tensor>& tensor : tensors)
    if (tensor && tensor->defined()) list.push_back(*tensor);
  return list;
}

/// `list` as an operator takes it; undefined entries are not set.
Tensors unflat(at::TensorList list) {
  Tensors tensors;
  for (const at::Tensor& tensor : list)
    tensors.push_back(tensor.defined() ? std::optional<at::Tensor>(tensor) : std::nullopt);
  return tensors;
}

/// Whether autograd has to know: also of forward-mode gradients, which Function refuses with a sentence.
bool is_tracked(const variable_list& list) {
  return std::any_of(list.begin(), list.end(), [](const at::Tensor& tensor) {
    return torch::autograd::isFwGradDefined(tensor) || (at::GradMode::is_enabled() && tensor.requires_grad());
  });
}

struct FirstDerivative : Function<FirstDerivative> {
  static at::Tensor forward(AutogradContext* context, at::TensorList inputs, std::string_view name, Numbers numbers,
                            const Tensors& tensors, std::int64_t axis) {
    variable_list saved = {inputs[0]};
    for (const std::optional<at::Tensor>& tensor : tensors) saved.push_back(tensor.value_or(at::Tensor()));
    context->save_for_backward(std::move(saved));
    context->saved_data["name"] = std::string(name);
    context->saved_data["numbers"] = numbers.vec();
    context->saved_data["axis"] = axis;
    const at::AutoDispatchBelowADInplaceOrView below;
    return forward_handle().call(inputs[0], name, numbers, tensors, axis);
  }

  static variable_list backward(AutogradContext* context, const variable_list& grads) {
    const variable_list saved = context->get_saved_variables();
    Needs needs;
    std::size_t set = 0;
    for (const at::Tensor& tensor : saved) needs.push_back(tensor.defined() && context->needs_input_grad(set++));
    const auto found = backward_handle().call(
        grads[0], saved[0], context->saved_data["name"].toStringRef(), context->saved_data["numbers"].toDoubleVector(),
        unflat(at::TensorList(saved).slice(1)), context->saved_data["axis"].toInt(), needs);
    variable_list all;
    std::size_t next = 0;
    for (std::size_t i = 0; i < saved.size(); ++i)
      if (saved[i].defined()) all.push_back(needs.get(i) ? found[next++] : at::Tensor());
    all.resize(all.size() + 4);  // name, numbers, tensors and axis have none
    return all;
  }
};

at::Tensor forward(c10::DispatchKeySet keys, const at::Tensor& input, std::string_view name, Numbers numbers,
                   const Tensors& tensors, std::int64_t axis) {
  const variable_list inputs = set_tensors({input}, tensors);
  if (is_tracked(inputs)) return FirstDerivative::apply(at::TensorList(inputs), name, numbers, tensors, axis);
  return forward_handle().redispatch(keys & c10::after_ADInplaceOrView_keyset, input, name, numbers, tensors, axis);
}

/// Marks the result of a backward that someone may differentiate again, so that it fails then rather than being wrong.
struct SecondDerivative : Function<SecondDerivative> {
  static variable_list forward(AutogradContext* context, at::TensorList inputs, std::string_view name, Numbers numbers,
                               const Tensors& tensors, std::int64_t axis, const Needs& needs) {
    context->saved_data["name"] = std::string(name);
    const at::AutoDispatchBelowADInplaceOrView below;
    return backward_handle().call(inputs[0], inputs[1], name, numbers, tensors, axis, needs);
  }

  static variable_list backward(AutogradContext* context, const variable_list&) {
    throw Error("limen::activation(" + context->saved_data["name"].toStringRef() +
                "): second derivatives are not available yet");
  }
};

std::vector<at::Tensor> backward(c10::DispatchKeySet keys, const at::Tensor& grad_output, const at::Tensor& input,
                                 std::string_view name, Numbers numbers, const Tensors& tensors, std::int64_t axis,
                                 const Needs& needs) {
  const variable_list inputs = set_tensors({grad_output, input}, tensors);
  if (is_tracked(inputs)) return SecondDerivative::apply(at::TensorList(inputs), name, numbers, tensors, axis, needs);
  return backward_handle().redispatch(keys & c10::after_ADInplaceOrView_keyset, grad_output, input, name, numbers,
                                      tensors, axis, needs);
}

TORCH_LIBRARY_IMPL(limen, Autograd, m) {
  m.impl("activation", forward);
  m.impl("activation_backward", backward);
}

}  // namespace
}  // namespace limen::op
