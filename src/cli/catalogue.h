// Part of limen. SPDX-License-Identifier: MIT
//
// The registry in words: what `limen list` and docs/functions.md say of its entries.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "limen/registry.h"

namespace limen::cli {

inline std::span<const Parameter> parameters(const ActivationInfo& about) {
  return {about.parameter, about.parameter_count};
}

/// "beta > 0, default 1.25, learned as 0.001 + softplus(raw): half-width of the transition".
std::string describe(const Parameter& parameter);

/// The parameter in terms of its learned number `raw`; "" when it cannot be learned.
std::string transform(const Parameter& parameter);

/// "f32 2 ulp, slope 2; f64 4 ulp, slope 4".
std::string describe(const ErrorBound& bound);

/// Each law of a threshold and the activations that have it, in the registry's order.
std::vector<std::pair<std::string_view, std::vector<std::string_view>>> laws();

/// "uelu with a learned beta that starts at 1.25 and that all sites of a model share".
std::string describe(const Alias& alias);

/// Where the parameter that the alias learns starts.
double initial(const Alias& alias);

/// docs/functions.md, made from the registry.
std::string functions_page();

}  // namespace limen::cli
