// Part of limen. SPDX-License-Identifier: MIT
#include "io/toml.h"

#include <algorithm>
#include <sstream>

#include "limen/error.h"
#include "limen/names.h"

namespace limen::io {

toml::table parse_toml(std::string_view text, std::string_view where) {
  try {
    return toml::parse(text, where);
  } catch (const toml::parse_error& error) {
    throw Error(at_line(where, error.source()) + ": not valid TOML: " + std::string(error.description()));
  }
}

std::string at_line(std::string_view where, const toml::source_region& source) {
  return std::string(where) + ", line " + std::to_string(source.begin.line);
}

void Place::expected(std::string_view what, const toml::node& got) const {
  std::string value = got.is_table() ? "a table" : got.is_array() ? "an array" : inline_value(got);
  throw Error(at_line(where, got.source()) + ": " + key + ": expected " + std::string(what) + ", got " + value);
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
  const auto full = [&](std::string_view key) { return inline_text(std::string(prefix) + std::string(key)); };
  for (const auto& [key, value] : table)
    if (std::ranges::count(known, key.str()) == 0)
      throw Error(at_line(where, key.source()) + ": unknown key " + full(key.str()) + "; try " +
                  full(nearest(key.str(), known)));
}

void merge(toml::table& into, const toml::table& from, int depth) {
  for (const auto& [key, value] : from) {
    toml::table* const inner = into[key].as_table();
    if (depth > 0 && inner && value.is_table())
      merge(*inner, *value.as_table(), depth - 1);
    else
      into.insert_or_assign(key, value);
  }
}

std::string inline_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      constexpr char digits[] = "0123456789ABCDEF";
      out += {'\\', 'u', '0', '0', digits[c >> 4], digits[c & 15]};
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string inline_key(std::string_view key) {
  const bool bare = !key.empty() && std::ranges::all_of(key, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  return bare ? std::string(key) : inline_text(key);
}

std::string inline_value(const toml::node& node) {
  const auto add = [](std::string& inside, const std::string& entry) {
    inside += (inside.empty() ? "" : ", ") + entry;
  };
  std::string inside;
  if (const toml::table* table = node.as_table()) {
    for (const auto& [key, value] : *table) add(inside, inline_key(key.str()) + " = " + inline_value(value));
    return "{" + inside + "}";
  }
  if (const toml::array* array = node.as_array()) {
    for (const toml::node& value : *array) add(inside, inline_value(value));
    return "[" + inside + "]";
  }
  if (const auto* text = node.as_string()) return inline_text(text->get());
  std::ostringstream out;
  node.visit([&](const auto& value) {
    if constexpr (toml::is_value<decltype(value)>) out << toml::toml_formatter{value};
  });
  return out.str();
}

std::string inline_text_of_keys(const toml::table& table) {
  std::string text;
  for (const auto& [key, value] : table) text += inline_key(key.str()) + " = " + inline_value(value) + "\n";
  return text;
}

}  // namespace limen::io
