// Part of limen. SPDX-License-Identifier: MIT
//
// out = a(input + bias) factor * dropout's, in one pass over memory: what stands next to an activation in a network.
// Where derivatives of the backward are asked for, and in forward mode and torch.vmap, the same is put together from
// the other operators.
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/functorch/BatchedTensorImpl.h>
#include <ATen/functorch/DynamicLayer.h>
#include <ATen/functorch/PlumbingHelper.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/ones.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>
#include <torch/csrc/autograd/saved_variable.h>
#include <torch/library.h>

#include <string>
#include <utility>

#include "limen/error.h"
#include "limen/torch.h"
#include "operators/fused.h"

namespace limen::op {

const c10::TypedOperatorHandle<Fused>& fused_operator() {
  static const auto found = find_operator<Fused>("limen::fused_activation");
  return found;
}
const c10::TypedOperatorHandle<FusedBackward>& fused_backward_operator() {
  static const auto found = find_operator<FusedBackward>("limen::fused_activation_backward");
  return found;
}

namespace {

std::string text(at::SymIntArrayRef shape) { return c10::str(shape); }

}  // namespace

void check_fused(const at::Tensor& input, const Maybe& bias, const Maybe& factor, const Drawn& drawn) {
  const std::string where = "limen::fused_activation: ";
  const auto same_kind = [&](const at::Tensor& other, const char* what) {
    if (other.scalar_type() != input.scalar_type() || other.device() != input.device())
      throw Error(where + "expected a " + what + " of the input's type and device, got " +
                  std::string(c10::getDtypeNames(other.scalar_type()).first) + " on " + other.device().str() +
                  "; try " + what + ".to(input)");
  };
  if (bias) {
    same_kind(*bias, "bias");
    bool fits = bias->dim() <= input.dim();
    for (std::int64_t d = 1; fits && d <= bias->dim(); ++d)
      fits = bias->sym_size(-d) == 1 || bias->sym_size(-d) == input.sym_size(-d);
    if (!fits)
      throw Error(where + "expected a bias that broadcasts to the input's shape " + text(input.sym_sizes()) + ", got " +
                  text(bias->sym_sizes()));
  }
  if (factor) {
    same_kind(*factor, "factor");
    if (factor->sym_sizes() != input.sym_sizes())
      throw Error(where + "expected a factor of the input's shape " + text(input.sym_sizes()) + ", got " +
                  text(factor->sym_sizes()));
  }
  if (!(drawn.rate >= 0 && drawn.rate <= 1))
    throw Error(where + "expected 0 <= dropout <= 1, got " + std::to_string(drawn.rate));
}

namespace {

at::Tensor forward_on_meta(const at::Tensor& input, const Maybe& bias, const Maybe& factor, std::string_view name,
                           Numbers numbers, const Tensors& tensors, std::int64_t axis, double dropout,
                           std::int64_t seed, std::int64_t site, std::int64_t step) {
  read_call(input, name, numbers, tensors, axis);
  check_fused(input, bias, factor, {dropout, seed, site, step});
  return at::empty_like(input);
}

std::vector<at::Tensor> backward_on_meta(const at::Tensor&, const at::Tensor& input, const Maybe&, const Maybe&,
                                         std::string_view name, Numbers numbers, const Tensors& tensors,
                                         std::int64_t axis, double, std::int64_t, std::int64_t, std::int64_t,
                                         const Needs& needs) {
  const Call call = read_call(input, name, numbers, tensors, axis);
  std::vector<at::Tensor> grads;
  for (std::size_t i = 0; i < needs.size(); ++i) {
    if (!needs.get(i)) continue;
    grads.push_back(i < 2 ? at::empty_like(input)
                          : at::empty_symint(call.tensor[i - 2].sym_sizes(), call.tensor[i - 2].options()));
  }
  return grads;
}

/// What dropout multiplies by: drawn over the shape, so that every element of a batch of torch.vmap meets the same.
at::Tensor factors(const at::Tensor& input, const Drawn& drawn) {
  static const Tensors none;
  return fused_operator().call(at::ones_symint(input.sym_sizes(), input.options()), {}, {}, "identity", {}, none, 0,
                               drawn.rate, drawn.seed, drawn.site, drawn.step);
}

at::Tensor put_together(const at::Tensor& input, const Maybe& bias, const Maybe& factor, std::string_view name,
                        Numbers numbers, const Tensors& tensors, std::int64_t axis, double dropout, std::int64_t seed,
                        std::int64_t site, std::int64_t step) {
  const Drawn drawn = {dropout, seed, site, step};
  check_fused(input, bias, factor, drawn);
  at::Tensor out = forward_operator().call(bias ? input + *bias : input, name, numbers, tensors, axis);
  if (factor) out = out * *factor;
  return drawn.acts() ? out * factors(input, drawn) : out;
}

std::vector<at::Tensor> backward_put_together(const at::Tensor& grad_output, const at::Tensor& input, const Maybe& bias,
                                              const Maybe& factor, std::string_view name, Numbers numbers,
                                              const Tensors& tensors, std::int64_t axis, double dropout,
                                              std::int64_t seed, std::int64_t site, std::int64_t step,
                                              const Needs& needs) {
  const Drawn drawn = {dropout, seed, site, step};
  const at::Tensor z = bias ? input + *bias : input;
  const at::Tensor grad = drawn.acts() ? grad_output * factors(input, drawn) : grad_output;
  Needs of_activation;
  of_activation.push_back(needs.get(0));
  for (std::size_t k = 2; k < needs.size(); ++k) of_activation.push_back(needs.get(k));
  auto found = backward_operator().call(factor ? grad * *factor : grad, z, name, numbers, tensors, axis, of_activation);
  if (needs.get(1))
    found.insert(found.begin() + (needs.get(0) ? 1 : 0),
                 grad * forward_operator().call(z, name, numbers, tensors, axis));
  return found;
}

using torch::autograd::SavedVariable;
using torch::autograd::variable_list;

/// The edges: input, then bias, factor and parameters that are set.
struct LimenFusedActivationBackward : torch::autograd::Node {
  std::string activation;
  std::vector<double> numbers;
  std::int64_t axis;
  Drawn drawn;
  std::vector<SavedVariable> saved;  // input, bias, factor, then one for each entry of `tensors`

