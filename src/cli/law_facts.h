// Part of limen. SPDX-License-Identifier: MIT
//
// A law's moments and entropy as formulas in its parameters, found from their numbers: laws are families of location
// and scale, so that a moment is a product of powers and an entropy a sum of logarithms, and two numbers a parameter
// tell which. What is neither is given as a number at the defaults.
#pragma once

#include <string>

#include "limen/registry.h"

namespace limen::cli {

/// Of the threshold of an activation that has a law: "beta^2 / 3", "inf", "nan" where it does not exist.
std::string mean_formula(ActivationId id);
std::string variance_formula(ActivationId id);
/// "2 - ln slope"
std::string entropy_formula(ActivationId id);
/// "[-1.25, 1.25] at beta = 1.25"
std::string support(ActivationId id);

}  // namespace limen::cli
