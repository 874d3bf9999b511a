// Part of limen. SPDX-License-Identifier: MIT
//
// The operators on the CPU, in float32 and float64. Dense tensors of any stride order are walked as they lie in memory;
// others are copied once, into the result where it can serve.
#include <ATen/Parallel.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros.h>
#include <torch/library.h>

#include <limits>
#include <string>

#include "limen/error.h"
#include "limen/kernels.h"
#include "operators/call.h"
#include "operators/layout.h"

#ifndef INTRA_OP_PARALLEL
#error "at::parallel_for has no threads here: compile with OpenMP, as limen_torch_headers says"
#endif

namespace limen::op {
namespace {

/// The parameters of one channel. Those that lie outside their domain (tensors are not checked before: on other devices
/// that would wait for the device) make the whole channel NaN.
template <class T>
struct Channel {
  std::array<T, max_parameters> parameter;
  bool valid = true;
};
template <class T>
using Channels = c10::SmallVector<Channel<T>, 1>;

/// The values of parameter k: one, or one a channel.
c10::SmallVector<double, 1> values(const Call& call, std::size_t k) {
  if (!call.tensor[k].defined()) return {call.number[k]};
  const at::Tensor tensor = call.tensor[k].resolve_neg().contiguous();
  const auto copied = [&](const auto* first) { return c10::SmallVector<double, 1>(first, first + tensor.numel()); };
  return tensor.scalar_type() == at::kFloat ? copied(tensor.const_data_ptr<float>())
                                            : copied(tensor.const_data_ptr<double>());
}

template <class T>
Channels<T> read_channels(const Call& call, std::int64_t count) {
  Channels<T> channels(static_cast<std::size_t>(count));
  for (std::size_t k = 0; k < call.parameter_count(); ++k) {
    const auto numbers = values(call, k);
    for (std::size_t c = 0; c < channels.size(); ++c) {
      const T number = static_cast<T>(numbers[call.per_channel[k] ? c : 0]);
      channels[c].parameter[k] = number;
      channels[c].valid = channels[c].valid && info(call.id).parameter[k].accepts(static_cast<double>(number));
    }
  }
  return channels;
}

void check_isa() {
  if (const auto error = kernels::isa_error(); !error.empty()) throw Error(std::string(error));
}

template <class T>
void forward_walk(const Call& call, const at::Tensor& input, const at::Tensor& output) {
  const Cut cut(input, call.axis);
  const auto channels = read_channels<T>(call, cut.channels());
  const T* z = input.const_data_ptr<T>();
  T* out = output.mutable_data_ptr<T>();
  at::parallel_for(0, cut.count(), cut.grain(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Cut::Piece piece = cut.piece(i);
      const Channel<T>& channel = channels[static_cast<std::size_t>(piece.channel)];
      if (channel.valid)
        kernels::forward(call.id, channel.parameter.data(), z + piece.offset, out + piece.offset,
                         static_cast<std::size_t>(piece.size));
      else
        std::fill_n(out + piece.offset, piece.size, std::numeric_limits<T>::quiet_NaN());
    }
  });
}

at::Tensor forward(const at::Tensor& input, std::string_view name, Numbers numbers, const Tensors& tensors,
                   std::int64_t axis) {
  check_isa();
  const Call call = read_call(input, name, numbers, tensors, axis);
  const at::Tensor z = arranged(input, call.axis);
  const at::Tensor output = z.is_same(input) ? at::empty_like(input) : z;
  if (input.scalar_type() == at::kFloat)
    forward_walk<float>(call, z, output);
  else
    forward_walk<double>(call, z, output);
  const bool as_promised = z.is_same(input) || call.axis < 0;
  return as_promised ? output : at::empty_like(input).copy_(output);
}

/// Sums over the pieces of each channel, in order: channel-major, one for each parameter.
using Sums = std::vector<double>;

/// One piece: writes grad_z unless it is null, and one sum for each parameter unless `sums` is null.
template <class T>
void backward_piece(const Call& call, const Channel<T>& channel, const T* z, const T* grad_output, T* grad_z,
                    double* sums, std::int64_t size) {
  if (channel.valid) {
    kernels::backward(call.id, channel.parameter.data(), z, grad_output, grad_z, sums, static_cast<std::size_t>(size));
    return;
  }
  if (grad_z != nullptr) std::fill_n(grad_z, size, std::numeric_limits<T>::quiet_NaN());
  if (sums != nullptr) std::fill_n(sums, call.parameter_count(), std::numeric_limits<double>::quiet_NaN());
}

template <class T>
Sums backward_walk(const Call& call, const at::Tensor& input, const at::Tensor& grad_output, const at::Tensor& grad_z,
                   bool with_sums) {
  const Cut cut(input, call.axis);
  const auto channels = read_channels<T>(call, cut.channels());
  const auto parameters = static_cast<std::int64_t>(with_sums ? call.parameter_count() : 0);
  Sums of_pieces(static_cast<std::size_t>(cut.count() * parameters));
  const T* z = input.const_data_ptr<T>();
  const T* grad = grad_output.const_data_ptr<T>();
  T* out = grad_z.defined() ? grad_z.mutable_data_ptr<T>() : nullptr;
  at::parallel_for(0, cut.count(), cut.grain(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Cut::Piece piece = cut.piece(i);
      backward_piece(call, channels[static_cast<std::size_t>(piece.channel)], z + piece.offset, grad + piece.offset,
                     out == nullptr ? nullptr : out + piece.offset,
                     parameters == 0 ? nullptr : of_pieces.data() + i * parameters, piece.size);
    }
  });
  Sums of_channels(static_cast<std::size_t>(cut.channels() * parameters));
  for (std::int64_t i = 0; i < cut.count(); ++i)
    for (std::int64_t k = 0; k < parameters; ++k)
      of_channels[static_cast<std::size_t>(cut.piece(i).channel * parameters + k)] +=
          of_pieces[static_cast<std::size_t>(i * parameters + k)];
  return of_channels;
}

