// Part of limen. SPDX-License-Identifier: MIT
#include "limen/strided.h"

#include <algorithm>
#include <limits>

#include "kernels/rows.h"

namespace limen::kernels {
namespace {

template <class S>
constexpr S not_a_number = std::numeric_limits<S>::quiet_NaN();

template <class S>
void fill_nan(S* row, std::size_t n) {
  if (row != nullptr) std::fill_n(row, n, not_a_number<S>);
}

/// The sums of the c-th channel of a tile, or null.
double* sums_of(double* sums, std::int64_t c, std::size_t parameters) {
  return sums == nullptr ? nullptr : sums + static_cast<std::size_t>(c) * parameters;
}

template <class S>
void multiply(S* row, const S* by, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) row[i] *= by[i];
}

template <class S>
void add(const S* a, const S* b, S* out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = a[i] + b[i];
}

template <class S>
void forward_row(ActivationId id, const Channel<S>& channel, const S* z, S* out, std::size_t n) {
  if (channel.valid)
    forward(id, channel.parameter.data(), z, out, n);
  else
    fill_nan(out, n);
}

template <class S>
void backward_row(ActivationId id, const Channel<S>& channel, const S* z, const S* grad_out, S* grad_z, double* sums,
                  std::size_t n) {
  if (channel.valid) {
    backward(id, channel.parameter.data(), z, grad_out, grad_z, sums, n);
  } else {
    fill_nan(grad_z, n);
    if (sums != nullptr) fill_nan(sums, info(id).parameter_count);
  }
}

}  // namespace

template <class T>
void forward(const Walk& walk, std::int64_t i, const Channelwise<T>& a, const T* z, T* out) {
  const Tile tile = walk.tile(i);
  const Input<T> from(walk, tile, 1, z);
  const Output<T> to(walk, tile, 0, out);
  for (std::int64_t c = 0; c < tile.extent.channels; ++c)
    forward_row(a.id, a.of(tile.channel + c), from.row(c), to.row(c), tile.row_size());
}

template <class T>
void backward(const Walk& walk, std::int64_t i, const Channelwise<T>& a, const T* z, const T* grad_out, T* grad_z,
              double* sums) {
  const Tile tile = walk.tile(i);
  const Input<T> from(walk, tile, 2, z), grad(walk, tile, 1, grad_out);
  const Output<T> to(walk, tile, 0, grad_z);
  for (std::int64_t c = 0; c < tile.extent.channels; ++c)
    backward_row(a.id, a.of(tile.channel + c), from.row(c), grad.row(c), to.row(c),
                 sums_of(sums, c, a.parameter_count()), tile.row_size());
}

template <class T>
void second_backward(const Walk& walk, std::int64_t i, const Channelwise<T>& a, const SecondBackward<T>& call,
                     double* sums) {
  const Tile tile = walk.tile(i);
  const Input<T> z(walk, tile, 4, call.z), grad_out(walk, tile, 3, call.grad_out), v(walk, tile, 2, call.v);
  const Output<T> grad_grad_out(walk, tile, 0, call.grad_grad_out), grad_z(walk, tile, 1, call.grad_z);
  for (std::int64_t c = 0; c < tile.extent.channels; ++c) {
    const auto& channel = a.of(tile.channel + c);
    double* const own = sums_of(sums, c, a.parameter_count());
    if (!channel.valid) {
      fill_nan(grad_grad_out.row(c), tile.row_size());
      fill_nan(grad_z.row(c), tile.row_size());
      if (own != nullptr) fill_nan(own, a.parameter_count());
      continue;
    }
    const auto* const w = call.w.empty() ? nullptr : Channelwise<T>{a.id, call.w}.of(tile.channel + c).parameter.data();
    second_backward(a.id, channel.parameter.data(), z.row(c), grad_out.row(c), v.row(c), w, grad_grad_out.row(c),
                    grad_z.row(c), own, tile.row_size());
  }
}

