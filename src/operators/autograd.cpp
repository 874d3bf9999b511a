// Part of limen. SPDX-License-Identifier: MIT
//
// Derivatives. Backward needs the input and the parameters' tensors, nothing that the forward computed. Nodes of
// autograd's own kind rather than torch::autograd::Function, which knows neither forward mode nor torch.func.
//
// With the operators A (activation), B (its backward) and S (the backward of that):
//   A: backward is B; forward mode is B or, where a parameter moves, S
//   B: backward is S; forward mode is B of the gradient's tangent plus S, since second derivatives are symmetric
//   S: what it says of grad_output has B and S as its backward; the rest would need third derivatives
#include <ATen/ops/zeros_like.h>
#include <torch/csrc/autograd/FunctionsManual.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>
#include <torch/csrc/autograd/saved_variable.h>
#include <torch/library.h>

#include <algorithm>
#include <string>
#include <utility>

#include "limen/error.h"
#include "operators/call.h"

namespace limen::op {
namespace {

using torch::autograd::Node;
using torch::autograd::SavedVariable;
using torch::autograd::variable_list;

/// Every tensor of a call that is set: what autograd can look at.
variable_list set_tensors(variable_list first, const Tensors& tensors) {
  for (std::size_t k = 0; k < tensors.size(); ++k)
    if (const at::Tensor tensor = entry(tensors, k); tensor.defined()) first.push_back(tensor);
  return first;
}

/// `list` as an operator takes it; undefined entries are not set.
Tensors as_tensors(at::TensorList list) {
  Tensors tensors;
  for (const at::Tensor& tensor : list)
    tensors.push_back(tensor.defined() ? std::optional<at::Tensor>(tensor) : std::nullopt);
  return tensors;
}

bool any_defined(at::TensorList list) {
  return std::any_of(list.begin(), list.end(), [](const at::Tensor& tensor) { return tensor.defined(); });
}

bool any_set(const Tensors& tensors) { return !set_tensors({}, tensors).empty(); }

bool any_forward(const variable_list& list) {
  return std::any_of(list.begin(), list.end(), [](const at::Tensor& t) { return torch::autograd::isFwGradDefined(t); });
}

/// The tangent of a tensor in forward mode, undefined where it has none.
at::Tensor tangent(const at::Tensor& tensor) { return torch::autograd::generated::details::toNonOptFwGrad(tensor); }
at::Tensor primal(const at::Tensor& tensor) { return torch::autograd::generated::details::toNonOptPrimal(tensor); }

/// The same of a list, entry by entry.
template <class F>
Tensors each(const Tensors& tensors, F&& f) {
  variable_list found;
  for (std::size_t k = 0; k < tensors.size(); ++k) {
    const at::Tensor tensor = entry(tensors, k);
    found.push_back(tensor.defined() ? f(tensor) : tensor);
  }
  return as_tensors(found);
}

Needs needs_of(std::size_t count, bool value) {
  Needs needs;
  for (std::size_t i = 0; i < count; ++i) needs.push_back(value);
  return needs;
}
/// True for the entries of `tensors` that are set.
void append_set(Needs& needs, const Tensors& tensors) {
  for (std::size_t k = 0; k < tensors.size(); ++k) needs.push_back(entry(tensors, k).defined());
}

/// What all nodes of the family keep. The edges: first `leading` tensors, then every parameter that is set.
struct FamilyNode : Node {
  std::string activation;
  std::vector<double> numbers;
  std::int64_t axis;
  std::vector<SavedVariable> leading;
  std::vector<SavedVariable> parameters;  // as many as `tensors` had entries

