// Part of limen. SPDX-License-Identifier: MIT
//
// Element-wise kernels on plain memory: pointers, a size, an activation and its parameters. No threads (the caller's
// business), no allocation, no exceptions. Every instruction set gives the same bits for every size and alignment (any
// NaN counts as the same); the bounds of ActivationInfo hold on all of them.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>

#include "limen/narrow.h"
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

/// What arithmetic on T is done in, and the type of its parameters: double for double, otherwise float. Numbers of 16
/// bits are widened, computed in f32 and rounded once.
template <class T>
using Compute = std::conditional_t<std::is_same_v<T, double>, double, float>;

/// The kernels exist for T = float, double, BFloat16 and Float16. Common to all:
/// `parameters` holds info(id).parameter_count numbers, in the order of ActivationInfo::parameter, inside their
/// domains; `isa` must be supported. An output may be one of the element-wise inputs of that call (the same address);
/// otherwise it overlaps neither an input nor another output. All three are asserted in debug builds.
/// Where T also stands as type_identity_t<T>, it is deduced from z alone, so that nullptr can be passed.

/// out[i] = a(z[i]). `out` may equal `z`.
template <class T>
void forward(ActivationId id, const Compute<T>* parameters, const T* z, std::type_identity_t<T>* out, std::size_t n,
             Isa isa = active_isa());

/// grad_z[i] = grad_out[i] a'(z[i]); `grad_z` may be null or equal `grad_out` or `z`.
/// grad_parameters, when not null, receives for each parameter k the sum over i of grad_out[i] da/dp_k(z[i]), summed in
/// 16 virtual lanes over fixed blocks, so that it too has the same bits on every path; those of 16-bit types are those
/// of the same numbers in f32. Sums of pieces are added by the caller in a fixed order; piece lengths should be
/// multiples of `sum_block`.
template <class T>
void backward(ActivationId id, const Compute<T>* parameters, const T* z, const std::type_identity_t<T>* grad_out,
              std::type_identity_t<T>* grad_z, double* grad_parameters, std::size_t n, Isa isa = active_isa());

/// Backward of backward. `v` are the cotangents of grad_z, w[k] is that of grad_parameters[k]:
///
///   grad_grad_out[i]   = v a'(z) + sum_k w_k da/dp_k
///   grad_z[i]          = grad_out (v a''(z) + sum_k w_k d2a/dz dp_k)
///   grad_parameters[k] = sum_i grad_out (v d2a/dz dp_k + sum_l w_l d2a/dp_k dp_l)
///
/// Each of v, w and the three outputs may be null. A null v or w drops its terms, which is not the same as a 0:
/// da/dp can be infinite. `grad_grad_out` and `grad_z` may each equal z, grad_out or v. Sums as in backward.
template <class T>
void second_backward(ActivationId id, const Compute<T>* parameters, const T* z, const std::type_identity_t<T>* grad_out,
                     const std::type_identity_t<T>* v, const Compute<T>* w, std::type_identity_t<T>* grad_grad_out,
                     std::type_identity_t<T>* grad_z, double* grad_parameters, std::size_t n, Isa isa = active_isa());

inline constexpr std::size_t sum_block = 1024;

/// The conversions of limen/narrow.h for T = BFloat16 and Float16, with the same bits on every path (any NaN counts as
/// the same). The arrays must not overlap.
template <class T>
void widen(const T* from, float* to, std::size_t n, Isa isa = active_isa());
template <class T>
void narrow(const float* from, T* to, std::size_t n, Isa isa = active_isa());

}  // namespace limen::kernels
