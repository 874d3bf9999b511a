// Part of limen. SPDX-License-Identifier: MIT
#include "figures/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "cli/arguments.h"
#include "cli/curves.h"
#include "cli/verbs.h"
#include "limen/error.h"

namespace limen::cli {
namespace {

constexpr std::string_view next_panel = "+";

struct PlotArguments {
  std::vector<std::string> curves, titles;
  std::string file, from = "-4", to = "4";
};

double to_end(const std::string& text, std::string_view option) {
  const double end = to_number<double>(text, option);
  if (!(std::abs(end) <= 1e300))
    throw Error(fmt::format("{}: expected a number between -1e300 and 1e300, got {}", option, trim(text)));
  return end;
}

figures::Panel to_panel(const std::vector<NamedCurve>& curves, const std::string& title) {
  figures::Panel panel;
  panel.title = title;
  const bool mixed = std::ranges::any_of(curves, [&](const NamedCurve& c) { return c.quantity != curves[0].quantity; });
  if (!mixed) panel.y_label = axis_label(curves[0].quantity);
  for (const NamedCurve& curve : curves) panel.lines.push_back({curve.curve, legend(curve, mixed)});
  return panel;
}

std::vector<std::vector<NamedCurve>> to_panels(const std::vector<std::string>& arguments) {
  std::vector<std::vector<NamedCurve>> panels(1);
  for (const std::string& argument : arguments)
    if (argument == next_panel)
      panels.emplace_back();
    else
      panels.back().push_back(to_curve(argument));
  if (std::ranges::any_of(panels, [](const auto& panel) { return panel.empty(); }))
    throw Error("expected curves on both sides of '+', which begins another panel");
  return panels;
}

int run_plot(const PlotArguments& arguments) {
  figures::expect_format(arguments.file);
  figures::Plot plot;
  plot.from = to_end(arguments.from, "--from"), plot.to = to_end(arguments.to, "--to");
  // Narrower, and the digits of its points would not tell them apart.
  if (!(plot.to - plot.from > 1e-4 * std::max(std::abs(plot.from), std::abs(plot.to))))
    throw Error(
        fmt::format("--from: expected well below --to, which is {}, got {}", trim(arguments.to), trim(arguments.from)));
  const auto panels = to_panels(arguments.curves);
  if (arguments.titles.size() > panels.size())
    throw Error(fmt::format("--title: expected at most one for each panel, {} in all, got {}", panels.size(),
                            arguments.titles.size()));
  for (const std::string& title : arguments.titles) expect_line(title, "--title");
  for (std::size_t i = 0; i < panels.size(); ++i)
    plot.panels.push_back(to_panel(panels[i], i < arguments.titles.size() ? arguments.titles[i] : ""));
  figures::draw(plot, arguments.file);
  return 0;
}

}  // namespace

void add_plot(CLI::App& program, Verbs& verbs) {
  const auto arguments = std::make_shared<PlotArguments>();
  CLI::App& verb = add_verb(program, "plot", "A picture of functions: SVG, PDF or PNG");
  verb.add_option("CURVE", arguments->curves,
                  "NAME, NAME(k=v,...) or either with :QUANTITY and =LABEL; a + begins another panel")
      ->type_name("")
      ->required();
  verb.add_option("-o,--out", arguments->file, "FILE.svg, FILE.pdf or FILE.png")->type_name("FILE")->required();
  verb.add_option("--from", arguments->from, "left end (default: -4)")->type_name("Z");
  verb.add_option("--to", arguments->to, "right end (default: 4)")->type_name("Z");
  verb.add_option("--title", arguments->titles, "of a panel; may be repeated, from the left")
      ->allow_extra_args(false)
      ->type_name("TEXT");
  verb.footer(
      "QUANTITY is one that limen eval shows: value (default), slope, curvature, gate, density, density_slope, loss,\n"
      "centred, correction, or d/PARAMETER. In titles and labels *z* is set in italics.\n\n"
      "Examples:\n  limen plot gelu silu 'uelu(beta=1)' -o activations.svg\n"
      "  limen plot gelu:gate silu:gate + gelu:slope silu:slope --title Gates --title Slopes -o two.pdf\n"
      "  limen plot relu 'gelu:loss=the loss *E*(*z* - *T*)+' --from -3 --to 3 -o loss.png");
  verbs.push_back({&verb, [arguments] { return run_plot(*arguments); }});
}

}  // namespace limen::cli
