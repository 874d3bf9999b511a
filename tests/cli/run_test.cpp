// Part of limen. SPDX-License-Identifier: MIT
//
// Trainings and studies from end to end, on the first lines of real plays with a model that learns next to nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "cli/shell.h"
#include "data/character_data.h"

namespace limen::test {
namespace {

constexpr const char* shared_settings = R"([model]
layers = 1
heads = 2
width = 16
context = 16
[train]
iterations = 24
batch = 4
warmup = 4
evaluate_every = 6
evaluate_batches = 2
)";

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A folder with settings, a study of two arms and two seeds, and commands that find the data.
class Run : public testing::Test {
 protected:
  void SetUp() override {
    const std::string set = character_data();
    if (set.empty()) LIMEN_END_WITHOUT_DATA();
    const std::string data = "[data]\nname = \"" + set + "\"\n";
    write(folder_ / "run.toml", data + shared_settings);
    write(folder_ / "study.toml", "format = 1\nname = \"tiny\"\nseeds = [1, 2]\n" + data + shared_settings +
                                      "[[arm]]\nname = \"gelu\"\nactivation = \"gelu\"\n"
                                      "[[arm]]\nname = \"tuelu\"\nactivation = \"tuelu\"\n");
  }

  std::string in_folder(const std::string& command) const {
    return "cd '" + folder_.path().string() + "'; LIMEN_DATA='" + data_folder() + "'; export LIMEN_DATA; " + command;
  }
  Result run(const std::string& command) const { return sh(in_folder(command)); }

  TemporaryFolder folder_;
};

TEST_F(Run, TrainsShowsAndKeepsARun) {
  const std::string begin =
      "limen train --settings run.toml --out a --set activation.name=uelu "
      "--set activation.parameters.beta=0.5 --set train.iterations=6";
  const Result first = run(begin);
  ASSERT_EQ(first.status, 0) << first.err;
  EXPECT_TRUE(contains(first.out, "validation_loss")) << first.out;
  for (const char* const said : {"uelu beta=0.5", "6 steps", "weight decay", "1/6", "done "})
    EXPECT_TRUE(contains(first.err, said)) << said << " in " << first.err;
  EXPECT_FALSE(contains(first.err, "\r"));
  EXPECT_TRUE(contains(read(folder_ / "a/settings.toml"), "beta = 0.5"));
  EXPECT_EQ(run(begin).out, first.out);
  const Result again = run("limen train --run a");
  EXPECT_EQ(again.out, first.out);
  EXPECT_EQ(again.err, "") << "nothing was left to do";
  const Result other = run("limen train --settings run.toml --out a");
  EXPECT_EQ(other.status, 2);
  EXPECT_TRUE(contains(other.err, "other settings")) << other.err;
}

TEST_F(Run, RedrawsOneLineOnATerminalAlone) {
  const std::string command = in_folder("limen train --settings run.toml --set train.iterations=3 --out ");
  const Result terminal = sh_on_terminal("TERM=xterm; export TERM; " + command + "a");
  EXPECT_EQ(terminal.status, 0) << terminal.out;
  EXPECT_TRUE(contains(terminal.out, "\x1b[K")) << terminal.out;
  const Result dumb = sh_on_terminal("TERM=dumb; export TERM; " + command + "b");
  EXPECT_EQ(dumb.status, 0) << dumb.out;
  EXPECT_TRUE(contains(dumb.out, "1/3")) << dumb.out;
  EXPECT_FALSE(contains(dumb.out, "\x1b")) << dumb.out;
}

TEST_F(Run, RefusesWhatCannotBeTrained) {
  const std::string begin = "limen train --settings run.toml --out a ";
  const std::pair<const char*, const char*> all[] = {
      {"--set train.iteration=6", "--set: unknown key \"train.iteration\"; try \"train.iterations\""},
      {"--set train.iterations=six", "whole number"},
      {"--set activation.name=gleu", "gelu"},
      {"--set data.name=tinyshakespear", "shakespeare"},
      {"--set train.iterations", "name=value"},
      {"--threads 100000", "from 0 to 1024"}};
  for (const auto& [change, said] : all) {
    const Result result = run(begin + change);
    EXPECT_EQ(result.status, 2) << change;
    EXPECT_TRUE(contains(result.err, said)) << result.err;
    EXPECT_EQ(result.out, "");
  }
}

TEST_F(Run, WhatTheMachineDoesNotGiveIsAFailure) {
  const std::pair<const char*, const char*> all[] = {
      {"LIMEN_DATA=/no/such/folder limen train --settings run.toml --out b", "LIMEN_DATA"},
      {"LIMEN_DATA=/no/such/folder limen study run study.toml --out c", "LIMEN_DATA"},
      {"limen train --settings run.toml --out /proc/nope", "/proc/nope"},
      {"limen train --settings . --out b", "Is a directory"},
      {"limen study plan .", "Is a directory"},
      {"limen study run study.toml --out /proc/nope", "/proc/nope"},
      {"mkdir d && echo '{' > d/DONE && cp run.toml d/settings.toml; limen train --run d", "d/DONE"},
      {"limen eval --csv .", "cannot read ."}};
  for (const auto& [command, said] : all) {
    const Result result = run(command);
    EXPECT_EQ(result.status, 1) << command << ": " << result.err;
    EXPECT_TRUE(contains(result.err, said)) << command << ": " << result.err;
  }
}

TEST_F(Run, WhatWouldFailInEveryCellFailsBeforeTheFirst) {
  const Result isa = run("LIMEN_ISA=avx51 limen study run study.toml --out a");
  EXPECT_EQ(isa.status, 2);
  EXPECT_TRUE(contains(isa.err, "LIMEN_ISA")) << isa.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a"));
  const Result train = run("LIMEN_ISA=avx51 limen train --settings run.toml --out b");
  EXPECT_EQ(train.status, 2);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "b/FAILED")) << train.err;
}

