// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "train/settings.h"

namespace limen::cli {

/// Settings with "section.key=value" applied in order; a value is TOML, or text without its quotes. Throws
/// limen::Error.
train::Settings changed(const train::Settings& settings, const std::vector<std::string>& changes);

}  // namespace limen::cli
