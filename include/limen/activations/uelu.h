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
                                       .title = "hard swish",
                                       .formula = "z clip((z + 3) / 6, 0, 1)",
                                       .slope = "0 for z <= -3, else 1 for z >= 3, else (2 z + 3) / 6",
                                       .law = "uniform",
                                       .gate = "clip((z + 3) / 6, 0, 1)",
                                       .loss = "0 for z <= -3, else z for z >= 3, else (z + 3)^2 / 12",
                                       .mean = "0",
                                       .variance = "3",
                                       .entropy = "ln 6",
                                       .limit = "0",
                                       .reference = "Howard and others 2019, arXiv 1905.02244",
                                       .bound = {2, 2}};
};

/// z clip(a z + b, 0, 1): a uniform threshold that need not be centred.
struct Aqulu : Transmission<laws::Uniform, laws::ByLine> {
  static constexpr ActivationInfo info{
      .name = "aqulu",
      .title = "AQuLU",
      .formula = "z clip(a z + b, 0, 1)",
      .slope = "0 for z <= -b / a, else 1 for z >= (1 - b) / a, else 2 a z + b",
      .law = "uniform",
      .gate = "clip(a z + b, 0, 1)",
      .loss = "0 for z <= -b / a, else z - (1 - 2 b) / (2 a) for z >= (1 - b) / a, else (a z + b)^2 / (2 a)",
      .mean = "(1 - 2 b) / (2 a)",
      .variance = "1 / (12 a^2)",
      .entropy = "-ln a",
      .limit = "0",
      .reference = "the quadratic linear unit with free coefficients",
      .bound = {2, 3},
      .parameter_count = 2,
      .parameter = {positive("a", 0.4, "density of the threshold"),
                    {"b", 0.5, 0, 1, false, "gate at 0", Learned::sigmoid}}};
};

}  // namespace limen::activations
