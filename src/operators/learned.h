// Part of limen. SPDX-License-Identifier: MIT
//
// How an unconstrained learned number becomes a parameter (Parameter::learned), and back.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "limen/laws/info.h"

namespace limen::op {

/// Whether a learned parameter can start at `value`: inside its domain, and reached by some finite raw number.
bool can_start_at(const Parameter& parameter, double value);

/// What the raw numbers reach, in words: "beta > 0.001".
std::string learned_domain(const Parameter& parameter);

/// The raw number whose parameter is `value`: for softplus temperature * ln(expm1(value - lower_learned)).
double raw_from(const Parameter& parameter, double value);

/// The parameter that `raw` stands for, element by element, differentiable.
at::Tensor value_from(const Parameter& parameter, const at::Tensor& raw);

}  // namespace limen::op
