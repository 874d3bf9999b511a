// Part of limen. SPDX-License-Identifier: MIT
//
// JSON as this project writes it: one object a line in metrics, numbers in digits that read back exactly whatever the
// locale, and "nan", "inf", "-inf" as strings where a number is not finite.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "limen/digits.h"

namespace limen::io {

using Json = nlohmann::ordered_json;

/// A number as a Json value: itself, or the string "nan", "inf", "-inf".
Json number(double value);
/// The reverse. Throws SystemError when the value is neither.
double to_number(const Json& value);

/// A number of a row of metrics.jsonl or timing.jsonl; none where it is missing or null.
std::optional<double> number_in(const Json& row, std::string_view key);

/// One line without its end; numbers that are not finite become strings as in number(), at any depth.
std::string to_line(const Json& value);
/// `where` (a file, a file and line) names the source in the message of the SystemError for text that is not JSON.
Json parse_json(std::string_view text, const std::string& where);

using limen::shortest;

}  // namespace limen::io
