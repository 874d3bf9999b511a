// Part of limen. SPDX-License-Identifier: MIT
#include "io/law_file.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/files.h"
#include "limen/digits.h"
#include "limen/error.h"

namespace limen::io {
namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  return first == text.npos ? text.substr(0, 0) : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// The fields of a line: between commas where it has any, else between blanks.
std::vector<std::string_view> split(std::string_view line) {
  const std::string_view separators = line.find(',') == line.npos ? blanks : ",";
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find_first_of(separators, begin), line.size());
    if (separators == "," || end > begin) fields.push_back(trimmed(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return fields;
}

std::optional<double> number(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  return whole ? std::optional(value) : std::nullopt;
}

/// Words begin with a letter: a slip such as "0.1x" must not pass for a title.
bool is_title(std::string_view field) {
  return !field.empty() && std::isalpha(static_cast<unsigned char>(field[0])) != 0 && !number(field);
}

/// A field for a message: short, and nothing in it that a terminal would obey.
std::string shown(std::string_view field) {
  constexpr std::size_t most = 40;
  std::string text(field.substr(0, most));
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
  return "'" + text + (field.size() > most ? "..." : "") + "'";
}

class LawReader {
 public:
  explicit LawReader(std::string_view where) : where_(where) {}

  void read(std::string_view line) {
    ++line_;
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) return;
    const std::vector<std::string_view> fields = split(line);
    if (!std::exchange(begun_, true) && is_title(fields[0])) return;
    add(fields);
  }

  EmpiricalLaw law() {
    if (lines_.empty()) throw Error(where_ + ": expected numbers, got none; try one sample of the threshold a line");
    if (columns_ == 1) return of_samples();
    const laws::Empirical::Fault fault = laws::Empirical::fault(first_, second_);
    if (!fault.expected.empty()) {
      line_ = lines_[fault.row];
      fail("expected " + std::string(fault.expected) + ", got level " + shortest(first_[fault.row]) +
           " with quantile " + shortest(second_[fault.row]));
    }
    return std::make_shared<laws::Empirical>(std::move(first_), std::move(second_));
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(where_ + ", line " + std::to_string(line_) + ": " + what);
  }

  void add(const std::vector<std::string_view>& fields) {
    if (columns_ == 0 && fields.size() <= 2) columns_ = fields.size();
    if (fields.size() != columns_)
      fail("expected " +
           (columns_ == 1   ? std::string("one number, a sample, as above")
            : columns_ == 2 ? std::string("two numbers, a level and its quantile, as above")
                            : std::string("one number (a sample) or two (a level and its quantile)")) +
           ", got " + std::to_string(fields.size()));
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const std::optional<double> value = number(fields[i]);
      if (!value) fail("expected a number, got " + shown(fields[i]));
      (i == 0 ? first_ : second_).push_back(*value);
    }
    lines_.push_back(line_);
  }

  EmpiricalLaw of_samples() {
    for (std::size_t i = 0; i < first_.size(); ++i) {
      line_ = lines_[i];
      if (!(std::abs(first_[i]) < widest)) fail("expected a sample between -1e24 and 1e24, got " + shortest(first_[i]));
    }
    if (first_.size() < 2) fail("expected at least two samples, got one");
    return std::make_shared<laws::Empirical>(laws::Empirical::of_samples(std::move(first_)));
  }

  std::string where_;
  std::size_t line_ = 0, columns_ = 0;
  bool begun_ = false;
  std::vector<double> first_, second_;
  std::vector<std::size_t> lines_;  // on which the numbers stand
};

}  // namespace

EmpiricalLaw parse_law(std::string_view text, std::string_view where) {
  if (constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF"; text.starts_with(byte_order_mark))
    text.remove_prefix(byte_order_mark.size());
  LawReader reader(where);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.read(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.law();
}

EmpiricalLaw read_law(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path))
    throw Error("empirical: expected a file with samples or quantiles, got " + path.string() +
                ", which does not exist");
  return parse_law(read_file(path), path.string());
}

NameAndLaw read_law_in(std::string_view name) {
  constexpr std::string_view opening = "empirical(";
  const std::size_t begin = name.find(opening);
  // Each parenthesis that opens before, as in gated(empirical(FILE)), closes behind.
  const auto around = static_cast<std::size_t>(std::ranges::count(name.substr(0, begin), '('));
  const std::size_t end = name.size() - std::min(name.size(), around + 1);
  if (begin == name.npos || end < begin + opening.size() || name.find_first_not_of(')', end) != name.npos)
    return {std::string(name), nullptr};
  const std::string_view file = name.substr(begin + opening.size(), end - begin - opening.size());
  return {std::string(name.substr(0, begin)) + "empirical" + std::string(name.substr(end + 1)), read_law(file)};
}

}  // namespace limen::io
