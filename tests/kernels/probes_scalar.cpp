// Part of limen. SPDX-License-Identifier: MIT
#include "kernels/cpu/scalar.h"

#include "kernels/probe_body.h"

namespace limen::kernels {

constinit const ProbesOfIsa scalar_probes = {probes<float>(), probes<double>()};

}  // namespace limen::kernels
