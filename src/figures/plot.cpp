// Part of limen. SPDX-License-Identifier: MIT
#include "figures/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "figures/gnuplot.h"
#include "figures/legend.h"
#include "io/error.h"
#include "io/files.h"
#include "limen/error.h"

namespace limen::figures {
namespace {

namespace fs = std::filesystem;

// Lengths are in the height of a letter, so that the formats differ by one factor.
constexpr double panel_width = 26, panel_height = 18;
constexpr double most_steps = 6;  // of an axis
constexpr double right = 1.2, bottom = 4.1;

struct Format {
  std::string_view ending;
  std::string_view terminal;  ///< {0} and {1}: width and height
  double unit;                ///< of width and height, a letter
  double key_spacing;         ///< that puts the legend's rows 1.35 letters apart
  std::string_view last;      ///< a whole file ends so, but for white space
};
// The cairo terminals draw a font of n points 4 n / 3 units high: 6 are the 8 points of a letter, 22.5 its 30 pixels.
constexpr Format formats[] = {
    {".svg", "svg size {0:.0f},{1:.0f} font 'sans-serif,15' background '#ffffff'", 15, 0.9, "</svg>"},
    {".pdf", "pdfcairo size {0:.4f}in,{1:.4f}in font 'sans-serif,6' fontscale 1 linewidth 0.9 dashlength 1.4", 8.0 / 72,
     1.1, "%%EOF"},
    {".png", "pngcairo size {0:.0f},{1:.0f} font 'sans-serif,22.5' fontscale 1 linewidth 2 dashlength 1.6", 30, 1.2,
     "IEND\xae\x42\x60\x82"}};

const Format& format_of(const fs::path& file) {
  for (const Format& format : formats)
    if (file.extension() == format.ending) return format;
  throw Error(fmt::format("expected a file that ends in .svg, .pdf or .png, got {}", file.string()));
}

/// Text to gnuplot's enhanced text, for single quotes.
std::string marked_up(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t end = text[i] == '*' ? text.find('*', i + 1) : text.npos;
    if (end != text.npos) {
      out += "{/:Italic " + marked_up(text.substr(i + 1, end - i - 1)) + '}';
      i = end;
    } else {
      if (text[i] == '\'') out += '\'';
      if (text[i] == '\n') {  // would end the command, and what follows would be another
        out += ' ';
        continue;
      }
      if (std::string_view("\\{}^_@&~").find(text[i]) != std::string_view::npos) out += '\\';
      out += text[i];
    }
  }
  return out;
}

/// What is drawn in a panel, and its range of y.
struct Drawn {
  const Panel& panel;
  std::vector<std::vector<Stroke>> lines;
  double low = 0, high = 1;
  Legend legend;
};

Drawn prepare(const Panel& panel, double from, double to) {
  Drawn drawn{panel, {}, {}, {}, {}};
  std::vector<std::string> labels;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Line& line : panel.lines) {
    labels.push_back(line.label);
    for (const Stroke& stroke : drawn.lines.emplace_back(strokes(line.curve, from, to)))
      for (const Point& point : stroke) low = std::min(low, point.y), high = std::max(high, point.y);
  }
  if (!(low <= high))
    throw Error(fmt::format(
        "expected a curve with finite values between {:.6g} and {:.6g}, got none; try another range", from, to));
  const double margin = high > low ? 0.04 * (high - low) : 1;
  drawn.low = low - margin, drawn.high = high + margin;
  drawn.legend = place_legend(labels, drawn.lines, {from, to, drawn.low, drawn.high}, panel_width, panel_height);
  drawn.high += drawn.legend.room * (drawn.high - drawn.low);
  return drawn;
}

std::string data_blocks(const std::vector<std::vector<Stroke>>& lines, std::size_t panel) {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += fmt::format("$data{}_{} << END\n", panel, i);
    for (const Stroke& stroke : lines[i]) {
      for (const Point& point : stroke) text += fmt::format("{:.7g} {:.7g}\n", point.x, point.y);
      text += "\n";  // lifts the pen
    }
    text += "END\n";
  }
  return text;
}

