// Part of limen. SPDX-License-Identifier: MIT
//
// A table of texts, and its three looks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace limen::report {

struct Column {
  std::string head;
  bool number = true;           ///< right-aligned
  bool aside = false;           ///< set apart: not part of what is compared (times, memory)
  std::string short_head = {};  ///< for the terminal; empty: head
};

struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;  ///< UTF-8; "" where there is nothing to show
};

/// For a terminal: ASCII but for labels, columns from the right left out until it fits `width`.
std::string as_text(const Table& table, std::size_t width);
std::string as_markdown(const Table& table);
std::string as_html(const Table& table);

/// The five characters that HTML minds are replaced.
std::string escape_html(std::string_view text);

}  // namespace limen::report
