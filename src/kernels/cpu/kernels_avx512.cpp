// Part of limen. SPDX-License-Identifier: MIT
#include "kernels/cpu/vector.h"

#include "kernels/cpu/body.h"
#include "kernels/cpu/convert.h"

static_assert(HWY_TARGET == HWY_AVX3,
              "the flags in src/kernels/CMakeLists.txt select the instruction set of this unit");

namespace limen::kernels {

constinit const KernelTable<float> avx512_f32 = kernels<Vec>(Registry{});
constinit const Conversions avx512_conversions = conversions();

}  // namespace limen::kernels
