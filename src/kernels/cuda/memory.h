// Part of limen. SPDX-License-Identifier: MIT
//
// How kernels read and write elements: one by one, or 16 bytes at a time.
#pragma once

#include <bit>
#include <cstdint>

#include "kernels/cuda/hardware.h"

namespace limen::cuda {

/// Elements in a row: `count` of `width`, from `first` on.
struct Place {
  std::int64_t first;
  int count;
  bool vector;  ///< all of them, 16 bytes in one piece
};

template <class T, int width>
struct Chunk {
  T item[width];

  __device__ static Chunk load(const T* from, Place at) {
    if constexpr (width == vector_width<T>)
      if (at.vector) return std::bit_cast<Chunk>(*reinterpret_cast<const uint4*>(from + at.first));
    Chunk read;
#pragma unroll
    for (int j = 0; j < width; ++j) read.item[j] = j < at.count ? from[at.first + j] : T{};
    return read;
  }
  __device__ void store(T* to, Place at) const {
    if constexpr (width == vector_width<T>)
      if (at.vector) {
        store_vector(to + at.first, std::bit_cast<uint4>(*this));
        return;
      }
#pragma unroll
    for (int j = 0; j < width; ++j)
      if (j < at.count) to[at.first + j] = item[j];
  }
};

}  // namespace limen::cuda
