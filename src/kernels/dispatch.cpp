// Part of limen. SPDX-License-Identifier: MIT
//
// From an activation and an instruction set to the loop that does the work. Compiled for the baseline, as all code is
// that runs before the choice is made.
#include <cassert>
#include <cstdint>

#include "kernels/cpu/table.h"
#include "limen/kernels.h"

namespace limen::kernels {
namespace {

template <class S>
[[maybe_unused]] bool in_domain(ActivationId id, const S* parameters) {
  for (std::size_t k = 0; k < info(id).parameter_count; ++k)
    if (!info(id).parameter[k].accepts(static_cast<double>(parameters[k]))) return false;
  return true;
}

template <class S>
[[maybe_unused]] bool same_or_apart(const S* a, const S* b, std::size_t n) {
  const auto first = reinterpret_cast<std::uintptr_t>(a), second = reinterpret_cast<std::uintptr_t>(b);
  return first == second || first + n * sizeof(S) <= second || second + n * sizeof(S) <= first;
}

template <class S>
void run_forward(const KernelTable<S>& kernels, ActivationId id, const S* parameters, const S* z, S* out,
                 std::size_t n) {
  assert(in_domain(id, parameters));
  assert(same_or_apart(z, out, n));
  visit(id, [&]<class A>() {
    const auto constants = A::prepare(parameters);
    kernels[static_cast<std::size_t>(id)].forward(&constants, z, out, n);
  });
}

template <class S>
void run_backward(const KernelTable<S>& kernels, ActivationId id, const S* parameters, const S* z, const S* grad_out,
                  S* grad_z, double* grad_parameters, std::size_t n) {
  assert(in_domain(id, parameters));
  assert(grad_z == nullptr || (same_or_apart(grad_out, grad_z, n) && same_or_apart(z, grad_z, n)));
  visit(id, [&]<class A>() {
    const auto constants = A::prepare(parameters);
    kernels[static_cast<std::size_t>(id)].backward(&constants, z, grad_out, grad_z, grad_parameters, n);
  });
}

}  // namespace

const KernelTable<float>& kernels_for([[maybe_unused]] Isa isa) {
#ifdef LIMEN_KERNELS_X86
  switch (isa) {
    case Isa::scalar:
      break;
    case Isa::sse4:
      return sse4_f32;
    case Isa::avx2:
      return avx2_f32;
    case Isa::avx512:
      return avx512_f32;
  }
#endif
  return scalar_f32;
}

void forward(ActivationId id, const float* parameters, const float* z, float* out, std::size_t n, Isa isa) {
  assert(supported(isa));
  run_forward(kernels_for(isa), id, parameters, z, out, n);
}

void forward(ActivationId id, const double* parameters, const double* z, double* out, std::size_t n) {
  run_forward(scalar_f64, id, parameters, z, out, n);
}

void backward(ActivationId id, const float* parameters, const float* z, const float* grad_out, float* grad_z,
              double* grad_parameters, std::size_t n, Isa isa) {
  assert(supported(isa));
  run_backward(kernels_for(isa), id, parameters, z, grad_out, grad_z, grad_parameters, n);
}

void backward(ActivationId id, const double* parameters, const double* z, const double* grad_out, double* grad_z,
              double* grad_parameters, std::size_t n) {
  run_backward(scalar_f64, id, parameters, z, grad_out, grad_z, grad_parameters, n);
}

}  // namespace limen::kernels
