// Part of limen. SPDX-License-Identifier: MIT
//
// What holds for every verb: help, exit statuses, messages, where output goes.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/shell.h"

namespace limen::test {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::vector<std::string> verbs = {"",           "list",           "eval",         "calibrate",    "plot",
                                        "table",      "table geometry", "table laws",   "train",        "study",
                                        "study plan", "study run",      "study status", "study report", "data",
                                        "data list",  "data check",     "data get"};

TEST(Program, EveryVerbHelpsWithAnExample) {
  for (const std::string& verb : verbs) {
    const Result help = sh("limen " + verb + " --help");
    EXPECT_EQ(help.status, 0) << verb;
    EXPECT_EQ(help.err, "") << verb;
    EXPECT_TRUE(contains(help.out, "Example")) << verb;
    EXPECT_TRUE(contains(help.out, "limen " + verb)) << help.out;
  }
}

TEST(Program, HelpNamesEveryVerb) {
  const Result help = sh("limen --help");
  for (const char* const verb : {"list", "eval", "calibrate", "plot", "table", "train", "study", "data"})
    EXPECT_TRUE(contains(help.out, verb)) << verb;
}

TEST(Program, SaysItsVersion) {
  const Result version = sh("limen --version");
  EXPECT_EQ(version.status, 0);
  EXPECT_TRUE(version.out.starts_with("limen 0.")) << version.out;
  EXPECT_TRUE(contains(version.out, "scalar")) << version.out;
}

struct Misuse {
  const char* arguments;
  const char* said;  // part of the one line on standard error
};

// Wrong usage: status 2, nothing on standard output, one line that helps.
TEST(Program, WrongUsageIsOneHelpfulLine) {
  const Misuse all[] = {
      {"", "expected a verb"},
      {"lsit", "try 'list'"},
      {"--versoin", "try '--version'"},
      {"list --jsn", "try '--json'"},
      {"list --json --markdown", "--json"},
      {"list gelu", "unexpected argument 'gelu'"},
      {"eval", "limen eval gelu"},
      {"eval gelu", "at least one point"},
      {"eval gleu 1", "gelu"},
      {"eval gelu 1 --dtpye f32", "try '--dtype'"},
      {"eval gelu 1 --dtype", "--dtype"},
      {"eval gelu 1 --dtype f63", "try 'f64'"},
      {"eval gelu 1 --dtype bf61", "try 'bf16'"},
      {"eval gelu 1 --path scalr", "try 'scalar'"},
      {"eval gelu x", "expected a number"},
      {"eval gelu 1,5", "expected a number"},
      {"eval gelu 1e400", "range of f64"},
      {"eval gelu 1e300 --dtype f32", "range of f32"},
      {"eval uelu --set beta=-1 1", "beta"},
      {"eval uelu --set beta=nan 1", "beta"},
      {"eval uelu --set beat=1 1", "beta"},
      {"eval uelu --set beta 1", "name=value"},
      {"eval uelu --set beta=1 --set beta=2 1", "twice"},
      {"eval gelu 1 --csv -", "leave them out"},
      {"eval --csv /no/such/file", "/no/such/file"},
      {"train --settings /no/such/file --out x", "/no/such/file"},
      {"study plan /no/such/file", "/no/such/file"},
      {"study rnu x.toml", "try 'run'"},
      {"study", "expected a verb"},
      {"study run x.toml --iterations ''", "an argument is empty"},
      {"data gte", "try 'get'"},
  };
  for (const Misuse& misuse : all) {
    const Result result = sh("limen " + std::string(misuse.arguments));
    EXPECT_EQ(result.status, 2) << misuse.arguments;
    EXPECT_EQ(result.out, "") << misuse.arguments;
    EXPECT_TRUE(contains(result.err, misuse.said)) << misuse.arguments << ": " << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_TRUE(result.err.starts_with("limen")) << result.err;
  }
}

TEST(Program, AReaderThatLeavesIsNoError) {
  EXPECT_EQ(sh("{ limen list --json; echo $? >&2; } | true").err, "0\n");
  const Result closed = sh("limen list >&-");
  EXPECT_EQ(closed.status, 0);
  EXPECT_EQ(closed.err, "");
}

TEST(Program, AFullDiskIsAnError) {
  for (const char* const command : {"list", "--help", "--version", "eval gelu 1"}) {
    const Result result = sh("limen " + std::string(command) + " >/dev/full");
    EXPECT_EQ(result.status, 1) << command;
    EXPECT_TRUE(contains(result.err, "standard output could not be written")) << result.err;
  }
}

TEST(Program, NumbersDoNotDependOnTheLocale) {
  const std::string command = "limen eval silu --set slope=1.5 -- -0.5 2.25; limen list --json; limen list";
  const Result plain = sh("LC_ALL=C; export LC_ALL; " + command);
  const Result german = sh("LC_ALL=de_DE.UTF-8; export LC_ALL; " + command);
  EXPECT_EQ(plain.status, 0);
  EXPECT_TRUE(contains(plain.out, "2.25"));
  EXPECT_EQ(plain.out, german.out);
}

}  // namespace
}  // namespace limen::test
