// Part of limen. SPDX-License-Identifier: MIT
//
// Activations of the uniform law. UELU is Transmission<laws::Uniform> itself.
#pragma once

#include "limen/activations/transmission.h"
#include "limen/laws/uniform.h"

namespace limen::activations {

/// z clip((z + 3) / 6, 0, 1): UELU with beta = 3.
struct HardSwish : Transmission<laws::Uniform, laws::FixedHalfWidth<3>> {
  static constexpr ActivationInfo info{.name = "hard_swish",
                                       .formula = "z clip((z + 3) / 6, 0, 1)",
                                       .law = "uniform",
                                       .limit = "0",
                                       .reference = "Howard and others 2019, arXiv 1905.02244",
                                       .bound = {2, 2}};
};

/// z clip(a z + b, 0, 1): a uniform threshold that need not be centred.
struct Aqulu : Transmission<laws::Uniform, laws::ByLine> {
  static constexpr ActivationInfo info{.name = "aqulu",
                                       .formula = "z clip(a z + b, 0, 1)",
                                       .law = "uniform",
                                       .limit = "0",
                                       .reference = "the quadratic linear unit with free coefficients",
                                       .bound = {2, 2},
                                       .parameter_count = 2,
                                       .parameter = {positive("a", 0.4, "density of the threshold"),
                                                     {"b", 0.5, 0, 1, false, "gate at 0", Learned::sigmoid}}};
};

}  // namespace limen::activations
