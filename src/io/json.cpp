// Part of limen. SPDX-License-Identifier: MIT
#include "io/json.h"

#include <cmath>
#include <limits>

#include "io/error.h"
#include "limen/error.h"

namespace limen::io {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Json with_finite_numbers(const Json& value) {
  if (value.is_number_float()) return number(value.get<double>());
  if (!value.is_structured()) return value;
  Json copy = value;
  for (auto& element : copy) element = with_finite_numbers(element);
  return copy;
}

}  // namespace

Json number(double value) {
  if (std::isfinite(value)) return value;
  return shortest(value);
}

double to_number(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (value == "inf") return infinity;
  if (value == "-inf") return -infinity;
  throw SystemError("expected a number or one of \"nan\", \"inf\", \"-inf\", got " + to_line(value));
}

std::optional<double> number_in(const Json& row, std::string_view key) {
  const auto value = row.find(key);
  if (value == row.end() || value->is_null()) return {};
  return to_number(*value);
}

std::string to_line(const Json& value) {
  try {
    return with_finite_numbers(value).dump();
  } catch (const Json::type_error&) {
    throw Error("a text that is not UTF-8 cannot be written as JSON");
  }
}

Json parse_json(std::string_view text, const std::string& where) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw SystemError(where + ": expected JSON, got text that breaks off or goes wrong at byte " +
                      std::to_string(error.byte));
  } catch (const Json::exception& error) {
    throw SystemError(where + ": not valid JSON: " + error.what());
  }
}

}  // namespace limen::io
