// Part of limen. SPDX-License-Identifier: MIT
//
// The registry in words: what `limen list` and docs/functions.md say of its entries.
#pragma once

#include <array>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "limen/laws/empirical.h"
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

/// What may be named besides the registry's activations and their aliases.
struct FurtherName {
  std::string_view name, formula, meaning;
};
inline constexpr std::array further_names{
    FurtherName{"empirical(FILE)", laws::Empirical::transmission.formula,
                "FILE gives samples of the threshold, or levels and quantiles: docs/add-a-law.md"},
    FurtherName{"gated(NAME)", "a(u) v", "in a feed-forward layer, a being an activation: SwiGLU is gated(silu)"},
    FurtherName{"glu", "v / (1 + exp(-u))", "in a feed-forward layer: the gate of silu alone"},
};

/// docs/functions.md, made from the registry.
std::string functions_page();

}  // namespace limen::cli
