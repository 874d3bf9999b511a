// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <string>

namespace limen {

/// Fewest digits that read back as this float or double, whatever the locale; "inf", "-inf", "nan".
template <class S>
std::string shortest(S number) {
  if (number != number) return "nan";  // without the sign that to_chars shows
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, number).ptr};
}

}  // namespace limen
