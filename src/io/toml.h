// Part of limen. SPDX-License-Identifier: MIT
//
// Reading TOML with messages that name the line, writing its values back on one line, and laying one table over
// another. All throw limen::Error: what such a file says is the user's.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace limen::io {

/// `where` names the source in messages.
toml::table parse_toml(std::string_view text, std::string_view where);

/// "WHERE, line N".
std::string at_line(std::string_view where, const toml::source_region& source);

/// Where a value stands, for messages.
struct Place {
  std::string_view where;
  std::string key;

  /// Throws "WHERE, line N: KEY: expected WHAT, got VALUE".
  [[noreturn]] void expected(std::string_view what, const toml::node& got) const;
  Place inside(std::string_view name) const { return {where, key + "." + std::string(name)}; }
};

std::string read_text(const toml::node& node, const Place& place);
std::int64_t read_whole(const toml::node& node, const Place& place);
double read_number(const toml::node& node, const Place& place);

/// Throws for the first key of `table` that is not in `known`, with its line and the nearest known one. `prefix` stands
/// before keys in messages: "" or "train.".
void reject_unknown_keys(const toml::table& table, const std::vector<std::string>& known, std::string_view prefix,
                         std::string_view where);

/// Keys of `from` over those of `into`. Tables in both are merged down to `depth` levels; below that, and for all else,
/// the value of `from` replaces the other.
void merge(toml::table& into, const toml::table& from, int depth = std::numeric_limits<int>::max());

/// A text, a key, or any value as TOML on one line.
std::string inline_text(std::string_view text);
std::string inline_key(std::string_view key);
std::string inline_value(const toml::node& node);
/// A document: the table's keys, one a line, each value on one line.
std::string inline_text_of_keys(const toml::table& table);

}  // namespace limen::io
