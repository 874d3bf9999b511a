// Part of limen. SPDX-License-Identifier: MIT
//
// The operators on the CPU. Tensors of any strides are walked in tiles; nothing is copied beforehand.
#include <ATen/MemoryOverlap.h>
#include <ATen/ops/empty_like.h>
#include <torch/library.h>

#include <algorithm>
#include <string>

#include "limen/error.h"
#include "limen/strided.h"
#include "operators/call.h"
#include "operators/channels.h"
#include "operators/elements.h"

namespace limen::op {
namespace {

using kernels::Compute;
using kernels::Walk;

/// Like the input where it is asked for.
at::Tensor empty_if(bool needed, const at::Tensor& input) { return needed ? at::empty_like(input) : at::Tensor(); }

void forward_into(const Call& call, const at::Tensor& input, const at::Tensor& output) {
  visit_type(input.scalar_type(), [&]<class T>() {
    const Walk walk = walk_over<2>(input, {output.strides(), input.strides()}, call.axis, kernels::lies_direct<T>);
    const auto channels = read_channels<Compute<T>>(call, walk.channels());
    const kernels::Channelwise<T> a = {call.id, channels};
    const T* const z = elements<T>(input);
    T* const out = mutable_elements<T>(output);
    for_each_tile(walk, [&](std::int64_t i) { kernels::forward(walk, i, a, z, out); });
  });
}

at::Tensor forward(const at::Tensor& input, std::string_view name, Numbers numbers, const Tensors& tensors,
                   std::int64_t axis) {
  check_isa();
  const Call call = read_call(input, name, numbers, tensors, axis);
  const at::Tensor output = at::empty_like(input);
  forward_into(call, input, output);
  return output;
}

at::Tensor& in_place(at::Tensor& self, std::string_view name, Numbers numbers, const Tensors& tensors,
                     std::int64_t axis) {
  check_isa();
  const Call call = read_call(self, name, numbers, tensors, axis);
  if (at::has_internal_overlap(self) == at::MemOverlap::Yes)
    throw Error("limen::activation_: expected an input whose elements have places of their own, got strides " +
                c10::str(self.strides()) + "; try input.contiguous() or limen::activation");
  forward_into(call, self, self);
  return self;
}

std::vector<at::Tensor> backward(const at::Tensor& grad_output, const at::Tensor& input, std::string_view name,
                                 Numbers numbers, const Tensors& tensors, std::int64_t axis, const Needs& needs) {
  check_isa();
  const Call call = read_call(input, name, numbers, tensors, axis);
  check_backward(grad_output, input, tensors, needs);
  return visit_type(input.scalar_type(), [&]<class T>() {
    const at::Tensor grad_input = empty_if(needs.get(0), input);
    const Walk walk = walk_over<3>(input, {strides_of(grad_input), grad_output.strides(), input.strides()}, call.axis,
                                   kernels::lies_direct<T>);
    const auto channels = read_channels<Compute<T>>(call, walk.channels());
    const kernels::Channelwise<T> a = {call.id, channels};
    Sums sums(walk, any(needs, 1) ? call.parameter_count() : 0);
    const T *const z = elements<T>(input), *const grad = elements<T>(grad_output);
    T* const grad_z = mutable_elements<T>(grad_input);
    for_each_tile(walk, [&](std::int64_t i) { kernels::backward(walk, i, a, z, grad, grad_z, sums.at(i)); });

    std::vector<at::Tensor> grads;
    if (needs.get(0)) grads.push_back(grad_input);
    for (std::size_t k = 1; k < needs.size(); ++k)
      if (needs.get(k)) grads.push_back(sums.gradient(call, k - 1));
    return grads;
  });
}

/// w as one set a channel; empty where no entry is set. The others are 0, which drops them where the slope in the
/// parameter is finite.
template <class S>
std::vector<kernels::Channel<S>> read_cotangents(const Call& call, const Tensors& w, std::int64_t channels) {
  std::vector<kernels::Channel<S>> found;
  for (std::size_t k = 0; k < call.parameter_count(); ++k) {
    const at::Tensor cotangent = entry(w, k);
    if (!cotangent.defined()) continue;
    if (found.empty()) found.assign(static_cast<std::size_t>(channels), {});
    const auto numbers = values_of(cotangent);
    for (std::size_t c = 0; c < found.size(); ++c)
      found[c].parameter[k] = static_cast<S>(numbers[call.per_channel[k] ? c : 0]);
  }
  return found;
}

std::vector<at::Tensor> second_backward(const at::Tensor& grad_output, const at::Tensor& input, std::string_view name,
                                        Numbers numbers, const Tensors& tensors, std::int64_t axis,
                                        const std::optional<at::Tensor>& v, const Tensors& w, const Needs& needs) {
  check_isa();
  const Call call = read_call(input, name, numbers, tensors, axis);
  check_second_backward(grad_output, input, tensors, v, w, needs);
  return visit_type(input.scalar_type(), [&]<class T>() {
    const at::Tensor in_grad = empty_if(needs.get(0), input), in_z = empty_if(needs.get(1), input);
    const at::Tensor cotangent = v.value_or(at::Tensor());
    const Walk walk = walk_over<5>(
        input, {strides_of(in_grad), strides_of(in_z), strides_of(cotangent), grad_output.strides(), input.strides()},
        call.axis, kernels::lies_direct<T>);
    const auto channels = read_channels<Compute<T>>(call, walk.channels());
    const auto cotangents = read_cotangents<Compute<T>>(call, w, walk.channels());
    const kernels::Channelwise<T> a = {call.id, channels};
    Sums sums(walk, any(needs, 2) ? call.parameter_count() : 0);
    const kernels::SecondBackward<T> parts = {elements<T>(input),           elements<T>(grad_output),
                                              elements<T>(cotangent),       cotangents,
                                              mutable_elements<T>(in_grad), mutable_elements<T>(in_z)};
    for_each_tile(walk, [&](std::int64_t i) { kernels::second_backward(walk, i, a, parts, sums.at(i)); });

    std::vector<at::Tensor> grads;
    if (needs.get(0)) grads.push_back(in_grad);
    if (needs.get(1)) grads.push_back(in_z);
    for (std::size_t k = 2; k < needs.size(); ++k)
      if (needs.get(k)) grads.push_back(sums.gradient(call, k - 2));
    return grads;
  });
}

TORCH_LIBRARY_IMPL(limen, CPU, m) {
  m.impl("activation", forward);
  m.impl("activation_", in_place);
  m.impl("activation_backward", backward);
  m.impl("activation_second_backward", second_backward);
}

}  // namespace
}  // namespace limen::op
