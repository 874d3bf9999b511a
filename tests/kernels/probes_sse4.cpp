// Part of limen. SPDX-License-Identifier: MIT
#include "kernels/cpu/vector.h"

#include "kernels/probe_body.h"

namespace limen::kernels {

constinit const ProbesOfIsa sse4_probes = {probes<Vec<float>>(), probes<Vec<double>>()};

}  // namespace limen::kernels
