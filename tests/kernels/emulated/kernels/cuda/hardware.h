// Part of limen. SPDX-License-Identifier: MIT
//
// In the place of src/kernels/cuda/hardware.h: the same on the host.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/launch.h"
#include "limen/cuda.h"

namespace limen::cuda {

inline float number(float x) { return x; }
inline double number(double x) { return x; }
template <class T>
float number(T x) {
  return widen(x);
}
template <class T>
T rounded(Compute<T> x) {
  if constexpr (is_narrow<T>)
    return narrow<T>(x);
  else
    return x;
}

inline void store_vector(void* to, uint4 bytes) {
  if (reinterpret_cast<std::uintptr_t>(to) % sizeof bytes != 0) std::abort();
  *static_cast<uint4*>(to) = bytes;
}

/// Complete in thread 0, which runs last.
inline double block_sum(double x) {
  static double so_far[max_parameters];
  double& sum = so_far[emulated::next_sum++];
  if (threadIdx.x == threads - 1) sum = 0;
  return sum += x;
}

}  // namespace limen::cuda
