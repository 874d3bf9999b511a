// Part of limen. SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "cli/shell.h"

namespace limen::test {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; at += part.size()) ++found;
  return found;
}

bool has_gnuplot() { return sh("command -v gnuplot").status == 0; }
#define NEED_GNUPLOT() \
  if (!has_gnuplot()) GTEST_SKIP() << "gnuplot is not here"

/// The picture that the arguments ask for.
std::string draw(const std::string& arguments, const std::string& name = "x.svg") {
  const TemporaryFolder folder;
  const Result result = sh("cd '" + folder.path().string() + "' && limen plot " + arguments + " -o " + name);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out + result.err, "");
  const auto files = std::distance(std::filesystem::directory_iterator(folder.path()), {});
  EXPECT_EQ(files, 1) << "left beside the picture";
  return read(folder / name);
}

TEST(Plot, DrawsLinesPanelsTitlesAndLegends) {
  NEED_GNUPLOT();
  const std::string svg =
      draw("gelu 'uelu(beta=0.5)' + gelu:slope 'silu:slope=my *a* & b' --title 'First *z*' --title Second");
  EXPECT_EQ(count(svg, "<g id=\"gnuplot_plot_"), 4u);
  for (const char* const text : {"<title>GELU</title>", "\u03b2", "First ", "Second", "my ", "&amp; b", "slope "})
    EXPECT_TRUE(contains(svg, text)) << text;
  EXPECT_FALSE(contains(svg, "*"));
}

TEST(Plot, LegendsSayTheQuantityOnlyWhereTheAxisDoesNot) {
  NEED_GNUPLOT();
  EXPECT_TRUE(contains(draw("gelu gelu:gate"), "<title>gate of GELU</title>"));
  EXPECT_FALSE(contains(draw("silu:gate gelu:gate"), "gate of"));
  EXPECT_TRUE(contains(draw("'uelu(beta=2):d/beta' gelu"), "slope in "));
  EXPECT_TRUE(contains(draw("gelu gelu:density_slope"), "<title>slope of the density of GELU</title>"));
}

TEST(Plot, TextStandsForItself) {
  NEED_GNUPLOT();
  const std::string svg = draw("\"gelu=it's {a}_b^c @d ~e \\\\f 2*3\"");
  EXPECT_TRUE(contains(svg, "it's {a}_b^c @d ~e \\f 2*3") || contains(svg, "it&apos;s {a}_b^c @d ~e \\f 2*3")) << svg;
}

TEST(Plot, TheAxisKeepsItsLabelBesideWideNumbers) {
  NEED_GNUPLOT();
  for (const char* const curve :
       {"gelu:gate", "gelu:slope", "gelu:density", "gelu:correction", "'uelu(beta=1e-4):density'"})
    EXPECT_EQ(count(draw(curve), "rotate(270)"), 1u) << curve;
}

TEST(Plot, JumpsOfALawGivenAsDataAreGapsHoweverManySamples) {
  NEED_GNUPLOT();
  const TemporaryFolder folder;
  std::string samples;
  for (int i = 0; i < 300; ++i) samples += "0.5\n" + std::to_string(-1 + i * 0.01) + "\n";
  write(folder / "ties.txt", samples);
  const std::string curve = "'empirical(" + (folder / "ties.txt").string() + "):gate'";
  EXPECT_EQ(count(draw(curve + " --from -2 --to 3"), "M"), count(draw("'relu:gate' --from -2 --to 3"), "M"));
  EXPECT_TRUE(contains(draw(curve + " " + curve), "(ties.txt)")) << "the legend names the file";
}

TEST(Plot, EndingsNameTheFormat) {
  NEED_GNUPLOT();
  EXPECT_TRUE(draw("gelu", "x.pdf").starts_with("%PDF"));
  EXPECT_TRUE(draw("gelu", "x.png").starts_with("\x89PNG"));
}

TEST(Plot, JumpsAreGaps) {
  NEED_GNUPLOT();
  const auto moves = [](const std::string& svg) {  // of the pen, in the curve's own path
    const std::size_t path = svg.find("stroke='rgb( 59", svg.find("gnuplot_plot_1"));
    return count(svg.substr(path, svg.find("/>", path) - path), "M");
  };
  EXPECT_EQ(moves(draw("gelu:slope")), 1u + 1u);  // one for the legend's sample
  EXPECT_EQ(moves(draw("uelu:slope")), 3u + 1u);
  EXPECT_EQ(moves(draw("relu:gate")), 2u + 1u);
}