/// Everything of a panel but its place on the sheet.
std::string panel_program(const Drawn& drawn, std::size_t panel, double from, double to) {
  std::string text =
      fmt::format("set xrange [{:.9g}:{:.9g}]\nset yrange [{:.9g}:{:.9g}]\n", from, to, drawn.low, drawn.high);
  text += fmt::format("set xtics {:.9g}\nset ytics {:.9g}\n", tic_step(to - from, most_steps),
                      tic_step(drawn.high - drawn.low, most_steps));
  text += fmt::format("set title '{}' offset 0,-0.6\nset ylabel '{}' offset 0.5,0\n", marked_up(drawn.panel.title),
                      marked_up(drawn.panel.y_label));
  text +=
      fmt::format("set key at graph {:.4f},{:.4f} left top Left reverse samplen 2.6\n", drawn.legend.x, drawn.legend.y);
  // The axis of y ends below the legend, through which it would strike.
  text += "unset arrow\n";
  if (from < 0 && to > 0)
    text += fmt::format("set arrow from 0, graph 0 to 0, graph {:.4f} nohead lw 0.8 lc rgb '#b8bcc2' back\n",
                        drawn.legend.free_height(-from / (to - from)));
  for (std::size_t i = 0; i < drawn.lines.size(); ++i)
    text += fmt::format("{}$data{}_{} with lines lw 2 dt {} lc rgb '{}' title '{}'", i == 0 ? "plot " : ", \\\n  ",
                        panel, i, look(i).dash, look(i).color, marked_up(drawn.panel.lines[i].label));
  return text + "\n";
}

/// The room that the numbers beside an axis of y take, and its label: gnuplot drops a label that has none.
double width_of_axis(const Drawn& drawn) {
  const double step = tic_step(drawn.high - drawn.low, most_steps);
  std::size_t longest = 1;
  for (double tic = std::ceil(drawn.low / step) * step; tic <= drawn.high; tic += step)
    longest = std::max(longest, fmt::format("{:.6g}", std::abs(tic) < step / 2 ? 0 : tic).size());
  return 2.4 + 0.6 * static_cast<double>(longest) + (drawn.panel.y_label.empty() ? 0 : 2.2);
}

/// Panels in one row of at most three, or in two rows.
struct Sheet {
  explicit Sheet(const std::vector<Drawn>& panels) {
    columns = panels.size() <= 3 ? panels.size() : (panels.size() + 1) / 2;
    rows = (panels.size() + columns - 1) / columns;
    for (const Drawn& drawn : panels) {
      if (!drawn.panel.title.empty()) top = 2.4;
      left = std::max(left, width_of_axis(drawn));
    }
    width = static_cast<double>(columns) * (left + panel_width + right);
    height = static_cast<double>(rows) * (top + panel_height + bottom);
  }
  std::string place(std::size_t panel) const {
    const double x = static_cast<double>(panel % columns) * (left + panel_width + right) + left;
    const double y = static_cast<double>(rows - 1 - panel / columns) * (top + panel_height + bottom) + bottom;
    return fmt::format(
        "set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\nset bmargin at screen {:.5f}\nset tmargin at "
        "screen {:.5f}\n",
        x / width, (x + panel_width) / width, y / height, (y + panel_height) / height);
  }

  std::size_t columns, rows;
  double left = 3.6, top = 0.8, width, height;
};

std::string program(const Plot& plot, const Format& format, const fs::path& file) {
  std::vector<Drawn> drawn;
  for (const Panel& panel : plot.panels) drawn.push_back(prepare(panel, plot.from, plot.to));
  const Sheet sheet(drawn);
  std::string text =
      fmt::format("set term {} enhanced\nset output {}\n",
                  fmt::format(fmt::runtime(format.terminal), sheet.width * format.unit, sheet.height * format.unit),
                  in_quotes(file.string()));
  text.append(frame).append(R"(set minussign
set xzeroaxis lt 1 lw 0.8 lc rgb '#b8bcc2'
set xlabel '{/:Italic z}' offset 0,0.45
)") += fmt::format("set key spacing {}\n", format.key_spacing);
  std::string panels;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    text += data_blocks(drawn[i].lines, i);
    panels += sheet.place(i) + panel_program(drawn[i], i, plot.from, plot.to);
  }
  return text + "set multiplot\n" + panels + "unset multiplot\nunset output\n";
}

/// A folder of this process alone, gone with the object.
class Workshop {
 public:
  Workshop() {
    std::error_code missing;
    const fs::path parent = fs::temp_directory_path(missing);
    std::string name = (parent / "limen-plot-XXXXXX").string();
    if (missing || !mkdtemp(name.data()))
      throw io::SystemError("cannot make a folder for temporary files; TMPDIR names where to");
    path = name;
  }
  ~Workshop() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  fs::path path;
};

}  // namespace

void expect_format(const fs::path& file) { format_of(file); }

void draw(const Plot& plot, const fs::path& file) {
  const Format& format = format_of(file);
  const Workshop workshop;
  const fs::path picture = workshop.path / "picture";
  run_gnuplot(program(plot, format, picture), workshop.path);
  const std::string content = io::read_file(picture);
  // gnuplot does not notice a full disk.
  if (!std::string_view(content).substr(0, content.find_last_not_of(" \n") + 1).ends_with(format.last))
    throw io::SystemError(fmt::format("gnuplot could not write the whole picture to {}", workshop.path.string()));
  io::write_file(file, content);
}

}  // namespace limen::figures