TEST_F(Run, AFullDiskIsAFailureThatIsResumed) {
  const std::string train = "limen train --threads 1 --settings run.toml --set train.iterations=6 --out a";
  const Result full = run("trap '' XFSZ; (ulimit -f 16; " + train + ")");
  EXPECT_EQ(full.status, 1) << full.err;
  EXPECT_TRUE(contains(full.err, "File too large")) << full.err;
  const Result rest = run(train);
  EXPECT_EQ(rest.status, 0) << rest.err;
  EXPECT_EQ(rest.out, run("limen train --threads 1 --settings run.toml --set train.iterations=6 --out b").out);
}

TEST_F(Run, DivergenceIsAFailure) {
  const Result result = run(
      "limen train --settings run.toml --out a --set train.learning_rate=1e38 --set train.clip=0 --set train.warmup=0");
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_TRUE(contains(result.err, "learning rate")) << result.err;
}

TEST_F(Run, AnInterruptLeavesWhatGoesOn) {
  const std::string begin =
      "limen train --threads 1 --settings run.toml --set train.iterations=400 --set train.evaluate_every=200 --out ";
  const Result whole = run(begin + "a");
  ASSERT_EQ(whole.status, 0) << whole.err;
  // The process is told to stop as soon as its first evaluation is on disk.
  const Result part =
      run(begin + "b & while kill -0 $! && ! [ -s b/metrics.jsonl ]; do sleep 0.01; done; kill -TERM $!; wait $!");
  EXPECT_EQ(part.status, 143) << part.err;
  EXPECT_TRUE(contains(part.err, "limen train --run b goes on")) << part.err;
  const Result rest = run("limen train --threads 1 --run b");
  EXPECT_EQ(rest.status, 0) << rest.err;
  EXPECT_EQ(rest.out, whole.out);
  EXPECT_EQ(read(folder_ / "b/metrics.jsonl"), read(folder_ / "a/metrics.jsonl"));
}