/// The gradient of parameter k, shaped and typed as its tensor.
at::Tensor parameter_gradient(const Call& call, std::size_t k, const Sums& sums) {
  const at::Tensor& tensor = call.tensor[k];
  at::Tensor gradient = at::zeros(tensor.sizes(), tensor.options().dtype(at::kDouble));
  double* first = gradient.mutable_data_ptr<double>();
  for (std::size_t i = k, c = 0; i < sums.size(); i += call.parameter_count(), ++c)
    first[call.per_channel[k] ? c : 0] += sums[i];
  return gradient.to(tensor.scalar_type());
}

std::vector<at::Tensor> backward(const at::Tensor& grad_output, const at::Tensor& input, std::string_view name,
                                 Numbers numbers, const Tensors& tensors, std::int64_t axis, const Needs& needs) {
  check_isa();
  const Call call = read_call(input, name, numbers, tensors, axis);
  check_backward(grad_output, input, tensors, needs);
  bool with_sums = false;
  for (std::size_t k = 1; k < needs.size(); ++k) with_sums = with_sums || needs.get(k);

  const at::Tensor z = arranged(input, call.axis);
  const at::Tensor grad = arranged_like(grad_output, z);
  at::Tensor grad_z;
  if (needs.get(0)) grad_z = grad.is_same(grad_output) ? at::empty_like(z) : grad;
  const Sums sums = input.scalar_type() == at::kFloat ? backward_walk<float>(call, z, grad, grad_z, with_sums)
                                                      : backward_walk<double>(call, z, grad, grad_z, with_sums);
  std::vector<at::Tensor> grads;
  const bool as_promised = z.is_same(input) || call.axis < 0;
  if (needs.get(0)) grads.push_back(as_promised ? grad_z : at::empty_like(input).copy_(grad_z));
  for (std::size_t k = 1; k < needs.size(); ++k)
    if (needs.get(k)) grads.push_back(parameter_gradient(call, k - 1, sums));
  return grads;
}

TORCH_LIBRARY_IMPL(limen, CPU, m) {
  m.impl("activation", forward);
  m.impl("activation_backward", backward);
}

}  // namespace
}  // namespace limen::op
