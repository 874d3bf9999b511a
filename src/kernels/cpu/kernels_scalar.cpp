// Part of limen. SPDX-License-Identifier: MIT
#include "kernels/cpu/scalar.h"

#include "kernels/cpu/body.h"
#include "kernels/cpu/convert.h"

namespace limen::kernels {

constinit const KernelTable<float> scalar_f32 = kernels<float>(Registry{});
constinit const KernelTable<double> scalar_f64 = kernels<double>(Registry{});
constinit const Conversions scalar_conversions = conversions();

}  // namespace limen::kernels
