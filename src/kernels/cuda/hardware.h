// Part of limen. SPDX-License-Identifier: MIT
//
// What only a GPU has. Tests put a file of this name before it that does the same on the host, where they run
// everything else as it stands.
#pragma once

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

/// By name, because the compiler takes a plain assignment apart.
__device__ inline void store_vector(void* to, uint4 bytes) { __stwb(static_cast<uint4*>(to), bytes); }

/// The sum over the threads of a block, in thread 0.
__device__ inline double block_sum(double x) {
  constexpr int warp = 32, warps = threads / warp;
  __shared__ double of_warp[warps];
  for (int half = warp / 2; half > 0; half /= 2) x += __shfl_down_sync(~0u, x, half);
  if (threadIdx.x % warp == 0) of_warp[threadIdx.x / warp] = x;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int i = 1; i < warps; ++i) x += of_warp[i];
  __syncthreads();
  return x;
}

}  // namespace limen::cuda
