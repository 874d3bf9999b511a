// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace limen {

/// The two parts of "uelu(beta=1)"; a plain name has nothing inside.
struct Spelled {
  std::string_view name, inside;
};
constexpr Spelled take_apart(std::string_view text) {
  const std::size_t open = text.find('(');
  if (open == text.npos || text.back() != ')') return {text, {}};
  return {text.substr(0, open), text.substr(open + 1, text.size() - open - 2)};
}

/// Edits (insert, delete or replace one character, swap two neighbours) that turn a into b.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, above, row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = std::exchange(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

/// The known name nearest to `name`, or "" when `known` is empty.
template <class Names>
std::string nearest(std::string_view name, const Names& known) {
  std::string best;
  std::size_t least = static_cast<std::size_t>(-1);
  for (const auto& candidate : known) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace limen
