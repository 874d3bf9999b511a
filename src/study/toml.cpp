// Part of limen. SPDX-License-Identifier: MIT
#include "study/toml.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "limen/error.h"
#include "limen/names.h"

namespace limen::study {

toml::table parse_toml(std::string_view text, std::string_view where) {
  try {
    return toml::parse(text, where);
  } catch (const toml::parse_error& error) {
    throw Error(fmt::format("{}: not valid TOML: {}.", at_line(where, error.source()), error.description()));
  }
}

std::string at_line(std::string_view where, const toml::source_region& source) {
  return fmt::format("{}, line {}", where, source.begin.line);
}

void Place::expected(std::string_view what, const toml::node& came) const {
  throw Error(fmt::format("{}: {} expects {}, {} came.", at_line(where, came.source()), key, what, inline_text(came)));
}

std::string read_text(const toml::node& node, const Place& place) {
  if (!node.is_string()) place.expected("a text in quotes", node);
  return node.as_string()->get();
}

std::int64_t read_whole(const toml::node& node, const Place& place) {
  if (!node.is_integer()) place.expected("a whole number", node);
  return node.as_integer()->get();
}

double read_number(const toml::node& node, const Place& place) {
  if (!node.is_number()) place.expected("a number", node);
  return *node.value<double>();
}

void reject_unknown_keys(const toml::table& table, const std::vector<std::string>& known, std::string_view prefix,
                         std::string_view where) {
  for (const auto& [key, value] : table)
    if (std::ranges::count(known, key.str()) == 0)
      throw Error(fmt::format("{}: unknown key \"{}{}\"; the nearest known one is \"{}{}\".",
                              at_line(where, key.source()), prefix, key.str(), prefix, nearest(key.str(), known)));
}

std::string inline_key(std::string_view key) {
  const bool bare = !key.empty() && std::ranges::all_of(key, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  return bare ? std::string(key) : inline_text(toml::value<std::string>(key));
}

std::string inline_text(const toml::node& node) {
  std::string inside;
  if (const toml::table* table = node.as_table()) {
    for (const auto& [key, value] : *table)
      inside += fmt::format("{}{} = {}", inside.empty() ? "" : ", ", inline_key(key.str()), inline_text(value));
    return "{" + inside + "}";
  }
  if (const toml::array* array = node.as_array()) {
    for (const toml::node& value : *array)
      inside += fmt::format("{}{}", inside.empty() ? "" : ", ", inline_text(value));
    return "[" + inside + "]";
  }
  std::ostringstream out;
  node.visit([&](const auto& value) {
    // Multi-line strings would break the promise of one line.
    constexpr auto one_line = toml::toml_formatter::default_flags & ~toml::format_flags::allow_multi_line_strings;
    if constexpr (toml::is_value<decltype(value)>) out << toml::toml_formatter{value, one_line};
  });
  return out.str();
}

std::string inline_text_of_keys(const toml::table& table) {
  std::string text;
  for (const auto& [key, value] : table) text += fmt::format("{} = {}\n", inline_key(key.str()), inline_text(value));
  return text;
}

}  // namespace limen::study
