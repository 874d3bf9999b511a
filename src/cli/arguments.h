// Part of limen. SPDX-License-Identifier: MIT
//
// Text from the command line or a file to values, whatever the locale. All throw limen::Error.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace limen::cli {

std::string_view trim(std::string_view text);

/// The pieces between separators, trimmed; "" has none.
std::vector<std::string> split(std::string_view text, char separator);

/// A decimal number, or inf, -inf, nan. Rounded to S once. `what` names it in the message.
template <class S>
S to_number(std::string_view text, std::string_view what);

/// A whole number from `least` to `most`.
std::int64_t to_whole(std::string_view text, std::string_view what, std::int64_t least = 0,
                      std::int64_t most = std::numeric_limits<std::int64_t>::max());

/// Of --threads and --jobs: far beyond what helps, and far below what the system refuses in its own ways.
inline constexpr std::int64_t most_threads = 1024;

/// Throws limen::Error when the file that `argument` names does not exist: a slip of the pen, where one that cannot be
/// read is io::SystemError.
void expect_file(const std::string& path, std::string_view argument);

/// Throws limen::Error unless the text that a picture or a table shows is one line of UTF-8.
void expect_line(std::string_view text, std::string_view what);

/// "name=value" to its two sides.
std::pair<std::string, std::string> to_assignment(std::string_view text, std::string_view what);

}  // namespace limen::cli