  void keep(const variable_list& first, std::string_view name, Numbers values, const Tensors& tensors,
            std::int64_t channels) {
    activation = name;
    numbers = values.vec();
    axis = channels;
    for (const at::Tensor& tensor : first) leading.emplace_back(tensor, /*is_output=*/false);
    for (std::size_t k = 0; k < tensors.size(); ++k) parameters.emplace_back(entry(tensors, k), /*is_output=*/false);
  }
  void release_variables() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (SavedVariable& saved : leading) saved.reset_data();
    for (SavedVariable& saved : parameters) saved.reset_data();
  }
  static variable_list unpack(const std::vector<SavedVariable>& saved) {
    variable_list tensors;
    for (const SavedVariable& one : saved) tensors.push_back(one.unpack());
    return tensors;
  }
  /// Whether the gradient of each entry of `tensors` is wanted, whose edges begin at `edge`.
  void append_wanted(Needs& needs, const Tensors& tensors, std::size_t edge) const {
    for (std::size_t k = 0; k < tensors.size(); ++k)
      needs.push_back(entry(tensors, k).defined() && task_should_compute_output(edge++));
  }
};

/// Puts what an operator returned for `needs` on the edges: one for each of the first `leading` needs, then one for
/// each tensor that is set.
variable_list on_edges(std::vector<at::Tensor> found, const Needs& needs, std::size_t leading, const Tensors& tensors) {
  variable_list edges;
  std::size_t next = 0;
  for (std::size_t i = 0; i < needs.size(); ++i) {
    if (i >= leading && !entry(tensors, i - leading).defined()) continue;
    edges.push_back(needs.get(i) ? std::move(found[next++]) : at::Tensor());
  }
  return edges;
}

template <class T>
c10::intrusive_ptr<T> make_node(const variable_list& inputs) {
  if (!torch::autograd::compute_requires_grad(inputs)) return {};
  auto node = c10::make_intrusive<T>();
  node->set_next_edges(torch::autograd::collect_next_edges(inputs));
  return node;
}

struct LimenActivationBackward : FamilyNode {
  variable_list apply(variable_list&& grads) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    const at::Tensor input = leading[0].unpack();
    const Tensors tensors = as_tensors(unpack(parameters));
    Needs needs = needs_of(1, task_should_compute_output(0));
    append_wanted(needs, tensors, 1);
    if (!grads[0].defined()) return variable_list(num_outputs());
    return on_edges(backward_operator().call(grads[0], input, activation, numbers, tensors, axis, needs), needs, 1,
                    tensors);
  }
  std::string name() const override { return "LimenActivationBackward"; }
};

at::Tensor forward_tangent(const at::Tensor& input, std::string_view name, Numbers numbers, const Tensors& tensors,
                           std::int64_t axis) {
  const at::Tensor z = primal(input), dz = tangent(input);
  const Tensors parameters = each(tensors, primal), moved = each(tensors, tangent);
  Needs needs = needs_of(1 + tensors.size(), false);
  needs.set(0, true);
  if (!any_set(moved)) return backward_operator().call(dz, z, name, numbers, parameters, axis, needs)[0];
  needs.push_back(false);
  // grad_output is looked at by other outputs only.
  return second_backward_operator().call(z, z, name, numbers, parameters, axis,
                                         dz.defined() ? std::optional(dz) : std::nullopt, moved, needs)[0];
}

at::Tensor forward(c10::DispatchKeySet keys, const at::Tensor& input, std::string_view name, Numbers numbers,
                   const Tensors& tensors, std::int64_t axis) {
  const variable_list inputs = set_tensors({input}, tensors);
  const auto node = make_node<LimenActivationBackward>(inputs);
  if (node) node->keep({input}, name, numbers, tensors, axis);
  at::Tensor output = [&] {
    const at::AutoDispatchBelowADInplaceOrView below;
    return forward_operator().redispatch(keys & c10::after_autograd_keyset, input, name, numbers, tensors, axis);
  }();
  if (node) torch::autograd::set_history(output, node);
  if (any_forward(inputs))
    output._set_fw_grad(forward_tangent(input, name, numbers, tensors, axis), /*level=*/0, /*is_inplace_op=*/false);
  return output;
}

