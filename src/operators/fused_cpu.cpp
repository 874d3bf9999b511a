// Part of limen. SPDX-License-Identifier: MIT
//
// The fused operators on the CPU: one walk over everything.
#include <ATen/ops/empty_like.h>
#include <torch/library.h>

#include <algorithm>
#include <vector>

#include "limen/strided.h"
#include "operators/channels.h"
#include "operators/elements.h"
#include "operators/fused.h"

namespace limen::op {
namespace {

/// What the walk needs to know of the arguments beside the input.
struct Beside {
  at::Tensor bias, factor;
  std::vector<std::int64_t> positions;  // strides of row-major order, where dropout acts

  Beside(const at::Tensor& input, const Maybe& given_bias, const Maybe& given_factor, bool dropout)
      : bias(given_bias ? given_bias->expand(input.sizes()) : at::Tensor()), factor(or_none(given_factor)) {
    if (!dropout) return;
    positions.assign(static_cast<std::size_t>(input.dim()), 1);
    for (std::size_t d = positions.size(); d-- > 1;)
      positions[d - 1] = positions[d] * std::max<std::int64_t>(1, input.size(static_cast<std::int64_t>(d)));
  }
};

at::Tensor forward(const at::Tensor& input, const Maybe& bias, const Maybe& factor, std::string_view name,
                   Numbers numbers, const Tensors& tensors, std::int64_t axis, double dropout, std::int64_t seed,
                   std::int64_t site, std::int64_t step) {
  check_isa();
  const Call call = read_call(input, name, numbers, tensors, axis);
  const Drawn drawn = {dropout, seed, site, step};
  check_fused(input, bias, factor, drawn);
  const at::Tensor output = at::empty_like(input);
  const Beside beside(input, bias, factor, drawn.acts());
  const kernels::Dropout mask = drawn.dropout();
  visit_type(input.scalar_type(), [&]<class T>() {
    const kernels::Walk walk = walk_over<5>(
        input, {output.strides(), strides_of(beside.bias), strides_of(beside.factor), beside.positions, {}}, call.axis,
        false);
    const auto channels = read_channels<kernels::Compute<T>>(call, walk.channels());
    const kernels::Neighbours<T> with = {elements<T>(beside.bias), elements<T>(beside.factor),
                                         drawn.acts() ? &mask : nullptr};
    const T* const z = elements<T>(input);
    T* const out = mutable_elements<T>(output);
    for_each_tile(walk, [&](std::int64_t i) {
      kernels::fused_forward(walk, i, kernels::Channelwise<T>{call.id, channels}, z, with, out);
    });
  });
  return output;
}

std::vector<at::Tensor> backward(const at::Tensor& grad_output, const at::Tensor& input, const Maybe& bias,
                                 const Maybe& factor, std::string_view name, Numbers numbers, const Tensors& tensors,
                                 std::int64_t axis, double dropout, std::int64_t seed, std::int64_t site,
                                 std::int64_t step, const Needs& needs) {
  check_isa();
  const Call call = read_call(input, name, numbers, tensors, axis);
  const Drawn drawn = {dropout, seed, site, step};
  check_fused(input, bias, factor, drawn);
  check_like("limen::fused_activation_backward", "grad_output", grad_output, input);
  const Beside beside(input, bias, factor, drawn.acts());
  const kernels::Dropout mask = drawn.dropout();
  return visit_type(input.scalar_type(), [&]<class T>() {
    const at::Tensor grad_input = needs.get(0) ? at::empty_like(input) : at::Tensor();
    const at::Tensor grad_factor = needs.get(1) ? at::empty_like(input) : at::Tensor();
    const kernels::Walk walk = walk_over<7>(input,
                                            {strides_of(grad_input),
                                             strides_of(grad_factor),
                                             grad_output.strides(),
                                             strides_of(beside.bias),
                                             strides_of(beside.factor),
                                             beside.positions,
                                             {}},
                                            call.axis, false);
    const auto channels = read_channels<kernels::Compute<T>>(call, walk.channels());
    Sums sums(walk, any(needs, 2) ? call.parameter_count() : 0);
    const kernels::Neighbours<T> with = {elements<T>(beside.bias), elements<T>(beside.factor),
                                         drawn.acts() ? &mask : nullptr};
    const T *const z = elements<T>(input), *const grad = elements<T>(grad_output);
    T *const grad_z = mutable_elements<T>(grad_input), *const grad_by = mutable_elements<T>(grad_factor);
    for_each_tile(walk, [&](std::int64_t i) {
      kernels::fused_backward(walk, i, kernels::Channelwise<T>{call.id, channels}, z, with, grad, grad_z, grad_by,
                              sums.at(i));
    });
    std::vector<at::Tensor> grads;
    if (needs.get(0)) grads.push_back(grad_input);
    if (needs.get(1)) grads.push_back(grad_factor);
    for (std::size_t k = 2; k < needs.size(); ++k)
      if (needs.get(k)) grads.push_back(sums.gradient(call, k - 2));
    return grads;
  });
}

TORCH_LIBRARY_IMPL(limen, CPU, m) {
  m.impl("fused_activation", forward);
  m.impl("fused_activation_backward", backward);
}

}  // namespace
}  // namespace limen::op
