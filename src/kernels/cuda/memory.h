// Part of limen. SPDX-License-Identifier: MIT
//
// How kernels read and write: elements of T, as numbers to compute with, one by one or 16 bytes at a time.
#pragma once

#include <bit>
#include <cstdint>

#include "kernels/cuda/launch.h"
#include "limen/cuda.h"

namespace limen::cuda {

__device__ inline float number(float x) { return x; }
__device__ inline double number(double x) { return x; }
__device__ inline float number(BFloat16 x) { return widen(x); }
__device__ inline float number(Float16 x) {
  float wide;
  asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(x.bits));
  return wide;
}

/// Rounded once, to the nearest, of two equally near ones the even.
template <class T>
__device__ T rounded(Compute<T> x) {
  return x;
}
template <>
__device__ inline BFloat16 rounded<BFloat16>(float x) {
  BFloat16 narrow;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(narrow.bits) : "f"(x));
  return narrow;
}
template <>
__device__ inline Float16 rounded<Float16>(float x) {
  Float16 narrow;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(narrow.bits) : "f"(x));
  return narrow;
}

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
        // By name, because the compiler takes a plain assignment apart.
        __stwb(reinterpret_cast<uint4*>(to + at.first), std::bit_cast<uint4>(*this));
        return;
      }
#pragma unroll
    for (int j = 0; j < width; ++j)
      if (j < at.count) to[at.first + j] = item[j];
  }
};

}  // namespace limen::cuda
