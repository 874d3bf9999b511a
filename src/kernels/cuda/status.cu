// Part of limen. SPDX-License-Identifier: MIT
#include <cuda_runtime_api.h>

#include "limen/cuda.h"

namespace limen::cuda {

std::string message(Status status) {
  switch (status) {
    case Status::ok:
      return "";
    case Status::channels:
      return "limen::cuda: expected n to be a multiple of channels * run, and parameters of several channels on the "
             "device, got others; try channels = 1 for one set of parameters";
    case Status::workspace:
      return "limen::cuda: expected a workspace of workspace_size() bytes, aligned to 16, got less; try the size asked "
             "for with the same id, parameters, n and sums";
    case Status::alignment:
      return "limen::cuda: expected arrays aligned to their elements, got one that is not; try a copy of it";
    case Status::pointer:
      return "limen::cuda: expected z, grad_out, out and the parameters' values, got null for one of them; try "
             "grad_z = null or grad_parameters = null to leave an output out";
  }
  return std::string("limen::cuda: expected CUDA to start the kernels, got \"") +
         cudaGetErrorString(static_cast<cudaError_t>(status)) + "\"; try device_error() before the first call";
}

std::string device_error() {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess && count > 0) return "";
  cudaGetLastError();
  const std::string why = error == cudaSuccess ? "none" : cudaGetErrorString(error);
  return "limen::cuda: expected a CUDA device, got \"" + why + "\"; try the CPU kernels (limen/kernels.h)";
}

}  // namespace limen::cuda
