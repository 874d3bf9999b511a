// Part of limen. SPDX-License-Identifier: MIT
//
// From an activation, an instruction set and a type to the loop that does the work. Compiled for the baseline, as all
// code is that runs before the choice is made.
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <new>

#include "kernels/cpu/table.h"
#include "limen/kernels.h"

namespace limen::kernels {
namespace {

#ifdef LIMEN_KERNELS_X86
#define LIMEN_CHOOSE(ISA, WHAT) \
  (ISA == Isa::avx512 ? avx512_##WHAT : ISA == Isa::avx2 ? avx2_##WHAT : ISA == Isa::sse4 ? sse4_##WHAT : scalar_##WHAT)
#else
#define LIMEN_CHOOSE(ISA, WHAT) scalar_##WHAT
#endif

template <class S>
const Kernel<S>& kernel_for(ActivationId id, Isa isa) {
  const auto i = static_cast<std::size_t>(id);
  if constexpr (sizeof(S) == sizeof(float))
    return LIMEN_CHOOSE(isa, f32)[i];
  else
    return scalar_f64[i];
}

template <class T>
const Conversion<T>& conversion_for(Isa isa) {
  const Conversions& all = LIMEN_CHOOSE(isa, conversions);
  if constexpr (std::is_same_v<T, BFloat16>)
    return all.bf16;
  else
    return all.f16;
}

template <class S>
[[maybe_unused]] bool in_domain(ActivationId id, const S* parameters) {
  for (std::size_t k = 0; k < info(id).parameter_count; ++k)
    if (!info(id).parameter[k].accepts(static_cast<double>(parameters[k]))) return false;
  return true;
}

/// Whether the output is null, one of the others (nulls aside) or apart from them.
template <class A, class B>
[[maybe_unused]] bool apart(const A* a, const B* b, std::size_t n) {
  const auto first = reinterpret_cast<std::uintptr_t>(a), second = reinterpret_cast<std::uintptr_t>(b);
  return a == nullptr || b == nullptr || first + n * sizeof(A) <= second || second + n * sizeof(B) <= first;
}
template <class T>
[[maybe_unused]] bool same_or_apart(const T* output, std::initializer_list<const T*> inputs, std::size_t n) {
  return std::ranges::all_of(inputs, [&](const T* input) { return output == input || apart(output, input, n); });
}

template <class S, class... A>
constexpr std::size_t largest_constants(TypeList<A...>) {
  return std::max({sizeof(typename A::template Constants<S>)...});
}

/// An activation's loops on scalars S together with its constants.
template <class S>
class Prepared {
 public:
  Prepared(ActivationId id, const S* parameters, Isa isa)
      : kernel_(kernel_for<S>(id, isa)), parameter_count_(info(id).parameter_count) {
    assert(supported(isa));
    assert(in_domain(id, parameters));
    visit(id, [&]<class A>() {
      using Constants = typename A::template Constants<S>;
      static_assert(alignof(Constants) <= alignof(std::max_align_t));
      new (constants_) Constants(A::prepare(parameters));
    });
  }
  void forward(const S* z, S* out, std::size_t n) const { kernel_.forward(constants_, z, out, n); }
  void backward(const S* z, const S* grad_out, S* grad_z, LaneTotals* sums, std::size_t n) const {
    kernel_.backward(constants_, z, grad_out, grad_z, sums, n);
  }
  void second_backward(const SecondBackward<S>& arrays, LaneTotals* sums, std::size_t n) const {
    kernel_.second_backward(constants_, arrays, sums, n);
  }
  void write_sums(const LaneTotals& sums, double* to) const {
    for (std::size_t k = 0; k < parameter_count_; ++k) to[k] = sums.sum(k);
  }

 private:
  alignas(std::max_align_t) std::byte constants_[largest_constants<S>(Registry{})];
  const Kernel<S>& kernel_;
  std::size_t parameter_count_;
};

/// A block of an array of 16 bits, widened.
struct Tile {
  alignas(64) float number[sum_block];
};

/// Calls f(begin, size) for one block after the other.
template <class F>
void for_blocks(std::size_t n, const F& f) {
  for (std::size_t begin = 0; begin < n; begin += sum_block) f(begin, std::min(sum_block, n - begin));
}

}  // namespace

template <class T>
void forward(ActivationId id, const Compute<T>* parameters, const T* z, std::type_identity_t<T>* out, std::size_t n,
             Isa isa) {
  assert(same_or_apart<T>(out, {z}, n));
  const Prepared<Compute<T>> prepared(id, parameters, isa);
  if constexpr (is_narrow<T>) {
    const Conversion<T>& convert = conversion_for<T>(isa);
    Tile tile;
    for_blocks(n, [&](std::size_t begin, std::size_t size) {
      convert.widen(z + begin, tile.number, size);
      prepared.forward(tile.number, tile.number, size);
      convert.narrow(tile.number, out + begin, size);
    });
  } else {
    prepared.forward(z, out, n);
  }
}

template <class T>
void backward(ActivationId id, const Compute<T>* parameters, const T* z, const std::type_identity_t<T>* grad_out,
              std::type_identity_t<T>* grad_z, double* grad_parameters, std::size_t n, Isa isa) {
  assert(same_or_apart<T>(grad_z, {z, grad_out}, n));
  const Prepared<Compute<T>> prepared(id, parameters, isa);
  LaneTotals totals;
  LaneTotals* const sums = grad_parameters == nullptr ? nullptr : &totals;
  if constexpr (is_narrow<T>) {
    const Conversion<T>& convert = conversion_for<T>(isa);
    Tile z_tile, g_tile;
    for_blocks(n, [&](std::size_t begin, std::size_t size) {
      convert.widen(z + begin, z_tile.number, size);
      convert.widen(grad_out + begin, g_tile.number, size);
      prepared.backward(z_tile.number, g_tile.number, grad_z == nullptr ? nullptr : g_tile.number, sums, size);
      if (grad_z != nullptr) convert.narrow(g_tile.number, grad_z + begin, size);
    });
  } else {
    prepared.backward(z, grad_out, grad_z, sums, n);
  }
  if (sums != nullptr) prepared.write_sums(totals, grad_parameters);
}

template <class T>
void second_backward(ActivationId id, const Compute<T>* parameters, const T* z, const std::type_identity_t<T>* grad_out,
                     const std::type_identity_t<T>* v, const Compute<T>* w, std::type_identity_t<T>* grad_grad_out,
                     std::type_identity_t<T>* grad_z, double* grad_parameters, std::size_t n, Isa isa) {
  assert(same_or_apart<T>(grad_grad_out, {z, grad_out, v}, n) && same_or_apart<T>(grad_z, {z, grad_out, v}, n) &&
         apart(grad_grad_out, grad_z, n));
  const Prepared<Compute<T>> prepared(id, parameters, isa);
  LaneTotals totals;
  LaneTotals* const sums = grad_parameters == nullptr ? nullptr : &totals;
  if constexpr (is_narrow<T>) {
    const Conversion<T>& convert = conversion_for<T>(isa);
    Tile z_tile, g_tile, v_tile;
    const SecondBackward<float> tiles = {z_tile.number,
                                         g_tile.number,
                                         v == nullptr ? nullptr : v_tile.number,
                                         w,
                                         grad_grad_out == nullptr ? nullptr : z_tile.number,
                                         grad_z == nullptr ? nullptr : g_tile.number};
    for_blocks(n, [&](std::size_t begin, std::size_t size) {
      convert.widen(z + begin, z_tile.number, size);
      convert.widen(grad_out + begin, g_tile.number, size);
      if (v != nullptr) convert.widen(v + begin, v_tile.number, size);
      prepared.second_backward(tiles, sums, size);
      if (grad_grad_out != nullptr) convert.narrow(z_tile.number, grad_grad_out + begin, size);
      if (grad_z != nullptr) convert.narrow(g_tile.number, grad_z + begin, size);
    });
  } else {
    prepared.second_backward({z, grad_out, v, w, grad_grad_out, grad_z}, sums, n);
  }
  if (sums != nullptr) prepared.write_sums(totals, grad_parameters);
}

template <class T>
void widen(const T* from, float* to, std::size_t n, Isa isa) {
  assert(supported(isa));
  assert(apart(to, from, n));
  conversion_for<T>(isa).widen(from, to, n);
}

template <class T>
void narrow(const float* from, T* to, std::size_t n, Isa isa) {
  assert(supported(isa));
  assert(apart(to, from, n));
  conversion_for<T>(isa).narrow(from, to, n);
}

#define LIMEN_INSTANTIATE(T)                                                                                         \
  template void forward<T>(ActivationId, const Compute<T>*, const T*, T*, std::size_t, Isa);                         \
  template void backward<T>(ActivationId, const Compute<T>*, const T*, const T*, T*, double*, std::size_t, Isa);     \
  template void second_backward<T>(ActivationId, const Compute<T>*, const T*, const T*, const T*, const Compute<T>*, \
                                   T*, T*, double*, std::size_t, Isa);
LIMEN_INSTANTIATE(float)
LIMEN_INSTANTIATE(double)
LIMEN_INSTANTIATE(BFloat16)
LIMEN_INSTANTIATE(Float16)
#undef LIMEN_INSTANTIATE

template void widen<BFloat16>(const BFloat16*, float*, std::size_t, Isa);
template void widen<Float16>(const Float16*, float*, std::size_t, Isa);
template void narrow<BFloat16>(const float*, BFloat16*, std::size_t, Isa);
template void narrow<Float16>(const float*, Float16*, std::size_t, Isa);

}  // namespace limen::kernels
