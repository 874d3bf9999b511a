// Part of limen. SPDX-License-Identifier: MIT
//
// Parts of this room's error messages, which read "WHERE: expected X, got Y; try Z".
#pragma once

#include <string>
#include <string_view>

#include "limen/registry.h"

namespace limen::op {

/// The activation of that name: of the registry, or empirical; null when there is none.
const ActivationInfo* find_info(std::string_view name);

/// The shortest digits that read back as `number`, whatever the locale.
std::string text(double number);

/// Six significant digits, for people.
std::string short_text(double number);

/// Where a parameter is valid, in people's words: "beta > 0", "0 <= gamma <= 1", or "" for any number. The limits
/// `narrowest` and `widest` are left out.
std::string domain(const Parameter& parameter);

/// "expected beta > 0, got -1". Names the limits `narrowest` and `widest` where it is those that the number broke.
std::string outside_domain(const Parameter& parameter, double number);

/// "alpha, beta".
std::string parameter_names(const ActivationInfo& info);

/// "expected a parameter (beta), got "bta"; try "beta"".
std::string unknown_parameter(const ActivationInfo& info, std::string_view name);

/// Which names a message may suggest: those of the registry, which the operator takes, or also aliases, laws given as
/// data and gated forms, which options take.
enum class Spellings { registry, all };

/// The same for the name of an activation.
std::string unknown_activation(std::string_view name, Spellings spellings);

}  // namespace limen::op
