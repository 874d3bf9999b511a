// Part of limen. SPDX-License-Identifier: MIT
//
// torch.vmap: the batch is one more dimension in front. Where each of its elements has parameters of its own, or wants
// a gradient of its own for them, the batch (or batch and channels together) becomes the channels.
#include <ATen/functorch/BatchedTensorImpl.h>
#include <ATen/functorch/DynamicLayer.h>
#include <ATen/functorch/PlumbingHelper.h>
#include <torch/library.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "limen/error.h"
#include "operators/call.h"

namespace limen::op {
namespace {

/// One call at the present level of vmap, translated.
class Batch {
 public:
  /// `own`: gradients of the parameters are asked for.
  Batch(const at::Tensor& input, std::string_view name, Numbers numbers, const Tensors& tensors, std::int64_t axis,
        bool own)
      : call_(read_call(input, name, numbers, tensors, axis)), own_(own) {
    const auto layer = at::functorch::maybeCurrentDynamicLayer();
    if (!layer) throw Error("limen::activation: expected a tensor of torch.vmap inside of it, got one that escaped");
    level_ = layer->layerId();
    for (std::size_t k = 0; k < tensors.size(); ++k) own_ = own_ || is_batched(entry(tensors, k));
    if (call_.axis >= 0) channels_ = input.sym_size(call_.axis);
  }

  /// Whether any tensor that was looked at is batched at this level; else there is nothing to translate.
  bool exists() const { return exists_; }
  /// The batch's size is that of any tensor of the call that is batched.
  void look_at(const at::Tensor& tensor) {
    if (!tensor.defined()) return;
    const auto [value, place] = at::functorch::unwrapTensorAtLevel(tensor, level_);
    if (!place) return;
    size_ = value.sym_size(*place);
    exists_ = true;
  }
  void look_at(const Tensors& tensors) {
    for (std::size_t k = 0; k < tensors.size(); ++k) look_at(entry(tensors, k));
  }

  /// A tensor of the input's shape.
  at::Tensor in(const at::Tensor& tensor) const {
    if (!tensor.defined()) return tensor;
    const at::Tensor front = in_front(tensor);
    return splits_channels() ? front.movedim(call_.axis + 1, 1).flatten(0, 1) : front;
  }
  std::optional<at::Tensor> in(const std::optional<at::Tensor>& tensor) const {
    return tensor && tensor->defined() ? std::optional(in(*tensor)) : std::nullopt;
  }
  /// Parameters, or what comes for them.
  Tensors in(const Tensors& tensors) const {
    Tensors found;
    for (std::size_t k = 0; k < tensors.size(); ++k) {
      const at::Tensor tensor = entry(tensors, k);
      found.push_back(tensor.defined() ? std::optional(parameter_in(k, tensor)) : std::nullopt);
    }
    return found;
  }
  std::int64_t axis() const { return own_ ? 0 : call_.axis + (call_.axis < 0 ? 0 : 1); }

  /// A result of the input's shape.
  at::Tensor out(const at::Tensor& result) const {
    return batched(splits_channels() ? result.unflatten_symint(0, {size_, channels_}).movedim(1, call_.axis + 1)
                                     : result);
  }
  /// A gradient of parameter k.
  at::Tensor parameter_out(std::size_t k, const at::Tensor& result) const {
    std::vector<c10::SymInt> shape = {size_};
    const auto own = call_.tensor[k].sym_sizes();
    shape.insert(shape.end(), own.begin(), own.end());
    at::Tensor gradient = result;
    if (splits_channels() && !call_.per_channel[k]) gradient = result.reshape_symint({size_, channels_}).sum(1);
    return batched(gradient.reshape_symint(shape));
  }
  /// What an operator returned for `needs`, of which the first `leading` are of the input's shape.
  std::vector<at::Tensor> out(const std::vector<at::Tensor>& results, const Needs& needs, std::size_t leading) const {
    std::vector<at::Tensor> found;
    for (std::size_t i = 0; i < needs.size(); ++i)
      if (needs.get(i))
        found.push_back(i < leading ? out(results[found.size()]) : parameter_out(i - leading, results[found.size()]));
    return found;
  }

 private:
  bool is_batched(const at::Tensor& tensor) const {
    return tensor.defined() && std::get<1>(at::functorch::unwrapTensorAtLevel(tensor, level_)).has_value();
  }
  bool splits_channels() const { return own_ && call_.axis >= 0; }

