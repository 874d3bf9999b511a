// Part of limen. SPDX-License-Identifier: MIT
#include "kernels/cpu/vector.h"

#include "kernels/cpu/body.h"

static_assert(HWY_TARGET == HWY_SSE4,
              "the flags in src/kernels/CMakeLists.txt select the instruction set of this unit");

namespace limen::kernels {

constinit const KernelTable<double> sse4_f64 = kernels<Vec<double>>(Registry{});

}  // namespace limen::kernels
