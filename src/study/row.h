// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "io/json.h"

namespace limen::study {

/// A number of a row of metrics.jsonl or timing.jsonl; none where it is missing or null.
inline std::optional<double> number_in(const io::Json& row, std::string_view key) {
  const auto value = row.find(key);
  if (value == row.end() || value->is_null()) return {};
  return io::to_number(*value);
}

}  // namespace limen::study
