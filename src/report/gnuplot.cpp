// Part of limen. SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "figures/gnuplot.h"
#include "io/error.h"
#include "io/json.h"
#include "report/figures.h"

namespace limen::report {
namespace {

namespace fs = std::filesystem;
using figures::in_quotes;

constexpr std::string_view settings = R"(set grid ytics lt 1 lw 0.5 lc rgb '#88888866'
set style fill transparent solid 0.15 noborder
set format x '%.0f'
set xlabel 'iteration' offset 0,0.4
)";

std::string data_block(const Series& series, std::size_t index) {
  std::string text = fmt::format("$data{} << END\n", index);
  for (const SeriesPoint& point : series.points)
    text += fmt::format("{} {} {} {}\n", io::shortest(point.x), io::shortest(point.mean), io::shortest(point.low),
                        io::shortest(point.high));
  return text + "END\n";
}

// The sheet grows with the legend below the plot, so that the plot keeps its size. It is small with large letters: a
// phone shows the whole picture in the width of a hand.
std::string sheet(const Figure& figure) {
  std::size_t longest = 0;
  for (const Series& series : figure.series) longest = std::max(longest, series.label.size());
  const std::size_t columns = longest <= 24 ? 2 : 1, rows = (figure.series.size() + columns - 1) / columns;
  return fmt::format(
      "set term svg size 560,{} font 'sans-serif,15' background '#ffffff' noenhanced\n"
      "set key below center vertical Left reverse maxrows {} samplen 1.6 spacing 1.2\n",
      360 + 22 * rows, rows);
}

/// Of whole iterations; 0 where there is no room for a step.
double iteration_step(const Figure& figure) {
  double last = 0;
  for (const Series& series : figure.series) last = std::max(last, series.points.back().x);
  return last > 1 ? std::max(1.0, figures::tic_step(last, 5)) : 0;
}

}  // namespace

std::string gnuplot_script(const Figure& figure, const fs::path& file) {
  std::string text = std::string(figures::frame).append(settings) + sheet(figure);
  text += fmt::format("set output {}\n", in_quotes(file.string()));
  if (const double step = iteration_step(figure); step > 0) text += fmt::format("set xtics {}\n", io::shortest(step));
  text += fmt::format("set ylabel {}\n", in_quotes(figure.y_label));
  if (figure.y_top > 0) text += fmt::format("set yrange [*:{}]\n", io::shortest(figure.y_top));
  std::string bands, lines;
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    const Series& series = figure.series[i];
    const figures::Look& look = figures::look(static_cast<std::size_t>(series.color));
    text += data_block(series, i);
    bands += fmt::format("$data{} using 1:3:4 with filledcurves lc rgb '{}' notitle, \\\n  ", i, look.color);
    lines += fmt::format(", \\\n  $data{} using 1:2 with linespoints lw 2 pt {} ps 0.6 lc rgb '{}' title {}", i,
                         look.marker, look.color, in_quotes(series.label));
  }
  // Bands first, so that no band hides a line.
  return text + "plot " + bands + (figure.zero_line ? "0 lw 1 lc rgb '#888888' notitle" : "1/0 notitle") + lines + "\n";
}

std::string draw(const std::vector<Figure>& figures, const fs::path& folder) {
  fs::remove_all(folder);
  if (figures.empty()) return "";
  fs::create_directories(folder);
  std::string script;
  for (const Figure& figure : figures)
    script += gnuplot_script(figure, folder / (figure.name + ".svg")) + "unset output\nreset\n";
  try {
    figures::run_gnuplot(script, folder);
  } catch (const io::SystemError& error) {
    fs::remove_all(folder);
    return fmt::format("The figures are missing: {}. `limen study report` draws them anew.", error.what());
  }
  return "";
}

}  // namespace limen::report