at::Tensor& in_place(c10::DispatchKeySet keys, at::Tensor& self, std::string_view name, Numbers numbers,
                     const Tensors& tensors, std::int64_t axis) {
  const variable_list inputs = set_tensors({self}, tensors);
  if (torch::autograd::compute_requires_grad(inputs) || any_forward(inputs))
    throw Error("limen::activation_(" + std::string(name) +
                "): expected tensors without gradients, since derivatives need the input that it overwrites; try "
                "limen::activation");
  {
    const at::AutoDispatchBelowADInplaceOrView below;
    in_place_operator().redispatch(keys & c10::after_autograd_keyset, self, name, numbers, tensors, axis);
  }
  torch::autograd::impl::bump_version(self);
  return self;
}

struct LimenActivationSecondBackward : FamilyNode {
  std::vector<bool> asked;  // of the backward, whose outputs the gradients come for

  variable_list apply(variable_list&& grads) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!any_defined(grads)) return variable_list(num_outputs());
    const variable_list first = unpack(leading);
    const Tensors tensors = as_tensors(unpack(parameters));
    std::size_t next = 0;
    const at::Tensor v = asked[0] ? grads[next++] : at::Tensor();
    variable_list w;
    for (std::size_t k = 1; k < asked.size(); ++k) w.push_back(asked[k] ? grads[next++] : at::Tensor());
    Needs needs;
    needs.push_back(task_should_compute_output(0));
    needs.push_back(task_should_compute_output(1));
    append_wanted(needs, tensors, 2);
    return on_edges(
        second_backward_operator().call(first[0], first[1], activation, numbers, tensors, axis,
                                        v.defined() ? std::optional(v) : std::nullopt, as_tensors(w), needs),
        needs, 2, tensors);
  }
  std::string name() const override { return "LimenActivationSecondBackward"; }
};

/// Of every gradient that was asked for: B of the gradient's tangent plus S.
std::vector<at::Tensor> backward_tangents(const at::Tensor& grad_output, const at::Tensor& input, std::string_view name,
                                          Numbers numbers, const Tensors& tensors, std::int64_t axis,
                                          const Needs& needs) {
  const at::Tensor g = primal(grad_output), z = primal(input), dg = tangent(grad_output), dz = tangent(input);
  const Tensors parameters = each(tensors, primal), moved = each(tensors, tangent);
  std::vector<at::Tensor> total;
  if (dg.defined()) total = backward_operator().call(dg, z, name, numbers, parameters, axis, needs);
  if (!any_set(moved) && !dz.defined()) return total;
  Needs bent = needs_of(1, false);
  for (const bool need : needs) bent.push_back(need);
  const auto more = second_backward_operator().call(g, z, name, numbers, parameters, axis,
                                                    dz.defined() ? std::optional(dz) : std::nullopt, moved, bent);
  if (total.empty()) return more;
  for (std::size_t i = 0; i < total.size(); ++i) total[i] = total[i] + more[i];
  return total;
}

std::vector<at::Tensor> backward(c10::DispatchKeySet keys, const at::Tensor& grad_output, const at::Tensor& input,
                                 std::string_view name, Numbers numbers, const Tensors& tensors, std::int64_t axis,
                                 const Needs& needs) {
  const variable_list inputs = set_tensors({grad_output, input}, tensors);
  const auto node = make_node<LimenActivationSecondBackward>(inputs);
  if (node) {
    node->keep({grad_output, input}, name, numbers, tensors, axis);
    node->asked.assign(needs.begin(), needs.end());
  }
  std::vector<at::Tensor> outputs = [&] {
    const at::AutoDispatchBelowADInplaceOrView below;
    return backward_operator().redispatch(keys & c10::after_autograd_keyset, grad_output, input, name, numbers, tensors,
                                          axis, needs);
  }();
  if (node) torch::autograd::set_history(outputs, node);
  if (any_forward(inputs)) {
    const auto tangents = backward_tangents(grad_output, input, name, numbers, tensors, axis, needs);
    for (std::size_t i = 0; i < outputs.size(); ++i)
      outputs[i]._set_fw_grad(tangents[i], /*level=*/0, /*is_inplace_op=*/false);
  }
  return outputs;
}