  at::Tensor in_front(const at::Tensor& tensor) const {
    const auto [value, place] = at::functorch::unwrapTensorAtLevel(tensor, level_);
    if (place) return value.movedim(*place, 0);
    std::vector<c10::SymInt> shape = {size_};
    shape.insert(shape.end(), value.sym_sizes().begin(), value.sym_sizes().end());
    return value.expand_symint(shape);
  }
  at::Tensor parameter_in(std::size_t k, const at::Tensor& tensor) const {
    if (!own_) return tensor;
    const at::Tensor front = in_front(tensor);
    if (!splits_channels()) return front.reshape_symint({size_});
    const at::Tensor each =
        call_.per_channel[k] ? front : front.reshape_symint({size_, 1}).expand_symint({size_, channels_});
    return each.reshape_symint({size_ * channels_});
  }
  at::Tensor batched(const at::Tensor& value) const { return at::functorch::makeBatched(value, 0, level_); }

  Call call_;
  bool own_, exists_ = false;
  std::int64_t level_ = 0;
  c10::SymInt size_ = 1, channels_ = 1;
};

at::Tensor forward(const at::Tensor& input, std::string_view name, Numbers numbers, const Tensors& tensors,
                   std::int64_t axis) {
  const c10::impl::ExcludeDispatchKeyGuard below(c10::DispatchKey::FuncTorchBatched);
  Batch batch(input, name, numbers, tensors, axis, false);
  batch.look_at(input);
  batch.look_at(tensors);
  if (!batch.exists()) return forward_operator().call(input, name, numbers, tensors, axis);
  return batch.out(forward_operator().call(batch.in(input), name, numbers, batch.in(tensors), batch.axis()));
}

std::vector<at::Tensor> backward(const at::Tensor& grad_output, const at::Tensor& input, std::string_view name,
                                 Numbers numbers, const Tensors& tensors, std::int64_t axis, const Needs& needs) {
  const c10::impl::ExcludeDispatchKeyGuard below(c10::DispatchKey::FuncTorchBatched);
  Batch batch(input, name, numbers, tensors, axis, any(needs, 1));
  batch.look_at(grad_output);
  batch.look_at(input);
  batch.look_at(tensors);
  if (!batch.exists()) return backward_operator().call(grad_output, input, name, numbers, tensors, axis, needs);
  return batch.out(backward_operator().call(batch.in(grad_output), batch.in(input), name, numbers, batch.in(tensors),
                                            batch.axis(), needs),
                   needs, 1);
}

std::vector<at::Tensor> second_backward(const at::Tensor& grad_output, const at::Tensor& input, std::string_view name,
                                        Numbers numbers, const Tensors& tensors, std::int64_t axis,
                                        const std::optional<at::Tensor>& v, const Tensors& w, const Needs& needs) {
  const c10::impl::ExcludeDispatchKeyGuard below(c10::DispatchKey::FuncTorchBatched);
  bool own = any(needs, 2);
  for (std::size_t k = 0; k < w.size(); ++k) own = own || entry(w, k).defined();
  Batch batch(input, name, numbers, tensors, axis, own);
  for (const at::Tensor& tensor : {grad_output, input, v.value_or(at::Tensor())}) batch.look_at(tensor);
  batch.look_at(tensors);
  batch.look_at(w);
  if (!batch.exists())
    return second_backward_operator().call(grad_output, input, name, numbers, tensors, axis, v, w, needs);
  return batch.out(second_backward_operator().call(batch.in(grad_output), batch.in(input), name, numbers,
                                                   batch.in(tensors), batch.axis(), batch.in(v), batch.in(w), needs),
                   needs, 2);
}

at::Tensor& in_place(at::Tensor&, std::string_view name, Numbers, const Tensors&, std::int64_t) {
  throw Error("limen::activation_(" + std::string(name) +
              "): expected a call outside torch.vmap, where nothing is changed in place; try limen::activation");
}

TORCH_LIBRARY_IMPL(limen, FuncTorchBatched, m) {
  m.impl("activation", forward);
  m.impl("activation_", in_place);
  m.impl("activation_backward", backward);
  m.impl("activation_second_backward", second_backward);
}

}  // namespace
}  // namespace limen::op
