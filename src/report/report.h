// Part of limen. SPDX-License-Identifier: MIT
//
// Tables, figures and the page of a study, made from its run folders alone. Equal folders give equal bytes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "study/plan.h"

namespace limen::report {

struct Files {
  std::filesystem::path html;  ///< one file, needs no network
  std::filesystem::path markdown;
  std::filesystem::path table;  ///< table.csv: one row an arm; no times in it
  std::filesystem::path cells;  ///< cells.csv: one row a cell; no times in it
  std::vector<std::filesystem::path> figures;
  std::string note;  ///< a sentence when figures are missing (gnuplot was not found); else empty
};

/// Writes plan.out/report/{report.html, report.md, table.csv, cells.csv, figures/*.svg}. Works for unfinished studies:
/// what is missing, failed or diverged is listed. For a folder: write(study::recorded_plan(folder)).
Files write(const study::Plan& plan);

/// The main table and what it says in words, as text for a terminal at most `columns` wide.
std::string terminal_table(const study::Plan& plan, int columns = 100);

}  // namespace limen::report
