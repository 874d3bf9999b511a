// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <istream>
#include <optional>
#include <string>
#include <vector>

namespace limen::cli {

/// Reads comma-separated records (RFC 4180): quoted fields may hold commas, line ends and doubled quotes; line ends are
/// LF or CRLF; blank lines are skipped; a byte order mark is dropped.
class CsvReader {
 public:
  explicit CsvReader(std::istream& stream) : stream_(stream) {}

  /// The next record, or nothing at the end. Throws limen::Error on a quote that is never closed or text after a
  /// closing one.
  std::optional<std::vector<std::string>> next();
  /// The line on which the latest record began, counted from 1.
  std::size_t line() const { return record_line_; }

 private:
  bool read_record(std::vector<std::string>& fields);
  std::string read_quoted();

  std::istream& stream_;
  std::size_t line_ = 1;
  std::size_t record_line_ = 0;
};

}  // namespace limen::cli
