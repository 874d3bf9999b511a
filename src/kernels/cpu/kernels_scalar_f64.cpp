// Part of limen. SPDX-License-Identifier: MIT
#include "kernels/cpu/scalar.h"

#include "kernels/cpu/body.h"

namespace limen::kernels {

constinit const KernelTable<double> scalar_f64 = kernels<double>(Registry{});

}  // namespace limen::kernels
