// Part of limen. SPDX-License-Identifier: MIT
//
// What the unit of one instruction set offers to the dispatcher: one array, indexed by ActivationId, and nothing else.
#pragma once

#include <array>
#include <cstddef>

#include "limen/kernels.h"
#include "limen/registry.h"

namespace limen::kernels {

/// One activation's loops on scalars S. `constants` points to the activation's Constants<S>: the dispatcher prepares
/// them, so that they are the same on every path and their code is not compiled for a newer instruction set.
template <class S>
struct Kernel {
  void (*forward)(const void* constants, const S* z, S* out, std::size_t n);
  void (*backward)(const void* constants, const S* z, const S* grad_out, S* grad_z, double* grad_parameters,
                   std::size_t n);
};

template <class S>
using KernelTable = std::array<Kernel<S>, activation_count>;

extern const KernelTable<float> scalar_f32;
extern const KernelTable<double> scalar_f64;
extern const KernelTable<float> sse4_f32;
extern const KernelTable<float> avx2_f32;
extern const KernelTable<float> avx512_f32;

/// The f32 table of an instruction set that this library holds.
const KernelTable<float>& kernels_for(Isa isa);

}  // namespace limen::kernels
