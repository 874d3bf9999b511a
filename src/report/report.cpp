// Part of limen. SPDX-License-Identifier: MIT
#include "report/report.h"

#include <algorithm>

#include "io/files.h"
#include "report/content.h"
#include "report/figures.h"
#include "report/render.h"

namespace limen::report {

Files write(const study::Plan& plan) {
  const Summary summary = summarize(plan);
  const std::filesystem::path folder = plan.out / "report";
  const std::vector<Figure> curves = figures(summary);
  Files files{folder / "report.html", folder / "report.md", folder / "table.csv", folder / "cells.csv", {}, ""};
  files.note = draw(curves, folder / "figures");
  if (files.note.empty())
    for (const Figure& figure : curves) files.figures.push_back(folder / "figures" / (figure.name + ".svg"));
  io::write_file(files.table, table_csv(summary));
  io::write_file(files.cells, cells_csv(summary));
  io::write_file(files.markdown, markdown_text(summary, curves, files.note));
  io::write_file(files.html, html_page(summary, curves, folder / "figures", files.note));
  return files;
}

std::string terminal_table(const study::Plan& plan, int columns) {
  const Summary summary = summarize(plan);
  std::string text;
  for (const std::string& notice : notices(summary)) text += notice + "\n";
  if (!text.empty()) text += "\n";
  text += as_text(main_table(summary, Call::by_name), static_cast<std::size_t>(std::max(columns, 40)));
  if (columns >= legend_width)
    for (const std::string& line : legend(summary)) text += line + "\n";
  const std::vector<std::string> sentences = comparisons(summary);
  if (!sentences.empty()) text += "\n";
  for (const std::string& sentence : sentences) text += sentence + "\n";
  for (const study::CellStatus& cell : summary.unfinished)
    if (!cell.reason.empty())
      text += cell.cell->arm + " seed " + std::to_string(cell.cell->seed) + " " + std::string(io::name(cell.state)) +
              ": " + cell.reason + "\n";
  return text;
}

}  // namespace limen::report
