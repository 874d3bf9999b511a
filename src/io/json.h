// Part of limen. SPDX-License-Identifier: MIT
//
// JSON as this project writes it: one object a line in metrics, numbers in the fewest digits that read back exactly whatever the
// locale, and "nan", "inf", "-inf" as strings where a number is not finite.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace limen::io {

using Json = nlohmann::ordered_json;

/// A number as a Json value: itself, or the string "nan", "inf", "-inf".
Json number(double value);
/// The reverse. Throws limen::Error when the value is neither.
double to_number(const Json& value);
/// Fewest digits that read back exactly ("inf", "-inf", "nan" spelled so).
std::string shortest(double value);

}  // namespace limen::io