TEST_F(Run, AStudyKilledAgainAndAgainGivesTheSameTable) {
  const std::string command = "limen study run study.toml --jobs 2 --threads 1 --out ";
  const Result whole = run(command + "a");
  ASSERT_EQ(whole.status, 0) << whole.err;
  EXPECT_TRUE(contains(whole.out, "tuelu") && contains(whole.out, "a/report/report.html")) << whole.out;
  int kills = 0;
  for (double seconds = 0.3; seconds < 60; seconds *= 1.4) {
    const Result part = run("timeout -s KILL " + std::to_string(seconds) + " " + command + "b");
    if (part.status == 0) break;
    EXPECT_EQ(part.status, 137) << part.err;
    ++kills;
  }
  EXPECT_GT(kills, 0);
  for (const std::string file : {"table.csv", "cells.csv"}) {
    EXPECT_NE(read(folder_ / ("a/report/" + file)), "");
    EXPECT_EQ(read(folder_ / ("b/report/" + file)), read(folder_ / ("a/report/" + file)));
  }
  EXPECT_EQ(run(command + "a").out, whole.out) << "a second run has nothing to do";
}

TEST_F(Run, AStudyStopsAtItsNextCheckpoint) {
  const Result part =
      run("limen study run study.toml --jobs 2 --threads 1 --iterations 100000 --horizon 100000 --out a & "
          "while kill -0 $! && ! [ -s a/cells/gelu-s1-*/metrics.jsonl ]; do sleep 0.01; done; kill -TERM $!; wait $!");
  EXPECT_EQ(part.status, 143) << part.err;
  EXPECT_TRUE(contains(part.err, "4 of 4 cells left")) << part.err;
  EXPECT_TRUE(contains(run("limen study status study.toml --out a").out, "started"));
}

TEST_F(Run, AStudyIsCutDownPlannedAndReported) {
  const std::string cut = " study.toml --out a --seeds 2 --arms gelu --iterations 6";
  const Result plan = run("limen study plan" + cut);
  EXPECT_EQ(plan.status, 0) << plan.err;
  EXPECT_TRUE(contains(plan.out, "1 cells, 1 planned")) << plan.out;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a")) << "planning writes nothing";
  ASSERT_EQ(run("limen study run" + cut).status, 0);
  const Result status = run("limen study status study.toml --out a");
  EXPECT_TRUE(contains(status.out, "6/6") && contains(status.out, "1 cells, 1 done")) << status.out;
  const Result report = run("limen study report study.toml --out a");
  EXPECT_EQ(report.status, 0) << report.err;
  EXPECT_TRUE(contains(report.out, "a/report/report.html")) << report.out;
  const Result mistyped = run("limen study report study.toml --out aa");
  EXPECT_EQ(mistyped.status, 2);
  EXPECT_TRUE(contains(mistyped.err, "aa: expected a study's folder")) << mistyped.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "aa"));
  const std::pair<const char*, const char*> wrong[] = {
      {"--arms geul", "gelu"}, {"--seeds 3", "3"}, {"--seeds one", "whole number"}, {"--iterations 0", "at least 1"}};
  for (const auto& [option, said] : wrong) {
    const Result result = run("limen study plan study.toml " + std::string(option));
    EXPECT_EQ(result.status, 2) << option;
    EXPECT_TRUE(contains(result.err, said)) << result.err;
  }
}

TEST_F(Run, AStudyWithAFailedCellSaysSo) {
  const std::string text = read(folder_ / "study.toml");
  write(folder_ / "bad.toml",
        text + "[[arm]]\nname = \"wild\"\nactivation = \"relu\"\ntrain = {learning_rate = 1e38, clip = 0.0}\n");
  const Result result = run("limen study run bad.toml --arms gelu,wild --seeds 1 --out a");
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_TRUE(contains(result.err, "wild seed 1: diverged")) << result.err;
  EXPECT_TRUE(contains(run("limen study status bad.toml --out a").out, "1 diverged"));
}

}  // namespace
}  // namespace limen::test
