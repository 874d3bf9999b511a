// Part of limen. SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "cli/shell.h"
#include "limen/evaluate.h"

namespace limen::test {
namespace {

constexpr const char* header =
    "activation,params,z,value,slope,curvature,gate,density,loss,centred,correction,param_slopes\n";

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> pieces;
  std::stringstream stream(text);
  for (std::string piece; std::getline(stream, piece, separator);) pieces.push_back(piece);
  if (text.ends_with(separator) && separator == ',') pieces.emplace_back();
  return pieces;
}

/// What lies below the range of double reads as 0.
double number(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// "row name" -> its cells, of the table that `limen eval NAME Z...` prints.
std::map<std::string, std::vector<std::string>> rows(const std::string& table) {
  std::map<std::string, std::vector<std::string>> rows;
  for (std::string line : split(table, '\n')) {
    if (line.starts_with("d/d ")) line[3] = '_';
    std::stringstream stream(line);
    std::string name, cell;
    stream >> name;
    while (stream >> cell) rows[name].push_back(cell);
  }
  return rows;
}

TEST(Eval, ShowsEveryQuantityAtEveryPoint) {
  const Result result = sh("limen eval uelu --set beta=1.25 -1 0.5");
  ASSERT_EQ(result.status, 0) << result.err;
  auto table = rows(result.out);
  const double beta = 1.25;
  for (std::size_t i = 0; i < 2; ++i) {
    const double z = i == 0 ? -1 : 0.5;
    const auto q = evaluate<double>(*find("uelu"), &beta, z);
    EXPECT_EQ(number(table["z"].at(i)), z);
    EXPECT_EQ(number(table["value"].at(i)), q.value);
    EXPECT_EQ(number(table["slope"].at(i)), q.slope);
    EXPECT_EQ(number(table["curvature"].at(i)), q.curvature);
    EXPECT_EQ(number(table["gate"].at(i)), *q.gate);
    EXPECT_EQ(number(table["density"].at(i)), *q.density);
    EXPECT_EQ(number(table["density_slope"].at(i)), *q.density_slope);
    EXPECT_EQ(number(table["loss"].at(i)), *q.loss);
    EXPECT_EQ(number(table["centred"].at(i)), *q.centred);
    EXPECT_EQ(number(table["correction"].at(i)), *q.correction);
    EXPECT_EQ(number(table["d/d_beta"].at(i)), q.parameter_slopes[0]);
  }
}

TEST(Eval, TakesEverySpellingOfANumber) {
  auto table = rows(sh("limen eval relu -1.5 -.5 +2 1e-3 inf -inf nan -nan -- -3").out);
  std::vector<std::string> points = table["z"];
  EXPECT_EQ(points, (std::vector<std::string>{"-1.5", "-0.5", "2", "0.001", "inf", "-inf", "nan", "nan", "-3"}));
  EXPECT_EQ(table["value"], (std::vector<std::string>{"0", "0", "2", "0.001", "inf", "0", "nan", "nan", "0"}));
}

TEST(Eval, OptionsMayFollowNegativePoints) {
  EXPECT_EQ(sh("limen eval uelu -1 -inf --set beta=2 -2").out, sh("limen eval uelu --set beta=2 -1 -inf -2").out);
}

TEST(Eval, SpellingsMeanTheirActivation) {
  EXPECT_EQ(sh("limen eval uelu3 -1 2").out, sh("limen eval hard_swish -1 2").out);
  EXPECT_EQ(sh("limen eval tuelu --set beta=0.7 -1 2").out, sh("limen eval uelu --set beta=0.7 -1 2").out);
}

TEST(Eval, TakesALawGivenAsData) {
  const TemporaryFolder folder;
  const std::string file = (folder / "thresholds.csv").string(), name = "'empirical(" + file + ")'";
  write(file, "level,quantile\n0,-1.25\n1,1.25\n");
  const auto same = [&](const std::string& options) {
    const Result of_data = sh("limen eval " + name + options), uniform = sh("limen eval uelu" + options);
    ASSERT_EQ(of_data.status, 0) << of_data.err;
    auto got = rows(of_data.out), want = rows(uniform.out);
    for (const char* row : {"value", "slope", "curvature", "gate", "density", "loss", "centred", "correction"})
      for (std::size_t i = 0; i < want[row].size(); ++i)
        EXPECT_NEAR(number(got[row].at(i)), number(want[row].at(i)), 2e-7) << row << options;
  };
  same(" -2 -1 0.5 3");
  same(" --dtype f32 -1 0.5");
  EXPECT_EQ(sh("limen eval " + name + " --path scalar 0.5").out, sh("limen eval " + name + " --dtype f32 0.5").out);
  const Result by_environment = sh("LIMEN_ISA=scalar limen eval " + name + " --dtype f32 0.5");
  EXPECT_EQ(by_environment.out, sh("limen eval " + name + " --path scalar 0.5").out) << by_environment.err;
  if (sh("limen --version").out.find("avx2") != std::string::npos) {
    EXPECT_EQ(sh("limen eval " + name + " --path avx2 0.5").err,
              "limen eval: --path: expected scalar for a law given as data, which has no kernels, got avx2; try scalar "
              "or torch.\n");
    EXPECT_EQ(sh("LIMEN_ISA=avx2 limen eval " + name + " --dtype f32 0.5").err,
              "limen eval: LIMEN_ISA: expected scalar for a law given as data, which has no kernels, got avx2; unset "
              "it or try --path scalar.\n");
  }
  const Result by_torch = sh("limen eval " + name + " --path torch 0.5");
  EXPECT_FLOAT_EQ(number(rows(by_torch.out)["value"].at(0)), 0.35F) << by_torch.err;
  const Result row = sh("printf 'activation,params,z\\n\"empirical(" + file + ")\",,0.5\\n' | limen eval --csv -");
  EXPECT_NE(row.out.find(",0.5,0.35,"), std::string::npos) << row.out << row.err;

  write(file, "1\n2\nwide\n");
  const std::pair<std::string, const char*> wrong[] = {
      {"limen eval " + name + " 1", "line 3"},
      {"limen eval 'empirical(/nowhere)' 1", "/nowhere, which does not exist"},
      {"limen eval empirical 1", "empirical(FILE)"},
      {"limen eval 'gated(silu)' 1", "takes two; try silu"}};
  for (const auto& [command, said] : wrong) {
    const Result result = sh(command);
    EXPECT_EQ(result.status, 2) << command;
    EXPECT_NE(result.err.find(said), std::string::npos) << command << ": " << result.err;
  }
}

TEST(Eval, SingleIsRoundedToSingle) {
  auto table = rows(sh("limen eval silu --dtype f32 0.1").out);
  const float slope = 1;
  const float value = evaluate<float>(*find("silu"), &slope, 0.1f).value;
  float read = 0;
  const std::string& text = table["value"].at(0);
  std::from_chars(text.data(), text.data() + text.size(), read);
  EXPECT_EQ(table["z"].at(0), "0.1");
  EXPECT_EQ(read, value);
}

// Narrow types round the point, compute in f32 and round what they store.
TEST(Eval, NarrowTypesRoundWhatTheyStore) {
  for (const char* const type : {"bf16", "f16"}) {
    const std::string dtype = std::string(" --dtype ") + type;
    auto core = rows(sh("limen eval uelu" + dtype + " 0.1 -3 1e-3").out);
    EXPECT_EQ(core["z"].at(1), "-3");
    EXPECT_NE(core["z"].at(0), "0.1");
    EXPECT_EQ(core["value"].at(1), "-0");
    for (const char* const path : {"scalar", "torch"}) {
      auto other = rows(sh("limen eval uelu --path " + std::string(path) + dtype + " 0.1 -3 1e-3").out);
      for (const char* const row : {"z", "value", "slope"}) EXPECT_EQ(other[row], core[row]) << type << ", " << path;
    }
  }
  auto half = rows(sh("limen eval identity --dtype bf16 0.1").out);
  EXPECT_EQ(half["value"].at(0), "0.100097656");
}

// The paths that this processor has agree where the kernels promise it: in every bit.
TEST(Eval, PathsAgree) {
  const auto said = [](const std::string& path) {
    return rows(sh("limen eval gelu_mu_sigma --set mu=0.25 --path " + path + " -3 -0.7 0.1 5").out);
  };
  auto scalar = said("scalar");
  EXPECT_EQ(scalar["value"].size(), 4u);
  EXPECT_EQ(scalar["gate"], (std::vector<std::string>{"-", "-", "-", "-"}));
  for (const char* const path : {"avx2", "avx512"}) {
    if (sh("limen --version").out.find(path) == std::string::npos) continue;
    for (const char* const row : {"value", "slope", "d/d_mu", "d/d_sigma"})
      EXPECT_EQ(said(path)[row], scalar[row]) << path;
  }
  for (const char* const row : {"value", "slope"}) EXPECT_EQ(said("torch")[row], scalar[row]) << row;
}

TEST(Eval, TheEnvironmentForcesAPath) {
  EXPECT_EQ(sh("LIMEN_ISA=scalar limen eval gelu --dtype f32 1").out, sh("limen eval gelu --path scalar 1").out);
  const Result wrong = sh("LIMEN_ISA=avx3 limen eval gelu --dtype f32 1");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_NE(wrong.err.find("LIMEN_ISA"), std::string::npos) << wrong.err;
}

Result csv(const std::string& text, const std::string& options = "") {
  const TemporaryFolder folder;
  write(folder / "in.csv", text);
  return sh("limen eval --csv '" + (folder / "in.csv").string() + "' " + options);
}

TEST(EvalCsv, AnswersInTheColumnsPromised) {
  const Result result = csv("activation,params,z\nuelu,beta=1,-0.50\nrelu,,2\nsoftplus, slope = 1 ,nan\n");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, std::string(header) +
                            "uelu,beta=1,-0.50,-0.125,0,1,0.25,0.5,0.0625,-0.1875,0.1875,beta=-0.125\n"
                            "relu,,2,2,1,0,1,,2,2,0,\n"
                            "softplus,slope = 1,nan,nan,nan,nan,,,,,,slope=nan\n");
}

TEST(EvalCsv, TakesColumnsInAnyOrderAndIgnoresOthers) {
  const std::string expected = csv("activation,params,z\nsilu,slope=2,0.5\ngelu,,inf\n").out;
  EXPECT_EQ(csv("note,z,activation,params\n\"a, \"\"b\"\"\",0.5,silu,slope=2\n,inf,gelu,\n").out, expected);
}

TEST(EvalCsv, TakesEveryLineEndAndBlankLines) {
  const std::string expected = csv("activation,params,z\ngelu,,1\nrelu,,2\n").out;
  EXPECT_EQ(csv("activation,params,z\r\ngelu,,1\r\n\r\nrelu,,2\r\n").out, expected);
  EXPECT_EQ(csv("activation,params,z\ngelu,,1\n\nrelu,,2\n\n\n").out, expected);
  EXPECT_EQ(csv("activation,params,z\ngelu,,1\nrelu,,2").out, expected);
  EXPECT_EQ(csv("\xEF\xBB\xBF"
                "activation,params,z\ngelu,,1\nrelu,,2\n")
                .out,
            expected);
  EXPECT_EQ(csv("activation,params,z\n").out, header);
}

TEST(EvalCsv, ReadsStandardInput) {
  const Result result = sh("printf 'activation,params,z\\nrelu,,3\\n' | limen eval --csv -");
  EXPECT_EQ(result.out, std::string(header) + "relu,,3,3,1,0,1,,3,3,0,\n");
}

struct Bad {
  const char* text;
  const char* line;
  const char* said;
};

TEST(EvalCsv, NamesTheLineOfABadRow) {
  const Bad all[] = {
      {"", "line 1", "header"},
      {"activation,z\ngelu,1\n", "line 1", "none named params"},
      {"activation,params,z\nrelu,,1\ngleu,,1\n", "line 3", "gelu"},
      {"activation,params,z\n\nrelu,,1\n\nrelu,,one\n", "line 5", "expected a number"},
      {"activation,params,z\nuelu,beta=0,1\n", "line 2", "beta"},
      {"activation,params,z\nuelu,beta,1\n", "line 2", "name=value"},
      {"activation,params,z\ngelu,\n", "line 2", "z: expected a field"},
      {"activation,params,z\nrelu,,\n", "line 2", "expected a number"},
      {"activation,params,z\n\"relu,,1\n", "line 2", "closing quote"},
      {"activation,params,z,note\nrelu,,1,\"two\nlines\"\nrelu,,x,\n", "line 4", "expected a number"},
  };
  for (const Bad& bad : all) {
    const Result result = csv(bad.text);
    EXPECT_EQ(result.status, 2) << bad.text;
    EXPECT_NE(result.err.find(bad.line), std::string::npos) << result.err;
    EXPECT_NE(result.err.find(bad.said), std::string::npos) << result.err;
  }
}

TEST(EvalCsv, PrintsTheRowsBeforeABadOne) {
  const Result result = csv("activation,params,z\nrelu,,1\nrelu,,x\nrelu,,2\n");
  EXPECT_EQ(result.out, std::string(header) + "relu,,1,1,1,0,1,,1,1,0,\n");
}

/// Whether `got` is `want` to 1e-13, or to the last places of a subnormal.
bool close(double got, double want) {
  return std::isnan(want) ? std::isnan(got) : got == want || std::abs(got - want) <= 1e-13 * std::abs(want) + 2e-323;
}

/// "k=v;k=v" as a map; the file of checked values writes dk.
std::map<std::string, double> slopes(const std::string& text, bool with_d) {
  std::map<std::string, double> all;
  for (const std::string& piece : split(text, ';')) {
    const auto equals = piece.find('=');
    all[piece.substr(with_d, equals - with_d)] = number(piece.substr(equals + 1));
  }
  return all;
}

// 40-digit values, made outside this project's code.
TEST(EvalCsv, ReproducesTheCheckedValues) {
  const std::string file = read(LIMEN_SOURCE_DIR "/tests/core/reference_values.csv");
  std::vector<std::vector<std::string>> wanted;
  std::string rows;
  for (const std::string& line : split(file, '\n')) {
    const auto fields = split(line, ',');
    if (!rows.empty() && !find(fields[0])) continue;
    rows += line + '\n';
    wanted.push_back(fields);
  }
  ASSERT_EQ(wanted.at(0), (std::vector<std::string>{"activation", "params", "z", "value", "d_dz", "d_dparam", "gate_F",
                                                    "density_f", "loss_Lhat", "correction_C"}));
  ASSERT_GT(wanted.size(), 80u);
  const Result result = csv(rows);
  ASSERT_EQ(result.status, 0) << result.err;
  const auto lines = split(result.out, '\n');
  ASSERT_EQ(lines.size(), wanted.size());
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto got = split(lines[i], ',');
    const auto& want = wanted[i];
    ASSERT_EQ(got.size(), 12u) << lines[i];
    const std::pair<std::size_t, std::size_t> columns[] = {{3, 3}, {4, 4}, {6, 6}, {7, 7}, {8, 8}, {10, 9}};
    for (const auto& [ours, theirs] : columns) {
      if (want[theirs].empty()) continue;
      EXPECT_NE(got[ours], "") << lines[i] << " column " << ours << ": " << want[theirs];
      EXPECT_TRUE(close(number(got[ours]), number(want[theirs])))
          << lines[i] << " column " << ours << ": " << want[theirs];
    }
    const auto ours = slopes(got[11], false);
    for (const auto& [name, slope] : slopes(want[5], true))
      EXPECT_TRUE(ours.contains(name) && close(ours.at(name), slope)) << lines[i] << ": d" << name << " = " << slope;
  }
}

}  // namespace
}  // namespace limen::test
