// Part of limen. SPDX-License-Identifier: MIT
#include "study/run.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>

#include "io/files.h"
#include "io/temporary_folder.h"
#include "report/report.h"
#include "study/small_study.h"

namespace limen::study {
namespace {

using namespace std::chrono_literals;

// How often a worker began each cell of the plan.
std::vector<int> starts(const Plan& plan) {
  std::vector<int> counts;
  for (const Cell& cell : plan.cells) {
    const std::filesystem::path file = cell.folder.path() / "starts";
    const std::string text = std::filesystem::exists(file) ? io::read_file(file) : "";
    counts.push_back(static_cast<int>(std::ranges::count(text, '\n')));
  }
  return counts;
}

std::vector<io::RunState> states(const Plan& plan) {
  std::vector<io::RunState> all;
  for (const CellStatus& cell : status(plan)) all.push_back(cell.state);
  return all;
}

std::string table_of(const Plan& plan) { return io::read_file(report::write(plan).table); }

TEST(Run, DoesWhatIsMissingAndNothingTwice) {
  const io::TemporaryFolder folder;
  const Plan part = make_plan(small_study(), {.arms = {"gelu"}}, folder / "out");
  const RunResult first = run(part, fake_options());
  EXPECT_EQ(first.done, 2);
  EXPECT_EQ(first.ran, 2);
  EXPECT_EQ(first.left, 0);

  const Plan plan = make_plan(small_study(), {}, folder / "out");
  std::vector<std::string> ended;
  RunOptions options = fake_options();
  options.jobs = 1;
  options.on_cell = [&](const CellEvent& event) {
    ended.push_back(event.cell->arm + std::to_string(event.cell->seed) + std::string(name(event.outcome)));
  };
  EXPECT_EQ(run(plan, options).ran, 4);
  EXPECT_EQ(ended, (std::vector<std::string>{"relu1done", "tuelu1done", "relu2done", "tuelu2done"}));
  EXPECT_EQ(run(plan, fake_options()).ran, 0);
  EXPECT_EQ(starts(plan), std::vector<int>(6, 1));
  EXPECT_EQ(recorded_plan(folder / "out").cells.size(), 6U);

  for (const CellStatus& cell : status(plan)) {
    EXPECT_EQ(cell.iteration, 30);
    EXPECT_TRUE(cell.validation_loss);
    EXPECT_NEAR(*cell.seconds, 1.5, 1e-12);
    EXPECT_NEAR(*cell.pace, 0.05, 1e-12);
  }
  // The settings a worker reads are complete and say the same as the plan.
  const train::Settings read =
      train::settings_from_toml(io::read_file(plan.cells[5].folder.settings()), "settings.toml");
  EXPECT_EQ(cell_hash(read), cell_hash(plan.cells[5].settings));
}

TEST(Run, FailedAndDivergedCellsAreKeptApart) {
  const io::TemporaryFolder folder;
  const Plan plan = make_plan(small_study(), {.seeds = {1}}, folder / "out");
  std::string reasons;
  RunOptions options = fake_options({"FAKE_FAIL=relu", "FAKE_DIVERGE=gelu"});
  options.on_cell = [&](const CellEvent& event) { reasons += event.reason + ";"; };
  const RunResult result = run(plan, options);
  EXPECT_EQ(result.done, 1);
  EXPECT_EQ(result.failed, 2);
  EXPECT_NE(reasons.find("no such data"), std::string::npos);
  using enum io::RunState;
  EXPECT_EQ(states(plan), (std::vector{failed, diverged, done}));
  EXPECT_EQ(status(plan)[1].reason, "the loss is nan at iteration 3");

  EXPECT_EQ(run(plan, fake_options()).failed, 2);  // Left as they are,
  EXPECT_EQ(starts(plan), (std::vector{1, 1, 1}));
  RunOptions again = fake_options();
  again.retry_failed = true;
  EXPECT_EQ(run(plan, again).failed, 0);  // unless asked.
  EXPECT_EQ(states(plan), (std::vector{done, done, done}));
  EXPECT_EQ(starts(plan), (std::vector{2, 2, 1}));
}

TEST(Run, AWorkerThatDiesSilently) {
  const io::TemporaryFolder folder;
  const Plan plan = make_plan(small_study(), {.seeds = {1}}, folder / "out");
  std::string reasons;
  RunOptions options = fake_options({"FAKE_MUTE=relu", "FAKE_SIGNAL=gelu"});
  options.on_cell = [&](const CellEvent& event) { reasons += event.reason + ";"; };
  const RunResult result = run(plan, options);
  EXPECT_EQ(result.failed, 1);
  EXPECT_EQ(result.left, 1);
  using enum io::RunState;
  EXPECT_EQ(states(plan), (std::vector{failed, started, done}));
  EXPECT_EQ(status(plan)[0].reason, "the worker exited with 1: what went wrong");
  EXPECT_NE(reasons.find("ended by signal 9"), std::string::npos) << reasons;
  EXPECT_EQ(run(plan, fake_options()).ran, 1);  // The killed one resumes, the failed one waits to be asked for.
}

TEST(Run, ACellWithOtherSettingsIsNotTrainedUnderItsName) {
  const io::TemporaryFolder folder;
  const Plan plan = make_plan(small_study(), {.seeds = {1}}, folder / "out");
  const std::string whole = train::settings_to_toml(plan.cells[0].settings);
  io::write_file(plan.cells[0].folder.settings(), whole.substr(0, whole.size() / 2));
  io::write_file(plan.cells[1].folder.settings(), train::settings_to_toml(plan.cells[2].settings));
  io::write_file(plan.cells[2].folder.settings(), train::settings_to_toml(plan.cells[2].settings));
  const RunResult result = run(plan, fake_options());
  EXPECT_EQ(result.failed, 2);
  EXPECT_EQ(result.done, 1);
  EXPECT_EQ(starts(plan), (std::vector{0, 0, 1}));
  EXPECT_NE(status(plan)[0].reason.find("remove " + plan.cells[0].folder.path().string()), std::string::npos);
}

TEST(Run, AWorkerThatAWrapperReportsAsStoppedHasNotFailed) {
  const io::TemporaryFolder folder;
  const Plan plan = make_plan(small_study(), {.seeds = {1}, .arms = {"gelu"}}, folder / "out");
  RunOptions options = fake_options();
  options.worker = {"sh", "-c", "exit 143"};  // What a shell makes of SIGTERM.
  ASSERT_EQ(run(plan, options).left, 1);

  std::atomic<bool> stop = false;
  options.stop = &stop;
  options.worker = {"sh", "-c", "trap 'exit 1' TERM; : >\"$1/ready\"; while :; do sleep 0.01; done"};
  std::jthread stopper([&] {
    while (!std::filesystem::exists(plan.cells[0].folder.path() / "ready")) std::this_thread::sleep_for(1ms);
    stop = true;
  });
  EXPECT_EQ(run(plan, options).left, 1);
  EXPECT_EQ(states(plan), std::vector{io::RunState::started});
}

TEST(Run, WorkersDieWithIt) {
  const io::TemporaryFolder folder;
  const Plan plan = make_plan(small_study(), {.seeds = {1}, .arms = {"gelu"}}, folder / "out");
  RunOptions options = fake_options();
  options.worker = {"sh", "-c", ": >\"$1/ready\"; for i in $(seq 3000); do sleep 0.01; done"};
  int alive[2];  // Its writing end is open as long as a process of the child's family lives.
  ASSERT_EQ(::pipe(alive), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    run(plan, options);
    ::_exit(0);
  }
  ::close(alive[1]);
  while (!std::filesystem::exists(plan.cells[0].folder.path() / "ready")) std::this_thread::sleep_for(1ms);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  pollfd end{alive[0], POLLIN, 0};
  EXPECT_EQ(::poll(&end, 1, 20'000), 1) << "a worker outlives the study";
  ::close(alive[0]);
}

TEST(Run, StopsWhenAskedAndResumes) {
  const io::TemporaryFolder folder;
  const Plan plan = make_plan(small_study(), {}, folder / "out");
  std::atomic<bool> stop = false;
  RunOptions options = fake_options({"FAKE_STEP_MS=5"});
  options.stop = &stop;
  int seen = 0;
  options.on_progress = [&](const RunProgress& progress) {
    EXPECT_EQ(progress.total, 6);
    EXPECT_EQ(progress.running.size(), 2U);
    EXPECT_EQ(progress.waiting, 4);
    ++seen;
    stop = true;
  };
  const RunResult result = run(plan, options);
  EXPECT_EQ(seen, 1);
  EXPECT_TRUE(result.stopped);
  EXPECT_EQ(result.failed, 0);
  EXPECT_EQ(result.left, 6);
  for (const Cell& cell : plan.cells) EXPECT_FALSE(std::filesystem::exists(cell.folder.path() / "FAILED"));
  EXPECT_EQ(run(plan, fake_options()).done, 6);
}

TEST(Run, SaysWhatKeepsItFromRunning) {
  const io::TemporaryFolder folder;
  const Plan plan = make_plan(small_study(), {}, folder / "out");
  RunOptions options = fake_options();
  options.worker = {"/no/such/program"};
  EXPECT_NE(io::message_of([&] { run(plan, options); }).find("cannot start /no/such/program"), std::string::npos);
  {
    const io::FolderLock lock(plan.out);
    EXPECT_NE(io::message_of([&] { run(plan, fake_options()); }).find(plan.out.string()), std::string::npos);
  }
  options = fake_options();
  options.check_data = true;
  ::setenv("LIMEN_DATA", folder.path().c_str(), 1);
  EXPECT_NE(io::message_of([&] { run(plan, options); }).find("tinyshakespeare"), std::string::npos);
  ::unsetenv("LIMEN_DATA");
  EXPECT_EQ(starts(plan), std::vector<int>(6, 0));
}

// In a process of its own, for it will be killed.
pid_t run_in_child(const Plan& plan) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  try {
    run(plan, fake_options({"FAKE_STEP_MS=2"}));
  } catch (const std::exception& error) {
    ::fputs(error.what(), stderr);
    ::_exit(1);
  }
  ::_exit(0);
}

TEST(Run, KilledAtAnyMomentAndRunAgainGivesTheSameTable) {
  const io::TemporaryFolder folder;
  const Plan whole = make_plan(small_study(), {}, folder / "whole"),
             killed = make_plan(small_study(), {}, folder / "killed");
  ASSERT_EQ(run(whole, fake_options()).done, 6);

  std::mt19937 random(1);
  std::uniform_int_distribution<int> milliseconds(5, 120);
  int kills = 0;
  for (bool finished = false; !finished;) {
    ASSERT_LT(kills, 200) << "it gets nowhere";
    const pid_t child = run_in_child(killed);
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds(random)));
    ::kill(child, SIGKILL);
    int how = 0;
    ::waitpid(child, &how, 0);
    finished = WIFEXITED(how);
    ASSERT_TRUE(!finished || WEXITSTATUS(how) == 0);
    kills += !finished;
  }
  EXPECT_GT(kills, 0);
  EXPECT_EQ(states(killed), std::vector<io::RunState>(6, io::RunState::done));
  EXPECT_EQ(table_of(killed), table_of(whole));
  for (std::size_t i = 0; i < killed.cells.size(); ++i)
    EXPECT_EQ(io::read_file(killed.cells[i].folder.metrics()), io::read_file(whole.cells[i].folder.metrics()));
}

}  // namespace
}  // namespace limen::study
