// Part of limen. SPDX-License-Identifier: MIT
//
// What the units of one instruction set offer to the dispatcher: arrays indexed by ActivationId, conversions, and
// nothing else.
#pragma once

#include <array>
#include <cstddef>

#include "limen/kernels.h"
#include "limen/registry.h"

namespace limen::kernels {

/// Sums over parameters' slopes in the making: element i of a block is added to lane i % 16 whatever the vector width.
struct LaneTotals {
  static constexpr std::size_t lanes = 16;
  std::array<std::array<double, lanes>, max_parameters> total = {};

  /// The lanes of sum k, added as a tree.
  double sum(std::size_t k) const {
    std::array<double, lanes> lane = total[k];
    for (std::size_t half = lanes / 2; half > 0; half /= 2)
      for (std::size_t j = 0; j < half; ++j) lane[j] += lane[j + half];
    return lane[0];
  }
};

/// The element-wise arrays of a second backward, see kernels::second_backward.
template <class S>
struct SecondBackward {
  const S* z;
  const S* grad_out;
  const S* v;
  const S* w;  ///< one for each parameter
  S* grad_grad_out;
  S* grad_z;
};

/// One activation's loops on scalars S. `constants` points to the activation's Constants<S>: the dispatcher prepares
/// them, so that they are the same on every path and their code is not compiled for a newer instruction set. `sums` may
/// be null; else it is added to, and every call but the last has a multiple of `sum_block` elements.
template <class S>
struct Kernel {
  void (*forward)(const void* constants, const S* z, S* out, std::size_t n);
  void (*backward)(const void* constants, const S* z, const S* grad_out, S* grad_z, LaneTotals* sums, std::size_t n);
  void (*second_backward)(const void* constants, const SecondBackward<S>& arrays, LaneTotals* sums, std::size_t n);
};

template <class S>
using KernelTable = std::array<Kernel<S>, activation_count>;

/// From and to a type of 16 bits.
template <class T>
struct Conversion {
  void (*widen)(const T* narrow, float* wide, std::size_t n);
  void (*narrow)(const float* wide, T* narrow, std::size_t n);
};

struct Conversions {
  Conversion<BFloat16> bf16;
  Conversion<Float16> f16;
};

extern const KernelTable<float> scalar_f32, sse4_f32, avx2_f32, avx512_f32;
extern const KernelTable<double> scalar_f64, sse4_f64, avx2_f64, avx512_f64;
extern const Conversions scalar_conversions, sse4_conversions, avx2_conversions, avx512_conversions;

}  // namespace limen::kernels