  void release_variables() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (SavedVariable& one : saved) one.reset_data();
  }

  variable_list apply(variable_list&& grads) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!grads[0].defined()) return variable_list(num_outputs());
    const at::Tensor input = saved[0].unpack(), bias = saved[1].unpack(), factor = saved[2].unpack();
    Tensors tensors;
    for (std::size_t i = 3; i < saved.size(); ++i) tensors.push_back(maybe(saved[i].unpack()));

    std::size_t edge = 0;
    const bool needs_input = task_should_compute_output(edge++);
    const bool needs_bias = bias.defined() && task_should_compute_output(edge++);
    Needs needs;
    needs.push_back(needs_input || needs_bias);
    needs.push_back(factor.defined() && task_should_compute_output(edge++));
    for (std::size_t k = 0; k < tensors.size(); ++k)
      needs.push_back(entry(tensors, k).defined() && task_should_compute_output(edge++));
    const auto found = gradients(grads[0], input, maybe(bias), maybe(factor), tensors, needs);

    std::size_t next = 0;
    const auto take = [&](bool wanted) { return wanted ? found[next++] : at::Tensor(); };
    const at::Tensor grad_input = take(needs.get(0));
    variable_list edges = {needs_input ? grad_input : at::Tensor()};
    if (bias.defined()) edges.push_back(needs_bias ? at::sum_to(grad_input, bias.sym_sizes()) : at::Tensor());
    if (factor.defined()) edges.push_back(take(needs.get(1)));
    for (std::size_t k = 0; k < tensors.size(); ++k)
      if (entry(tensors, k).defined()) edges.push_back(take(needs.get(2 + k)));
    return edges;
  }

  std::vector<at::Tensor> gradients(const at::Tensor& grad, const at::Tensor& input, const Maybe& bias,
                                    const Maybe& factor, const Tensors& tensors, const Needs& needs) const {
    if (at::GradMode::is_enabled())
      return backward_put_together(grad, input, bias, factor, activation, numbers, tensors, axis, drawn.rate,
                                   drawn.seed, drawn.site, drawn.step, needs);
    return fused_backward_operator().call(grad, input, bias, factor, activation, numbers, tensors, axis, drawn.rate,
                                          drawn.seed, drawn.site, drawn.step, needs);
  }
  std::string name() const override { return "LimenFusedActivationBackward"; }
};

