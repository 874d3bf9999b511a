// Part of limen. SPDX-License-Identifier: MIT
//
// Reading TOML with messages that name the line, and writing its values back on one line.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace limen::study {

/// Throws limen::Error with `where` and the line.
toml::table parse_toml(std::string_view text, std::string_view where);

/// "WHERE, line N".
std::string at_line(std::string_view where, const toml::source_region& source);

/// Where a value stands, for messages.
struct Place {
  std::string_view where;
  std::string key;

  /// Throws limen::Error: "WHERE, line N: KEY expects WHAT, VALUE came."
  [[noreturn]] void expected(std::string_view what, const toml::node& came) const;
};

std::string read_text(const toml::node& node, const Place& place);
std::int64_t read_whole(const toml::node& node, const Place& place);
double read_number(const toml::node& node, const Place& place);

/// Throws limen::Error naming the first key of `table` that is not in `known`, its line, and the nearest known one.
void reject_unknown_keys(const toml::table& table, const std::vector<std::string>& known, std::string_view prefix,
                         std::string_view where);

/// A value or a key on one line, as TOML.
std::string inline_text(const toml::node& node);
std::string inline_key(std::string_view key);
/// A document: the table's keys, one a line, each value on one line.
std::string inline_text_of_keys(const toml::table& table);

}  // namespace limen::study
