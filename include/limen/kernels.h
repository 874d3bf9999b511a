// Part of limen. SPDX-License-Identifier: MIT
//
// Element-wise kernels on plain memory: pointers, a size, an activation and its parameters. No threads (the caller's
// business), no allocation, no exceptions. Every instruction set gives the same bits for every size and alignment (any
// NaN counts as the same); the bounds of ActivationInfo hold on all of them.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "limen/registry.h"

namespace limen::kernels {

enum class Isa { scalar, sse4, avx2, avx512 };

/// "scalar", "sse4", "avx2", "avx512".
std::string_view name(Isa isa);
/// All instruction sets this library holds, slowest first.
std::span<const Isa> all_isas();
/// Whether this processor (and operating system) can run it.
bool supported(Isa isa);
/// The best supported one.
Isa best_isa();
/// What calls without an explicit Isa use: LIMEN_ISA=scalar|sse4|avx2|avx512 from the environment, read once, else the
/// best. A name that is unknown or not supported here is reported by isa_error() and ignored.
Isa active_isa();
/// Empty, or one sentence that says what is wrong with LIMEN_ISA. The torch layer and the program throw it as
/// limen::Error.
std::string_view isa_error();

/// out[i] = a(z[i]). `out` may equal `z`; otherwise they must not overlap. f64 runs on the scalar path.
/// `parameters` holds info(id).parameter_count numbers, in the order of ActivationInfo::parameter, inside their
/// domains; `isa` must be supported. All three are asserted in debug builds.
void forward(ActivationId id, const float* parameters, const float* z, float* out, std::size_t n,
             Isa isa = active_isa());
void forward(ActivationId id, const double* parameters, const double* z, double* out, std::size_t n);

/// grad_z[i] = grad_out[i] a'(z[i]); `grad_z` may be null or equal `grad_out`.
/// grad_parameters, when not null, receives for each parameter k the sum over i of grad_out[i] da/dp_k(z[i]), summed in
/// 16 virtual lanes over fixed blocks, so that it too has the same bits on every path. Sums of pieces are added by the
/// caller in a fixed order; piece lengths should be multiples of `sum_block`.
void backward(ActivationId id, const float* parameters, const float* z, const float* grad_out, float* grad_z,
              double* grad_parameters, std::size_t n, Isa isa = active_isa());
void backward(ActivationId id, const double* parameters, const double* z, const double* grad_out, double* grad_z,
              double* grad_parameters, std::size_t n);

inline constexpr std::size_t sum_block = 1024;

}  // namespace limen::kernels
