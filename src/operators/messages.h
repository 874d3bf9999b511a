// Part of limen. SPDX-License-Identifier: MIT
//
// Words of the sentences that this room's errors are made of.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "limen/registry.h"

namespace limen::op {

/// The shortest digits that read back as `number`, whatever the locale.
std::string text(double number);

/// Six significant digits, for people.
std::string short_text(double number);

/// Where a parameter is valid, in people's words: "beta > 0", "0 <= gamma <= 1", or "" for any number. The limits
/// `narrowest` and `widest` are left out.
std::string domain(const Parameter& parameter);

/// What to expect instead of a rejected number: its domain, with the limits `narrowest` and `widest` where it is those
/// that the number broke.
std::string expected_domain(const Parameter& parameter, double rejected);

/// "alpha, beta", or "none".
std::string parameter_names(const ActivationInfo& info);

/// What to say of a name that is neither an activation's nor one of `aliases`.
std::string unknown_activation(std::string_view name, std::span<const Alias> aliases = {});

}  // namespace limen::op
