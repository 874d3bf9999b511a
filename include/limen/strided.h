// Part of limen. SPDX-License-Identifier: MIT
//
// The kernels on arrays of any layout, with parameters of their own for each channel, and with what stands next to an
// activation in a network taken along: one tile of a walk (limen/walk.h) at a time. No threads, no allocation, no
// exceptions.
//
//   const Walk walk(sizes, axis, {{out_strides, z_strides}}, lies_direct<float>);
//   for (std::int64_t i = 0; i < walk.tiles(); ++i) forward(walk, i, activation, z, out);
//
// Elements that do not lie one behind the other, or need conversion, are gathered into a tile, computed there and
// scattered again; others are worked on where they lie. The results are those of limen/kernels.h on contiguous copies,
// bit for bit.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>

#include "limen/kernels.h"
#include "limen/math/random.h"
#include "limen/walk.h"

namespace limen::kernels {

/// Whether elements are worked on in their own type.
template <class T>
inline constexpr bool lies_direct = std::is_same_v<T, Compute<T>>;

/// The parameters of one channel. Where they lie outside their domain (`valid` is false), its results are NaN.
template <class S>
struct Channel {
  std::array<S, max_parameters> parameter;
  bool valid = true;
};

/// An activation with its parameters: one channel, or as many as the walk has.
template <class T>
struct Channelwise {
  ActivationId id;
  std::span<const Channel<Compute<T>>> channel;

  const Channel<Compute<T>>& of(std::int64_t c) const {
    return channel[channel.size() == 1 ? 0 : static_cast<std::size_t>(c)];
  }
  std::size_t parameter_count() const { return info(id).parameter_count; }
};

/// out = a(z). Operands of the walk, in this order: out, z. `out` may be z where their strides are equal.
template <class T>
void forward(const Walk& walk, std::int64_t tile, const Channelwise<T>& a, const T* z, T* out);

/// grad_z = grad_out a'(z), and for each channel of the tile and each parameter the sum of grad_out da/dp, as backward
/// of limen/kernels.h: `sums` holds channels_of_tile() * parameter_count() numbers. Operands: grad_z, grad_out, z
/// (strides of z for a null grad_z). `grad_z` may be grad_out where their strides are equal; either output may be null.
template <class T>
void backward(const Walk& walk, std::int64_t tile, const Channelwise<T>& a, const T* z, const T* grad_out, T* grad_z,
              double* sums);

/// What second_backward of limen/kernels.h reads and writes; w[channel][parameter].
template <class T>
struct SecondBackward {
  const T *z, *grad_out;
  const T* v;                              ///< cotangents of grad_z, or null
  std::span<const Channel<Compute<T>>> w;  ///< cotangents of the parameters' gradients, or empty
  T *grad_grad_out, *grad_z;               ///< or null
};

/// Operands: grad_grad_out, grad_z, v, grad_out, z (strides of z for those that are null). `sums` as in backward.
template <class T>
void second_backward(const Walk& walk, std::int64_t tile, const Channelwise<T>& a, const SecondBackward<T>& call,
                     double* sums);

/// Which elements pass, and how the position that decides is found: it is an operand whose offset counts elements.
struct Dropout {
  math::Stream stream;
  math::DropoutRate rate;
};

/// What stands next to an activation: out = a(z + bias) factor * dropout's, in one pass, rounded to T once.
template <class T>
struct Neighbours {
  const T* bias = nullptr;
  const T* factor = nullptr;
  const Dropout* dropout = nullptr;
};

/// The walk must not be direct, so that its tiles are small. Operands: out, bias, factor, positions in row-major order,
/// z (strides of z for those that are null).
template <class T>
void fused_forward(const Walk& walk, std::int64_t tile, const Channelwise<T>& a, const T* z, const Neighbours<T>& with,
                   T* out);

/// The same. Operands: grad_z, grad_factor, grad_out, bias, factor, positions, z. The gradient of the bias is the sum
/// of grad_z. grad_factor is null when there is no factor; `sums` as in backward.
template <class T>
void fused_backward(const Walk& walk, std::int64_t tile, const Channelwise<T>& a, const T* z, const Neighbours<T>& with,
                    const T* grad_out, T* grad_z, T* grad_factor, double* sums);

}  // namespace limen::kernels
