// Part of limen. SPDX-License-Identifier: MIT
#include "kernels/cpu/scalar.h"

#include "kernels/probe_body.h"

namespace limen::kernels {

constinit const Probes scalar_probes = probes<float>();

}  // namespace limen::kernels
