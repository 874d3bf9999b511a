// Part of limen. SPDX-License-Identifier: MIT
//
// The CUDA kernels and their tests on the emulated device, in one unit.
#include "kernels/cuda/kernels_bf16.cu"
#include "kernels/cuda/kernels_f16.cu"
#include "kernels/cuda/kernels_f32.cu"
#include "kernels/cuda/kernels_f64.cu"
#include "kernels/cuda/status.cu"
#include "kernels/cuda_test.cu"