namespace {

/// Draws what dropout multiplies the elements of a row by.
template <class S>
void draw_factors(const Dropout& dropout, const Walk& walk, const Tile& tile, std::size_t operand, std::int64_t c,
                  S* factors) {
  const Block& stride = walk.strides(operand);
  const S kept = dropout.rate.scale();
  for (std::int64_t row = 0; row < tile.extent.rows; ++row) {
    const std::int64_t first = tile.offset[operand] + c * stride.channels + row * stride.rows;
    S* const out = factors + row * tile.extent.columns;
    if (stride.columns == 1) {
      dropout.stream.fill_kept(std::span(out, static_cast<std::size_t>(tile.extent.columns)), dropout.rate, kept,
                               static_cast<std::uint64_t>(first));
      continue;
    }
    for (std::int64_t i = 0; i < tile.extent.columns; ++i)
      out[i] = dropout.stream.keep(dropout.rate, static_cast<std::uint64_t>(first + i * stride.columns)) ? kept : S(0);
  }
}

}  // namespace

template <class T>
void fused_forward(const Walk& walk, std::int64_t i, const Channelwise<T>& a, const T* z, const Neighbours<T>& with,
                   T* out) {
  using S = Compute<T>;
  const Tile tile = walk.tile(i);
  const std::size_t n = tile.row_size();
  const Input<T> from(walk, tile, 4, z), bias(walk, tile, 1, with.bias), factor(walk, tile, 2, with.factor);
  const Output<T> to(walk, tile, 0, out);
  alignas(64) S drawn[tile_elements];
  for (std::int64_t c = 0; c < tile.extent.channels; ++c) {
    S* const row = to.row(c);
    if (bias.exists()) add(from.row(c), bias.row(c), row, n);
    forward_row(a.id, a.of(tile.channel + c), bias.exists() ? row : from.row(c), row, n);
    if (factor.exists()) multiply(row, factor.row(c), n);
    if (with.dropout == nullptr) continue;
    draw_factors(*with.dropout, walk, tile, 3, c, drawn);
    multiply(row, drawn, n);
  }
}

template <class T>
void fused_backward(const Walk& walk, std::int64_t i, const Channelwise<T>& a, const T* z, const Neighbours<T>& with,
                    const T* grad_out, T* grad_z, T* grad_factor, double* sums) {
  using S = Compute<T>;
  const Tile tile = walk.tile(i);
  const std::size_t n = tile.row_size();
  const Input<T> from(walk, tile, 6, z), bias(walk, tile, 3, with.bias), factor(walk, tile, 4, with.factor);
  const Input<T> grad(walk, tile, 2, grad_out);
  const Output<T> to(walk, tile, 0, grad_z), to_factor(walk, tile, 1, grad_factor);
  alignas(64) S summed[tile_elements], incoming[tile_elements], drawn[tile_elements];
  for (std::int64_t c = 0; c < tile.extent.channels; ++c) {
    const auto& channel = a.of(tile.channel + c);
    const S* x = from.row(c);
    if (bias.exists()) add(x, bias.row(c), summed, n), x = summed;
    std::copy_n(grad.row(c), n, incoming);
    if (with.dropout != nullptr) {
      draw_factors(*with.dropout, walk, tile, 5, c, drawn);
      multiply(incoming, drawn, n);
    }
    if (to_factor.exists()) {
      forward_row(a.id, channel, x, to_factor.row(c), n);
      multiply(to_factor.row(c), incoming, n);
    }
    if (factor.exists()) multiply(incoming, factor.row(c), n);
    backward_row(a.id, channel, x, incoming, to.row(c), sums_of(sums, c, a.parameter_count()), n);
  }
}

#define LIMEN_STRIDED(T)                                                                                              \
  template void forward(const Walk&, std::int64_t, const Channelwise<T>&, const T*, T*);                              \
  template void backward(const Walk&, std::int64_t, const Channelwise<T>&, const T*, const T*, T*, double*);          \
  template void second_backward(const Walk&, std::int64_t, const Channelwise<T>&, const SecondBackward<T>&, double*); \
  template void fused_forward(const Walk&, std::int64_t, const Channelwise<T>&, const T*, const Neighbours<T>&, T*);  \
  template void fused_backward(const Walk&, std::int64_t, const Channelwise<T>&, const T*, const Neighbours<T>&,      \
                               const T*, T*, T*, double*);
LIMEN_STRIDED(float)
LIMEN_STRIDED(double)
LIMEN_STRIDED(BFloat16)
LIMEN_STRIDED(Float16)
#undef LIMEN_STRIDED

}  // namespace limen::kernels