TEST(Plot, ReplacesWhatWasThereAndMakesFolders) {
  NEED_GNUPLOT();
  const TemporaryFolder folder;
  const std::string file = (folder / "new" / "x.svg").string();
  write(file, "old");
  EXPECT_EQ(sh("limen plot gelu -o " + file).status, 0);
  EXPECT_TRUE(read(file).starts_with("<?xml"));
}

TEST(Plot, WrongUsageIsOneHelpfulLine) {
  const struct {
    std::string arguments, said;
  } all[] = {
      {"gelu", "--out is required"},
      {"gelu -o x.jpg", "ends in .svg, .pdf or .png, got x.jpg"},
      {"-o x.svg", "CURVE is required"},
      {"gelu:gat -o x.svg", "got 'gat'; try 'gate'"},
      {"gelu_tanh:loss -o x.svg", "expected one of value, slope, curvature, gate, density, density_slope, which"},
      {"gem:d/N -o x.svg", "got 'd/N'"},
      {"'uelu(beta=-1)' -o x.svg", "beta > 0"},
      {"gleu -o x.svg", "gelu"},
      {"gelu= -o x.svg", "the label of gelu: expected a text"},
      {"gelu --title \"$(printf 'a\\nsystem(\"touch here\")')\" -o x.svg", "--title: expected one line of UTF-8"},
      {"\"$(printf 'gelu=x\\001')\" -o x.svg", "another byte at 2"},
      {"\"$(printf 'gelu=\\303\\050')\" -o x.svg", "one line of UTF-8"},
      {"gelu --from -1e308 --to 1e308 -o x.svg", "--from: expected a number between"},
      {"gelu + -o x.svg", "both sides of '+'"},
      {"gelu --title a --title b -o x.svg", "--title: expected at most one for each panel"},
      {"gelu --from 2 --to -2 -o x.svg", "well below --to, which is -2, got 2"},
      {"gelu --from 1 --to 1.000000001 -o x.svg", "well below"},
      {"gelu --from -inf -o x.svg", "between -1e300 and 1e300, got -inf"}};
  for (const auto& [arguments, said] : all) {
    const Result result = sh("limen plot " + arguments);
    EXPECT_EQ(result.status, 2) << arguments;
    EXPECT_TRUE(contains(result.err, said)) << arguments << ": " << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
}

TEST(Plot, SaysWhatTheMachineDoesNotGive) {
  const TemporaryFolder folder;
  const std::string there = "cd '" + folder.path().string() + "' && ";
  const Result no_gnuplot = sh(there + "l=$(command -v limen); PATH=/nowhere $l plot gelu -o x.svg");
  EXPECT_EQ(no_gnuplot.status, 1);
  EXPECT_EQ(no_gnuplot.err, "limen plot: gnuplot was not found; install it (Debian: gnuplot-nox).\n");
  const Result no_temporary = sh(there + "TMPDIR=/nowhere limen plot gelu -o x.svg");
  EXPECT_EQ(no_temporary.status, 1);
  EXPECT_TRUE(contains(no_temporary.err, "TMPDIR")) << no_temporary.err;
  NEED_GNUPLOT();
  const Result no_folder = sh(there + "limen plot gelu -o /proc/x.svg");
  EXPECT_EQ(no_folder.status, 1);
  EXPECT_TRUE(contains(no_folder.err, "cannot write /proc/x.svg")) << no_folder.err;
  // Every file ends at 4 KiB, as on a full disk: the old picture stays.
  write(folder / "x.svg", "old");
  const Result full = sh(there + "trap '' XFSZ; ulimit -f 4; limen plot gelu -o x.svg");
  EXPECT_EQ(full.status, 1);
  EXPECT_EQ(std::count(full.err.begin(), full.err.end(), '\n'), 1) << full.err;
  EXPECT_EQ(read(folder / "x.svg"), "old");
}

}  // namespace
}  // namespace limen::test