at::Tensor with_gradient(c10::DispatchKeySet keys, const at::Tensor& input, const Maybe& bias, const Maybe& factor,
                         std::string_view name, Numbers numbers, const Tensors& tensors, std::int64_t axis,
                         double dropout, std::int64_t seed, std::int64_t site, std::int64_t step) {
  variable_list inputs = {input};
  if (bias) inputs.push_back(*bias);
  if (factor) inputs.push_back(*factor);
  for (std::size_t k = 0; k < tensors.size(); ++k)
    if (const at::Tensor tensor = entry(tensors, k); tensor.defined()) inputs.push_back(tensor);
  for (const at::Tensor& tensor : inputs)
    if (torch::autograd::isFwGradDefined(tensor))
      return put_together(input, bias, factor, name, numbers, tensors, axis, dropout, seed, site, step);

  c10::intrusive_ptr<LimenFusedActivationBackward> node;
  if (torch::autograd::compute_requires_grad(inputs)) {
    node = c10::make_intrusive<LimenFusedActivationBackward>();
    node->set_next_edges(torch::autograd::collect_next_edges(inputs));
    node->activation = name;
    node->numbers = numbers.vec();
    node->axis = axis;
    node->drawn = {dropout, seed, site, step};
    for (const at::Tensor& tensor : {input, or_none(bias), or_none(factor)}) node->saved.emplace_back(tensor, false);
    for (std::size_t k = 0; k < tensors.size(); ++k) node->saved.emplace_back(entry(tensors, k), false);
  }
  at::Tensor output = [&] {
    const at::AutoDispatchBelowADInplaceOrView below;
    return fused_operator().redispatch(keys & c10::after_autograd_keyset, input, bias, factor, name, numbers, tensors,
                                       axis, dropout, seed, site, step);
  }();
  if (node) torch::autograd::set_history(output, node);
  return output;
}

/// Whether a tensor is batched at the present level of torch.vmap.
bool is_batched(const at::Tensor& tensor) {
  const auto layer = at::functorch::maybeCurrentDynamicLayer();
  return layer && tensor.defined() &&
         std::get<1>(at::functorch::unwrapTensorAtLevel(tensor, layer->layerId())).has_value();
}
bool any_batched(const Tensors& tensors) {
  for (std::size_t k = 0; k < tensors.size(); ++k)
    if (is_batched(entry(tensors, k))) return true;
  return false;
}

at::Tensor in_batch(const at::Tensor& input, const Maybe& bias, const Maybe& factor, std::string_view name,
                    Numbers numbers, const Tensors& tensors, std::int64_t axis, double dropout, std::int64_t seed,
                    std::int64_t site, std::int64_t step) {
  if (is_batched(input) || is_batched(or_none(bias)) || is_batched(or_none(factor)) || any_batched(tensors))
    return put_together(input, bias, factor, name, numbers, tensors, axis, dropout, seed, site, step);
  const c10::impl::ExcludeDispatchKeyGuard below(c10::DispatchKey::FuncTorchBatched);
  return fused_operator().call(input, bias, factor, name, numbers, tensors, axis, dropout, seed, site, step);
}

TORCH_LIBRARY_IMPL(limen, Meta, m) {
  m.impl("fused_activation", forward_on_meta);
  m.impl("fused_activation_backward", backward_on_meta);
}
TORCH_LIBRARY_IMPL(limen, Autograd, m) { m.impl("fused_activation", with_gradient); }
TORCH_LIBRARY_IMPL(limen, FuncTorchBatched, m) {
  m.impl("fused_activation", in_batch);
  m.impl("fused_activation_backward", backward_put_together);
}

}  // namespace
}  // namespace limen::op

namespace limen {

at::Tensor fused_activation(const at::Tensor& input, const Neighbours& with, std::string_view name,
                            at::ArrayRef<double> numbers, at::ArrayRef<std::optional<at::Tensor>> tensors,
                            std::int64_t axis) {
  return op::fused_operator().call(input, with.bias, with.factor, name, numbers, op::Tensors(tensors), axis,
                                   with.dropout, static_cast<std::int64_t>(with.draw.seed), with.draw.site,
                                   with.draw.step);
}

}  // namespace limen
