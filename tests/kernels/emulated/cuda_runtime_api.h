// Part of limen. SPDX-License-Identifier: MIT
//
// A device made of host memory, whose threads run one after the other: what the kernels and their tests use of CUDA,
// so that both run where there is no GPU. It checks what a GPU would fault on: the alignment of vectors (hardware.h)
// and empty grids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#define __device__
#define __global__
#define __launch_bounds__(threads)

struct uint4 {
  unsigned x, y, z, w;
};
struct dim3 {
  dim3(unsigned width = 1) : x(width) {}
  unsigned x;
};
inline dim3 gridDim, blockIdx, threadIdx;

struct CUstream_st;
using cudaStream_t = CUstream_st*;
enum cudaError_t { cudaSuccess = 0, cudaErrorInvalidConfiguration = 9, cudaErrorNoDevice = 100 };
inline const char* cudaGetErrorString(cudaError_t) { return "an emulated error"; }
inline cudaError_t cudaGetLastError() { return cudaSuccess; }
inline cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}

namespace limen::emulated {
/// The next sum over a block that the running thread takes part in.
inline std::size_t next_sum = 0;
}  // namespace limen::emulated

struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  std::size_t dynamicSmemBytes = 0;
  cudaStream_t stream = nullptr;
};
/// Thread 0 of a block is its last, so that it finds what the others have added.
template <class... Wanted, class... Given>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Wanted...), Given... arguments) {
  if (config->gridDim.x == 0) return cudaErrorInvalidConfiguration;
  gridDim = config->gridDim;
  for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x)
    for (threadIdx.x = config->blockDim.x; threadIdx.x-- > 0;) {
      limen::emulated::next_sum = 0;
      kernel(arguments...);
    }
  return cudaSuccess;
}

enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
inline cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  *memory = std::aligned_alloc(256, (bytes / 256 + 1) * 256);
  return cudaSuccess;
}
inline cudaError_t cudaFree(void* memory) {
  std::free(memory);
  return cudaSuccess;
}
inline cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
  if (bytes > 0) std::memcpy(to, from, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpy(to, from, bytes, kind);
}
inline cudaError_t cudaMemset(void* memory, int value, std::size_t bytes) {
  std::memset(memory, value, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t) {
  return cudaMemset(memory, value, bytes);
}
inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
/// No room for the tests of large arrays.
inline cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = *total = 0;
  return cudaSuccess;
}
