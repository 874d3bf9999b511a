// Part of limen. SPDX-License-Identifier: MIT
//
// The published tables: Rossi, arXiv 2607.03664, Tables 1 and 2, and what is known of the laws beyond them.
#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "cli/csv.h"
#include "cli/shell.h"
#include "limen/evaluate.h"

namespace limen::test {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// "row/column" -> cell, rows named by column `key`.
std::map<std::string, std::string> cells(const std::string& arguments, std::size_t key) {
  const Result result = sh("limen table " + arguments + " --csv");
  EXPECT_EQ(result.status, 0) << result.err;
  std::stringstream stream(result.out);
  cli::CsvReader reader(stream);
  const auto head = *reader.next();
  std::map<std::string, std::string> all;
  while (const auto row = reader.next())
    for (std::size_t c = 0; c < head.size(); ++c) all[row->at(key) + '/' + head[c]] = row->at(c);
  return all;
}

TEST(Table, OneOfThePaper) {
  const auto table = cells("geometry gelu:loss=full gelu:centred=centred gelu", 0);
  const std::map<std::string, std::string> printed = {{"value at 0/full", "0.398942"},
                                                      {"value at 0/centred", "0"},
                                                      {"value at 0/gelu", "0"},
                                                      {"as z -> -inf/full", "0"},
                                                      {"as z -> -inf/centred", "-0.398942"},
                                                      {"as z -> -inf/gelu", "0"},
                                                      {"slope/full", "Phi(z)"},
                                                      {"slope/centred", "Phi(z)"},
                                                      {"slope/gelu", "Phi(z) + z phi(z)"},
                                                      {"as z -> inf/full", "z + o(1)"},
                                                      {"as z -> inf/gelu", "z + o(1)"},
                                                      {"as z -> inf/centred", "z - 0.398942 + o(1)"},
                                                      {"minimum/full", "none"},
                                                      {"minimum/centred", "none"},
                                                      {"minimum/gelu", "-0.169971 at z = -0.751792"}};
  for (const auto& [cell, text] : printed) EXPECT_EQ(table.at(cell), text) << cell;
}

TEST(Table, TwoOfThePaperAndTheOtherLaws) {
  const auto table = cells("laws", 1);
  const struct {
    const char *activation, *law, *loss, *variance, *entropy, *given;
  } rows[] = {
      {"ReLU", "point mass", "max(z, 0)", "0", "-inf", "-"},
      {"GELU", "normal", "z Phi(z) + phi(z)", "1", "ln(2 pi e) / 2", "the mean and the variance"},
      {"lambda-GELU", "normal", "z Phi(lambda z) + phi(lambda z) / lambda", "1 / lambda^2", "ln(2 pi e / lambda^2) / 2",
       "the mean and the variance"},
      {"GELU(mu, sigma)", "normal", "(z - mu) Phi(u) + sigma phi(u); u = (z - mu) / sigma", "sigma^2",
       "ln(2 pi e sigma^2) / 2", "the mean and the variance"},
      {"SiLU", "logistic", "log(1 + exp(slope z)) / slope", "pi^2 / (3 slope^2)", "2 - ln slope",
       "E ln cosh(slope T / 2) = 1 - ln 2"},
      {"UELU", "uniform", "0 for z <= -beta, else z for z >= beta, else (z + beta)^2 / (4 beta)", "beta^2 / 3",
       "ln(2 beta)", "the support"},
      {"hard swish", "uniform", "0 for z <= -3, else z for z >= 3, else (z + 3)^2 / 12", "3", "ln 6", "the support"},
      {"AQuLU", "uniform", nullptr, "1 / (12 a^2)", "-ln a", "the support"},
      {"ExpELU", "exponential", "z - (1 - exp(-lambda z)) / lambda for z > 0, else 0", "1 / lambda^2", "1 - ln lambda",
       "the mean, on [0, inf)"},
      {"IGLU", "Cauchy", "infinite", "inf", "ln(4 pi / sigma)", "E ln(1 + sigma^2 T^2) = ln 4"},
      {"IGLU-Approx", "two-sided Lomax", "infinite", "inf", "2 + ln(2 / sigma)", "E ln(1 + sigma |T|) = 1"},
      {"t2 transmission", "Student t, 2 degrees of freedom", "(z + sqrt(z^2 + b)) / 2", "inf", "3 - 2 ln 2 + ln(b) / 2",
       "E ln(1 + T^2 / b) = 2 - 2 ln 2"},
      {"GELU (tanh)", "tanh-normal", "no closed form", "0.998343", "1.41808", "-"},
      {"GEM", "log-logistic", "the integral of F from 0 to z", nullptr, "2 - ln(2N)",
       "E ln T and E ln(1 + T^(2N)) = 1"},
      {"E-GEM", "log-logistic", "the integral of F from 0 to z", nullptr, "2 - ln(2N) + ln(eps) / (2N)",
       "E ln T and E ln(1 + T^(2N) / eps) = 1"}};
  for (const auto& row : rows) {
    const std::string name = row.activation;
    EXPECT_EQ(table.at(name + "/law"), row.law);
    if (row.loss) {
      EXPECT_EQ(table.at(name + "/loss E(z - T)+"), row.loss);
    }
    if (row.variance) {
      EXPECT_EQ(table.at(name + "/variance"), row.variance) << name;
    }
    EXPECT_EQ(table.at(name + "/entropy"), row.entropy) << name;
    EXPECT_EQ(table.at(name + "/entropy largest given"), row.given) << name;
  }
  EXPECT_EQ(table.at("IGLU/mean"), "none");
  EXPECT_EQ(table.at("GELU(mu, sigma)/mean"), "mu");
}

TEST(Table, GeometryOfOtherFunctions) {
  const auto table = cells("geometry 'uelu(beta=2)' iglu iglu:centred 'leaky_relu(alpha=0.25)' mish softplus", 0);
  EXPECT_EQ(table.at("minimum/uelu(beta=2)"), "-0.25 at z = -1");
  EXPECT_EQ(table.at("minimum/mish"), "-0.308843 at z = -1.19243");
  EXPECT_EQ(table.at("as z -> -inf/iglu"), "-0.31831");
  EXPECT_EQ(table.at("as z -> inf/iglu"), "z - 0.31831 + o(1)");
  EXPECT_EQ(table.at("as z -> -inf/iglu:centred"), "-inf");
  EXPECT_EQ(table.at("as z -> inf/iglu:centred"), "z + o(z)");
  EXPECT_EQ(table.at("as z -> -inf/leaky_relu(alpha=0.25)"), "0.25 z + o(1)");
  const auto near = cells("geometry 'leaky_relu(alpha=0.99995)' 'leaky_relu(alpha=0.00005)' gelu:density_slope", 0);
  EXPECT_EQ(near.at("as z -> -inf/leaky_relu(alpha=0.99995)"), "0.99995 z + o(1)");
  EXPECT_EQ(near.at("as z -> -inf/leaky_relu(alpha=0.00005)"), "5e-05 z + o(1)");
  EXPECT_EQ(near.at("slope/gelu:density_slope"), "f''(z)");
  EXPECT_EQ(table.at("value at 0/softplus"), "0.693147");
}

TEST(Table, HasFourLooks) {
  const std::string command = "limen table geometry gelu:loss gelu";
  EXPECT_TRUE(contains(sh(command).out, "as z -> -inf  0"));
  EXPECT_TRUE(contains(sh(command + " --markdown").out, "| value at 0 | 0.398942 | 0 |"));
  EXPECT_TRUE(contains(sh(command + " --csv").out, "value at 0,0.398942,0\n"));
  const std::string latex = sh(command + " --latex").out;
  EXPECT_TRUE(contains(latex, "value at 0 & $0.398942$ & $0$ \\\\\n")) << latex;
  EXPECT_TRUE(contains(latex, "as z $\\to$ -$\\infty$ & $0$ & $0$")) << latex;
  EXPECT_TRUE(contains(latex, "$\\Phi(z) + z \\varphi(z)$")) << latex;
  const std::string laws = sh("limen table laws --latex").out;
  EXPECT_TRUE(contains(laws, "$\\pi^2 / (3 \\mathrm{slope}^2)$")) << laws;
  EXPECT_TRUE(contains(laws, "\\sqrt{z^2 + b}")) << laws;
  EXPECT_TRUE(contains(laws, "$\\lambda$-GELU")) << laws;
  EXPECT_TRUE(contains(laws, "z^{2N}")) << laws;
  EXPECT_TRUE(contains(laws, "\\exp(-\\mathrm{slope}\\,z)")) << laws;
  EXPECT_TRUE(contains(laws, "\\log(1 + \\exp(\\mathrm{slope}\\,z)) / \\mathrm{slope}$")) << laws;
  // Words are no formulas.
  EXPECT_TRUE(contains(laws, " & infinite & none & $\\infty$ & $\\ln(4 \\pi / \\sigma)$ & $E \\ln(1 + ")) << laws;
  EXPECT_TRUE(contains(laws, "& the mean, on [0, inf) \\\\\n") || contains(laws, "& the mean, on [0, $\\infty$) "))
      << laws;
  EXPECT_TRUE(contains(laws, "& the integral of F from 0 to z & ")) << laws;
}

TEST(Table, TooWideForATerminalIsARowAParagraph) {
  const std::string text = sh("limen table laws").out;
  EXPECT_TRUE(contains(text, "\nactivation             SiLU\n")) << text;
  const std::string shapes = sh("limen table geometry gelu uelu iglu silu").out;
  EXPECT_TRUE(contains(shapes, "\nfunction      iglu\nvalue at 0    0\nas z -> -inf  -0.31831\n")) << shapes;
  EXPECT_TRUE(contains(text, "\nvariance               beta^2 / 3\n")) << text;
}

TEST(Table, WrongUsageIsOneHelpfulLine) {
  const struct {
    std::string arguments, said;
  } all[] = {{"", "expected a verb"},
             {"lwas", "try 'laws'"},
             {"geometry", "CURVE is required"},
             {"geometry gelu --csv --latex", "excludes"},
             {"geometry relu:density", "expected one of"}};
  for (const auto& [arguments, said] : all) {
    const Result result = sh("limen table " + arguments);
    EXPECT_EQ(result.status, 2) << arguments;
    EXPECT_TRUE(contains(result.err, said)) << arguments << ": " << result.err;
    EXPECT_EQ(result.out, "");
  }
}

}  // namespace
}  // namespace limen::test
