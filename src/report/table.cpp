// Part of limen. SPDX-License-Identifier: MIT
#include "report/table.h"

#include <fmt/format.h>

#include <algorithm>

namespace limen::report {
namespace {

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

std::string plain(const std::string& text) { return replaced(replaced(text, "\u00b1", "+-"), "\u2212", "-"); }

// Characters, not bytes.
std::size_t length(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string space(width - std::min(width, length(text)), ' ');
  return right ? space + text : text + space;
}

std::string without_end_spaces(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::string as_text(const Table& table, std::size_t width) {
  std::vector<std::string> heads;
  for (const Column& column : table.columns)
    heads.push_back(plain(column.short_head.empty() ? column.head : column.short_head));
  std::vector<std::size_t> widths;
  std::size_t total = 0;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::size_t widest = length(heads[c]);
    for (const auto& row : table.rows) widest = std::max(widest, length(plain(row[c])));
    total += widest + (c == 0 ? 0 : 2);
    if (c > 1 && total > width) break;
    widths.push_back(widest);
  }
  const auto line = [&](auto&& cell) {
    std::string text;
    for (std::size_t c = 0; c < widths.size(); ++c)
      text += fmt::format("{}{}", c == 0 ? "" : "  ", padded(plain(cell(c)), widths[c], table.columns[c].number));
    return without_end_spaces(text) + "\n";
  };
  std::string text = line([&](std::size_t c) { return heads[c]; });
  text += line([&](std::size_t c) { return std::string(widths[c], '-'); });
  for (const auto& row : table.rows) text += line([&](std::size_t c) { return row[c]; });
  return text;
}

std::string as_markdown(const Table& table) {
  std::string text = "|", rule = "|";
  for (const Column& column : table.columns) {
    text += fmt::format(" {} |", replaced(column.head, "|", "\\|"));
    rule += column.number ? " ---: |" : " --- |";
  }
  text += "\n" + rule + "\n";
  for (const auto& row : table.rows) {
    text += "|";
    for (const std::string& cell : row) text += fmt::format(" {} |", replaced(cell, "|", "\\|"));
    text += "\n";
  }
  return text;
}

std::string as_html(const Table& table) {
  const auto kind = [&](std::size_t c) {
    const Column& column = table.columns[c];
    const bool first = column.aside && (c == 0 || !table.columns[c - 1].aside);
    return fmt::format("{}{}{}", column.number ? "num" : "txt", column.aside ? " aside" : "", first ? " first" : "");
  };
  std::string text = "<div class=\"scroll\"><table>\n<thead><tr>";
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    text += fmt::format("<th class=\"{}\" scope=\"col\">{}</th>", kind(c), escape_html(table.columns[c].head));
  text += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    text += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c)
      text += c == 0 ? fmt::format("<th class=\"{}\" scope=\"row\">{}</th>", kind(c), escape_html(row[c]))
                     : fmt::format("<td class=\"{}\">{}</td>", kind(c), escape_html(row[c]));
    text += "</tr>\n";
  }
  return text + "</tbody>\n</table></div>\n";
}

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace limen::report
