// Part of limen. SPDX-License-Identifier: MIT
//
// The report's forms: the page, the Markdown text, the CSV files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "report/figures.h"
#include "report/summary.h"

namespace limen::report {

/// One page that needs nothing else; drawn figures are read from `figure_folder`.
std::string html_page(const Summary& summary, const std::vector<Figure>& figures,
                      const std::filesystem::path& figure_folder, const std::string& note);

/// Figures are linked as figures/NAME.svg.
std::string markdown_text(const Summary& summary, const std::vector<Figure>& figures, const std::string& note);

/// One row an arm, full precision, no times.
std::string table_csv(const Summary& summary);
/// One row a cell of the plan, full precision, no times.
std::string cells_csv(const Summary& summary);

/// A gnuplot SVG file as a part of a page: without its prolog, its titles and its fixed size, every id made unique by
/// `prefix`.
std::string inline_svg(std::string_view file, const std::string& prefix, const std::string& label);

}  // namespace limen::report
