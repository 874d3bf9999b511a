// Part of limen. SPDX-License-Identifier: MIT
//
// Words of the sentences that this room's errors are made of.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "limen/laws/info.h"

namespace limen::op {

/// The shortest digits that read back as `number`, whatever the locale.
std::string text(double number);

/// Six significant digits, for people.
std::string short_text(double number);

/// Where a parameter is valid: "beta > 0", "0 <= gamma <= 1", "mu finite".
std::string domain(const Parameter& parameter);

/// "alpha, beta", or "none".
std::string parameter_names(const ActivationInfo& info);

/// What to say of a name that no activation has; `spellings` are further known names.
std::string unknown_activation(std::string_view name, std::span<const std::string_view> spellings = {});

}  // namespace limen::op
