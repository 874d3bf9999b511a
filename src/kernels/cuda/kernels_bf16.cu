// Part of limen. SPDX-License-Identifier: MIT
#include "kernels/cuda/host.h"

namespace limen::cuda {

LIMEN_CUDA_KERNELS(BFloat16)

}  // namespace limen::cuda
