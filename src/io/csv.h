// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace limen::io {

/// A field as CSV (RFC 4180) wants it: quoted only where a comma, a quote or a line end demands it.
inline std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

}  // namespace limen::io