/// The edges: grad_output, input, v, then w and parameters that are set, each in order.
struct LimenActivationThirdBackward : FamilyNode {
  std::vector<SavedVariable> cotangents;
  bool first_alone;  // whether what S says of grad_output is all that was asked for

  void release_variables() override {
    FamilyNode::release_variables();
    const std::lock_guard<std::mutex> lock(mutex_);
    for (SavedVariable& saved : cotangents) saved.reset_data();
  }

  /// S says v a' + sum_k w_k da/dp_k of grad_output. With g its gradient, B of g gives the gradients of v and w, and S
  /// of g those of the input and the parameters.
  variable_list apply(variable_list&& grads) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!any_defined(grads)) return variable_list(num_outputs());
    if (!first_alone || !grads[0].defined())
      throw Error("limen::activation(" + activation + "): expected at most second derivatives, got a third");
    const variable_list first = unpack(leading);
    const Tensors tensors = as_tensors(unpack(parameters)), w = as_tensors(unpack(cotangents));
    const at::Tensor v = first[2];

    Needs linear = needs_of(1, v.defined());
    for (std::size_t k = 0; k < tensors.size(); ++k) linear.push_back(entry(w, k).defined());
    const auto of_cotangents = backward_operator().call(grads[0], first[1], activation, numbers, tensors, axis, linear);
    Needs bent = needs_of(1, false);
    bent.push_back(true);
    append_set(bent, tensors);
    auto of_rest = second_backward_operator().call(grads[0], first[1], activation, numbers, tensors, axis,
                                                   v.defined() ? std::optional(v) : std::nullopt, w, bent);
    variable_list edges = {at::Tensor(), std::move(of_rest[0])};
    edges.insert(edges.end(), of_cotangents.begin(), of_cotangents.end());
    edges.insert(edges.end(), of_rest.begin() + 1, of_rest.end());
    return edges;
  }
  std::string name() const override { return "LimenActivationThirdBackward"; }
};

std::vector<at::Tensor> second_backward(c10::DispatchKeySet keys, const at::Tensor& grad_output,
                                        const at::Tensor& input, std::string_view name, Numbers numbers,
                                        const Tensors& tensors, std::int64_t axis, const std::optional<at::Tensor>& v,
                                        const Tensors& w, const Needs& needs) {
  const at::Tensor cotangent = v.value_or(at::Tensor());
  variable_list inputs = {grad_output, input};
  if (cotangent.defined()) inputs.push_back(cotangent);
  inputs = set_tensors(set_tensors(std::move(inputs), w), tensors);
  const auto node = make_node<LimenActivationThirdBackward>(inputs);
  if (node) {
    node->keep({grad_output, input, cotangent}, name, numbers, tensors, axis);
    for (std::size_t k = 0; k < tensors.size(); ++k) node->cotangents.emplace_back(entry(w, k), /*is_output=*/false);
    node->first_alone = needs.get(0) && std::count(needs.begin(), needs.end(), true) == 1;
  }
  if (any_forward(inputs))
    throw Error("limen::activation(" + std::string(name) +
                "): expected at most second derivatives, got a third, in forward mode");
  std::vector<at::Tensor> outputs = [&] {
    const at::AutoDispatchBelowADInplaceOrView below;
    return second_backward_operator().redispatch(keys & c10::after_autograd_keyset, grad_output, input, name, numbers,
                                                 tensors, axis, v, w, needs);
  }();
  if (node) torch::autograd::set_history(outputs, node);
  return outputs;
}

TORCH_LIBRARY_IMPL(limen, Autograd, m) {
  m.impl("activation", forward);
  m.impl("activation_", in_place);
  m.impl("activation_backward", backward);
  m.impl("activation_second_backward", second_backward);
}

}  // namespace
}  // namespace limen::op
