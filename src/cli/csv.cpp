// Part of limen. SPDX-License-Identifier: MIT
#include "cli/csv.h"

#include <fmt/format.h>

#include "limen/error.h"

namespace limen::cli {
namespace {
constexpr int end_of_input = std::istream::traits_type::eof();
}  // namespace

std::optional<std::vector<std::string>> CsvReader::next() {
  if (record_line_ == 0)
    for (const char mark : {'\xEF', '\xBB', '\xBF'})
      if (stream_.peek() == static_cast<unsigned char>(mark)) stream_.get();
  while (stream_.peek() != end_of_input) {
    std::vector<std::string> fields(1);
    record_line_ = line_;
    if (read_record(fields)) return fields;
  }
  return std::nullopt;
}

/// Fills `fields` (one empty field) up to the end of the record; false for a blank line.
bool CsvReader::read_record(std::vector<std::string>& fields) {
  bool quoted = false;
  for (int c = stream_.get(); c != end_of_input; c = stream_.get()) {
    if (c == '\r' && stream_.peek() == '\n') continue;
    if (c == '\n') {
      ++line_;
      break;
    }
    if (c == ',') {
      fields.emplace_back();
      quoted = false;
    } else if (quoted) {
      throw Error(fmt::format("expected a comma or a line end after a closing quote, got '{}'", static_cast<char>(c)));
    } else if (c == '"' && fields.back().empty()) {
      fields.back() = read_quoted();
      quoted = true;
    } else {
      fields.back() += static_cast<char>(c);
    }
  }
  return fields.size() > 1 || fields.back().find_first_not_of(" \t") != std::string::npos;
}

/// What stands between an opening quote, already read, and its closing one.
std::string CsvReader::read_quoted() {
  std::string text;
  for (int c = stream_.get(); c != end_of_input; c = stream_.get()) {
    if (c == '"') {
      if (stream_.peek() != '"') return text;
      stream_.get();
    }
    line_ += c == '\n';
    text += static_cast<char>(c);
  }
  throw Error("expected a closing quote, got the end of the file");
}

}  // namespace limen::cli
