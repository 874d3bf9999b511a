// Part of limen. SPDX-License-Identifier: MIT
#include "cli/arguments.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "limen/error.h"

namespace limen::cli {

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  if (trim(text).empty()) return pieces;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(separator, start), text.size());
    pieces.emplace_back(trim(text.substr(start, end - start)));
    start = end + 1;
  }
  return pieces;
}

template <class S>
S to_number(std::string_view text, std::string_view what) {
  std::string_view digits = trim(text);
  if (digits.starts_with('+')) digits.remove_prefix(1);
  S value{};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range)
    throw Error(fmt::format("{}: expected a number within the range of {}, got '{}'; try {}a number nearer to 1", what,
                            sizeof(S) == 4 ? "f32" : "f64", digits, sizeof(S) == 4 ? "--dtype f64 or " : ""));
  if (error != std::errc{} || end != digits.data() + digits.size())
    throw Error(fmt::format("{}: expected a number such as -1.5, 1e-3, inf or nan, got '{}'", what, trim(text)));
  return value;
}
template float to_number<float>(std::string_view, std::string_view);
template double to_number<double>(std::string_view, std::string_view);

std::int64_t to_whole(std::string_view text, std::string_view what, std::int64_t least, std::int64_t most) {
  const std::string_view digits = trim(text);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc{} && end == digits.data() + digits.size() && least <= value && value <= most) return value;
  const std::string range = most < std::numeric_limits<std::int64_t>::max() ? fmt::format("from {} to {}", least, most)
                                                                            : fmt::format("of at least {}", least);
  throw Error(fmt::format("{}: expected a whole number {}, got '{}'", what, range, digits));
}

void expect_file(const std::string& path, std::string_view argument) {
  if (!std::filesystem::exists(path))
    throw Error(fmt::format("{}: expected a file, got {}, which does not exist", argument, path));
}

namespace {

/// How many bytes of UTF-8 the first character of `text` has; 0 where it is none, or would give orders to a terminal.
std::size_t character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return byte(0) >= ' ' && byte(0) != 0x7F ? 1 : 0;
  const std::size_t size = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  const bool control = size == 2 && byte(0) == 0xC2 && byte(1) < 0xA0;
  const bool overlong = (byte(0) == 0xE0 && byte(1) < 0xA0) || (byte(0) == 0xF0 && byte(1) < 0x90);
  const bool no_character = (byte(0) == 0xED && byte(1) >= 0xA0) || (byte(0) == 0xF4 && byte(1) >= 0x90);
  return control || overlong || no_character ? 0 : size;
}

}  // namespace

void expect_line(std::string_view text, std::string_view what) {
  if (trim(text).empty()) throw Error(fmt::format("{}: expected a text, got a blank one", what));
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t size = character(rest);
    if (size == 0)
      throw Error(fmt::format("{}: expected one line of UTF-8 without control characters, got another byte at {}", what,
                              text.size() - rest.size() + 1));
    rest.remove_prefix(size);
  }
}

std::pair<std::string, std::string> to_assignment(std::string_view text, std::string_view what) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos || trim(text.substr(0, equals)).empty() || trim(text.substr(equals + 1)).empty())
    throw Error(fmt::format("{}: expected name=value, got '{}'", what, text));
  return {std::string(trim(text.substr(0, equals))), std::string(trim(text.substr(equals + 1)))};
}

}  // namespace limen::cli
