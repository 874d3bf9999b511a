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

#include "kernels/cotangent.h"
#include "kernels/cpu/loop.h"
#include "kernels/cpu/table.h"
#include "limen/kernels.h"
#include "limen/math/value.h"

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

/// Count sums over one block, see LaneTotals: in the scalar type within the block, in f64 from block to block. The same
/// bits on every path.
template <class V, std::size_t Count>
class BlockSums {
 public:
  static constexpr std::size_t lanes = LaneTotals::lanes;
  static constexpr std::size_t vectors = lanes / Whole<V>::width;

  /// Adds weight * terms[k] to sum k, in the given vector of its lanes.
  template <class Memory>
  void add(Memory memory, std::size_t vector, V weight, const std::array<V, Count>& terms) {
    using math::fma;
    for (std::size_t k = 0; k < Count; ++k)
      block_[k][vector] = memory.choose(fma(weight, terms[k], block_[k][vector]), block_[k][vector]);
  }
  void add_to(LaneTotals& sums) const {
    for (std::size_t k = 0; k < Count; ++k) {
      math::Scalar<V> values[lanes];
      for (std::size_t v = 0; v < vectors; ++v) Whole<V>::store(values + v * Whole<V>::width, block_[k][v]);
      for (std::size_t j = 0; j < lanes; ++j) sums.total[k][j] += static_cast<double>(values[j]);
    }
  }

 private:
  std::array<std::array<V, vectors>, Count> block_ = {};
};

/// Calls step(memory, i, vector, block) for every vector of elements i..., `vector` being its place in the lanes of the
/// sums, and adds the sums up.
template <class V, std::size_t Count, class Step>
void for_lanes(std::size_t n, LaneTotals* sums, const Step& step) {
  using Block = BlockSums<V, Count>;
  constexpr std::size_t width = Whole<V>::width;
  for (std::size_t begin = 0; begin < n; begin += sum_block) {
    const std::size_t end = n - begin < sum_block ? n : begin + sum_block;
    Block block;
    std::size_t i = begin;
    for (; i + Block::lanes <= end; i += Block::lanes)
      for (std::size_t v = 0; v < Block::vectors; ++v) step(Whole<V>(), i + v * width, v, block);
    for (std::size_t v = 0; v < Block::vectors; ++v, i += width)
      if (i < end) step(First<V>(end - i), i, v, block);
    if (sums != nullptr) block.add_to(*sums);
  }
}

template <class A, class V, class S = math::Scalar<V>>
LIMEN_LOOP void backward(const void* constants, const S* z, const S* grad_out, S* grad_z, LaneTotals* sums,
                         std::size_t n) {
  const auto c = *static_cast<const Constants<A, V>*>(constants);
  constexpr std::size_t count = A::info.parameter_count;
  if constexpr (count > 0) {
    if (sums != nullptr)
      return for_lanes<V, count>(n, sums, [&](auto memory, std::size_t i, std::size_t vector, auto& block) {
        const V x = memory.load(z + i);
        const V g = memory.load(grad_out + i);
        block.add(memory, vector, g, A::parameter_slopes(x, c));
        if (grad_z != nullptr) memory.store(grad_z + i, g * A::slope(x, c));
      });
  }
  if (grad_z == nullptr) return;
  map<V>(grad_z, n,
         [&](auto memory, std::size_t i) { return memory.load(grad_out + i) * A::slope(memory.load(z + i), c); });
}

template <class A, class V, class S = math::Scalar<V>>
LIMEN_LOOP void second_backward(const void* constants, const SecondBackward<S>& arrays, LaneTotals* sums,
                                std::size_t n) {
  const auto c = *static_cast<const Constants<A, V>*>(constants);
  const SecondBackward<S> a = arrays;
  constexpr std::size_t count = A::info.parameter_count;
  const auto load = [&](auto memory, std::size_t i) {
    return Given<V>{a.v != nullptr, a.v == nullptr ? V(0) : memory.load(a.v + i)};
  };
  if constexpr (count > 0) {
    if (a.w != nullptr || sums != nullptr)
      return for_lanes<V, count>(n, sums, [&](auto memory, std::size_t i, std::size_t vector, auto& block) {
        const V x = memory.load(a.z + i), g = memory.load(a.grad_out + i);
        const Given<V> v = load(memory, i);
        if (a.grad_grad_out != nullptr)
          memory.store(a.grad_grad_out + i, cotangent(v, a.w, A::slope(x, c), A::parameter_slopes(x, c)));
        const auto mixed = A::mixed_curvatures(x, c);
        if (a.grad_z != nullptr) memory.store(a.grad_z + i, g * cotangent(v, a.w, A::curvature(x, c), mixed));
        if (sums == nullptr) return;
        const auto pairs = A::parameter_curvatures(x, c);
        std::array<V, count> terms;
        for (std::size_t k = 0; k < count; ++k) terms[k] = cotangent(v, a.w, mixed[k], row<count>(pairs, k));
        block.add(memory, vector, g, terms);
      });
  }
  // Nothing is asked of the parameters: their derivatives would cost more than all the rest.
  for_lanes<V, 0>(n, nullptr, [&](auto memory, std::size_t i, std::size_t, auto&) {
    const V x = memory.load(a.z + i), g = memory.load(a.grad_out + i);
    const Given<V> v = load(memory, i);
    const std::array<V, 0> none = {};
    if (a.grad_grad_out != nullptr) memory.store(a.grad_grad_out + i, cotangent(v, a.w, A::slope(x, c), none));
    if (a.grad_z != nullptr) memory.store(a.grad_z + i, g * cotangent(v, a.w, A::curvature(x, c), none));
  });
}

template <class V, class... A>
constexpr std::array<Kernel<math::Scalar<V>>, sizeof...(A)> kernels(TypeList<A...>) {
  return {{{forward<A, V>, backward<A, V>, second_backward<A, V>}...}};
}

}  // namespace
}  // namespace limen::kernels
