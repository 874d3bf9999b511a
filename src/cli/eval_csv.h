// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <istream>
#include <string_view>

#include "cli/quantities.h"

namespace limen::cli {

/// Prints `activation,params,z,value,slope,curvature,gate,density,loss,centred,correction,param_slopes` for each row of
/// the input; the first three as they came. The input's header names the columns activation, params and z in any order;
/// others are ignored. Stops at the first bad row with a limen::Error that names its line; rows before it have been
/// printed.
void evaluate_csv(std::istream& input, std::string_view source, const Method& method);

}  // namespace limen::cli
