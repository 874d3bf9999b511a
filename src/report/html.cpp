// Part of limen. SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "io/files.h"
#include "report/content.h"
#include "report/render.h"
#include "report/style.h"

namespace limen::report {
namespace {

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
}

// Removes every <tag>...</tag>.
void remove_elements(std::string& text, std::string_view tag) {
  const std::string open = fmt::format("<{}>", tag), close = fmt::format("</{}>", tag);
  for (std::size_t from; (from = text.find(open)) != std::string::npos;) {
    const std::size_t to = text.find(close, from);
    text.erase(from, to == std::string::npos ? to : to + close.size() - from);
  }
}

std::string section(std::string_view title, const std::string& body) {
  return body.empty() ? "" : fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", escape_html(title), body);
}

std::string list(const std::vector<std::string>& lines, std::string_view kind = "") {
  std::string text;
  for (const std::string& line : lines) text += fmt::format("<li>{}</li>\n", escape_html(line));
  return text.empty() ? "" : fmt::format("<ul class=\"{}\">\n{}</ul>\n", kind, text);
}

std::string paragraph(std::string_view text, std::string_view kind) {
  return fmt::format("<p class=\"{}\">{}</p>\n", kind, escape_html(text));
}

std::string details(std::string_view title, const std::string& body) {
  return body.empty() ? "" : fmt::format("<details>\n<summary>{}</summary>\n{}</details>\n", escape_html(title), body);
}

std::string table_or_nothing(const Table& table) { return table.rows.empty() ? "" : as_html(table); }

std::string figure_parts(const std::vector<Figure>& figures, const std::filesystem::path& folder) {
  std::string text;
  for (const Figure& figure : figures) {
    const std::string svg = io::read_file(folder / (figure.name + ".svg"));
    text += fmt::format("<figure>\n<h3>{}</h3>\n{}<figcaption>{}</figcaption>\n</figure>\n", escape_html(figure.title),
                        inline_svg(svg, figure.name + "-", figure.title), escape_html(figure.caption));
  }
  return text.empty() ? "" : "<div class=\"figures\">\n" + text + "</div>\n";
}

std::string published_section(const Summary& summary) {
  const std::string table = table_or_nothing(published_table(summary));
  if (table.empty()) return "";
  const study::Published& published = *summary.plan->study.published;
  std::string text = paragraph(fmt::format("{} (n = {}).", published.source, published.n), "lead");
  return section("Beside published values", text + table);
}

}  // namespace

std::string inline_svg(std::string_view file, const std::string& prefix, const std::string& label) {
  std::string svg(file.substr(std::min(file.find("<svg"), file.size())));
  remove_elements(svg, "title");
  remove_elements(svg, "desc");
  for (const char* reference : {"id='", "id=\"", "href='#", "href=\"#", "url(#"})
    replace_all(svg, reference, reference + prefix);
  const std::size_t size = svg.find("width="), box = svg.find("viewBox=");
  if (size < box && box != std::string::npos) svg.erase(size, box - size);
  replace_all(svg, "<svg", fmt::format("<svg role=\"img\" aria-label=\"{}\"", escape_html(label)));
  return svg;
}

std::string html_page(const Summary& summary, const std::vector<Figure>& figures,
                      const std::filesystem::path& figure_folder, const std::string& note) {
  const study::Plan& plan = *summary.plan;
  std::string body = fmt::format("<header>\n<h1>{}</h1>\n", escape_html(plan.study.title));
  body += paragraph(fmt::format("Study {}: {} arms, {} seeds, {} of {} cells done.", plan.study.name, plan.arms.size(),
                                plan.seeds.size(), summary.done(), plan.cells.size()),
                    "lead");
  for (const std::string& notice : notices(summary)) body += paragraph(notice, "notice");
  body += "</header>\n<main>\n";
  body += section("Results", as_html(main_table(summary)) + list(comparisons(summary), "says"));
  body += section("Curves", note.empty() ? figure_parts(figures, figure_folder) : paragraph(note, "notice"));
  body += section("Not done", table_or_nothing(unfinished_table(summary)));
  body += published_section(summary);
  body += section("How to read this", list(method(summary)));
  body +=
      section("Details", details("Every cell", table_or_nothing(cells_table(summary))) +
                             details("Where it ran", list(summary.machines)) +
                             details("The study file", fmt::format("<pre>{}</pre>\n", escape_html(plan.study.text))));
  body += "</main>\n";
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n"
      "<style>\n{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
      escape_html(plan.study.title), page_style, body);
}

}  // namespace limen::report
