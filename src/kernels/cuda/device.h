// Part of limen. SPDX-License-Identifier: MIT
//
// The kernels, once for every direction, activation and type. Sums: each thread adds its own, a block adds its threads
// as a tree, and add_parts the blocks' slots in their order, so that neither the grid nor its timing shows.
#pragma once

#include "kernels/cuda/passes.h"

namespace limen::cuda {

/// `in_vectors`: how many elements are moved as one vector: vector_width<T>, or 0 where some array is not aligned. Not
/// a bool, for which the compiler would write the loop twice.
template <class A, class T, bool with_sums, class Pass>
__global__ void __launch_bounds__(threads)
    by_slices(Pass pass, Constants<A, T> given, const Constants<A, T>* prepared, const Compute<T>* w, Slices slices,
              int in_vectors, double* slots) {
  constexpr std::size_t count = with_sums ? parameter_count<A> : 0;
  constexpr int width = vector_width<T>;
  for (std::int64_t slice = blockIdx.x; slice < slices.count(); slice += gridDim.x) {
    const std::int64_t channel = slices.channel(slice);
    const Constants<A, T> c = prepared == nullptr ? given : prepared[channel];
    const Compute<T>* const of_channel = w == nullptr ? nullptr : w + channel * parameter_count<A>;
    Sums<Compute<T>, count> sums;
    for (Walk walk = slices.walk(slice, threadIdx.x, width); walk.more(); walk.next()) {
      const Place at = {walk.first(), walk.count(), walk.count() == in_vectors};
      pass.template run<A, width>(at, c, of_channel, sums);
      sums.step();
    }
    if constexpr (count > 0)
      for (std::size_t k = 0; k < count; ++k) {
        const double sum = block_sum(sums.total()[k]);
        if (threadIdx.x == 0) slots[slice * count + k] = sum;
      }
  }
}

template <class A, class T, bool with_sums, class Pass>
__global__ void __launch_bounds__(threads)
    by_columns(Pass pass, const Constants<A, T>* prepared, const Compute<T>* w, Columns columns, double* slots) {
  constexpr std::size_t count = with_sums ? parameter_count<A> : 0;
  for (std::int64_t unit = Columns::first_unit(blockIdx.x, threadIdx.x); unit < columns.count();
       unit += Columns::stride(gridDim.x)) {
    const std::int64_t channel = columns.channel(unit);
    const Constants<A, T> c = prepared[channel];
    const Compute<T>* const of_channel = w == nullptr ? nullptr : w + channel * parameter_count<A>;
    Sums<Compute<T>, count> sums;
    for (Walk walk = columns.walk(unit); walk.more(); walk.next()) {
      pass.template run<A, 1>(Place{walk.first(), 1, false}, c, of_channel, sums);
      sums.step();
    }
    if constexpr (count > 0)
      for (std::size_t k = 0; k < count; ++k) slots[unit * count + k] = sums.total()[k];
  }
}

/// The constants of each channel from its parameters.
template <class A, class T>
__global__ void prepare(const Compute<T>* parameters, std::int64_t channels, Constants<A, T>* constants) {
  for (std::int64_t channel = Columns::first_unit(blockIdx.x, threadIdx.x); channel < channels;
       channel += Columns::stride(gridDim.x))
    constants[channel] = A::prepare(parameters + channel * parameter_count<A>);
}

/// sums[channel][k]: a block a sum.
static __global__ void __launch_bounds__(threads)
    add_parts(const double* slots, Parts parts, std::int64_t channels, int count, double* sums) {
  for (std::int64_t i = blockIdx.x; i < channels * count; i += gridDim.x) {
    double sum = 0;
    for (std::int64_t t = threadIdx.x; t < parts.count; t += threads)
      sum += slots[parts.slot(i / count, t) * count + i % count];
    sum = block_sum(sum);
    if (threadIdx.x == 0) sums[i] = sum;
  }
}

}  // namespace limen::cuda
