// Part of limen. SPDX-License-Identifier: MIT
//
// The loops, written once for every instruction set and every activation. A unit includes scalar.h or vector.h, which
// say how a value type V meets memory (Whole, First), then this file, and defines its table from `kernels<V>`.
//
// Everything is in an unnamed namespace and inlined into the loops: a function that was compiled for AVX-512 and
// visible to the linker could replace its twin in code that must run on any processor.
#pragma once

#include <array>
#include <cstddef>

#include "kernels/cpu/table.h"
#include "limen/kernels.h"
#include "limen/math/value.h"

// Inlines all that a loop calls: half as fast again. Not in debug builds, where sanitizers take minutes over the
// result.
#ifdef NDEBUG
#define LIMEN_LOOP [[gnu::flatten]]
#else
#define LIMEN_LOOP
#endif

namespace limen::kernels {
namespace {

template <class A, class V>
using Constants = typename A::template Constants<math::Scalar<V>>;

/// out[i] = function(memory, i): two whole vectors at a time, so that one's latency hides behind the other's, and what
/// is left under a mask. Reads come before writes, so `out` may be an input.
template <class V, class Function>
void map(math::Scalar<V>* out, std::size_t n, const Function& function) {
  constexpr std::size_t width = Whole<V>::width;
  constexpr Whole<V> whole;
  std::size_t i = 0;
  for (; i + 2 * width <= n; i += 2 * width) {
    const V first = function(whole, i);
    const V second = function(whole, i + width);
    whole.store(out + i, first);
    whole.store(out + i + width, second);
  }
  for (; i < n; i += width) {
    const First<V> rest(n - i);
    rest.store(out + i, function(rest, i));
  }
}

template <class A, class V, class S = math::Scalar<V>>
LIMEN_LOOP void forward(const void* constants, const S* z, S* out, std::size_t n) {
  // A copy, because `out` could otherwise be thought to overwrite it.
  const auto c = *static_cast<const Constants<A, V>*>(constants);
  map<V>(out, n, [&](auto memory, std::size_t i) { return A::value(memory.load(z + i), c); });
}

/// Count sums in 16 lanes: element i of a block is added to lane i % 16 whatever the vector width, in the scalar type
/// within a block, in f64 from block to block; in the end the lanes are added as a tree. The same bits on every path.
template <class V, std::size_t Count>
class LaneSums {
 public:
  static constexpr std::size_t lanes = 16;
  static constexpr std::size_t vectors = lanes / Whole<V>::width;
  using Block = std::array<std::array<V, vectors>, Count>;

  /// Adds weight * terms[k] to sum k of a block, in the given vector of its lanes.
  template <class Memory>
  static void add(Block& block, Memory memory, std::size_t vector, V weight, const std::array<V, Count>& terms) {
    using math::fma;
    for (std::size_t k = 0; k < Count; ++k)
      block[k][vector] = memory.choose(fma(weight, terms[k], block[k][vector]), block[k][vector]);
  }

  void add(const Block& block) {
    for (std::size_t k = 0; k < Count; ++k) {
      math::Scalar<V> values[lanes];
      for (std::size_t v = 0; v < vectors; ++v) Whole<V>::store(values + v * Whole<V>::width, block[k][v]);
      for (std::size_t j = 0; j < lanes; ++j) total_[k][j] += static_cast<double>(values[j]);
    }
  }

  void write(double* sums) const {
    for (std::size_t k = 0; k < Count; ++k) {
      std::array<double, lanes> lane = total_[k];
      for (std::size_t half = lanes / 2; half > 0; half /= 2)
        for (std::size_t j = 0; j < half; ++j) lane[j] += lane[j + half];
      sums[k] = lane[0];
    }
  }

 private:
  std::array<std::array<double, lanes>, Count> total_ = {};
};

template <class A, class V, class S = math::Scalar<V>>
void backward_with_sums(const Constants<A, V>& c, const S* z, const S* grad_out, S* grad_z, double* sums,
                        std::size_t n) {
  using Sums = LaneSums<V, A::info.parameter_count>;
  constexpr std::size_t width = Whole<V>::width;
  Sums total;
  for (std::size_t begin = 0; begin < n; begin += sum_block) {
    const std::size_t end = n - begin < sum_block ? n : begin + sum_block;
    typename Sums::Block block = {};
    const auto step = [&](auto memory, std::size_t i, std::size_t vector) {
      const V x = memory.load(z + i);
      const V g = memory.load(grad_out + i);
      Sums::add(block, memory, vector, g, A::parameter_slopes(x, c));
      if (grad_z != nullptr) memory.store(grad_z + i, g * A::slope(x, c));
    };
    std::size_t i = begin;
    for (; i + Sums::lanes <= end; i += Sums::lanes)
      for (std::size_t v = 0; v < Sums::vectors; ++v) step(Whole<V>(), i + v * width, v);
    for (std::size_t v = 0; v < Sums::vectors; ++v, i += width)
      if (i < end) step(First<V>(end - i), i, v);
    total.add(block);
  }
  total.write(sums);
}

template <class A, class V, class S = math::Scalar<V>>
LIMEN_LOOP void backward(const void* constants, const S* z, const S* grad_out, S* grad_z, double* sums, std::size_t n) {
  const auto c = *static_cast<const Constants<A, V>*>(constants);
  if constexpr (A::info.parameter_count > 0) {
    if (sums != nullptr) return backward_with_sums<A, V>(c, z, grad_out, grad_z, sums, n);
  }
  if (grad_z == nullptr) return;
  map<V>(grad_z, n,
         [&](auto memory, std::size_t i) { return memory.load(grad_out + i) * A::slope(memory.load(z + i), c); });
}

template <class V, class... A>
constexpr std::array<Kernel<math::Scalar<V>>, sizeof...(A)> kernels(TypeList<A...>) {
  return {{{forward<A, V>, backward<A, V>}...}};
}

}  // namespace
}  // namespace limen::kernels
