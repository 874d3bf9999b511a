// Part of limen. SPDX-License-Identifier: MIT
#include "study/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <list>
#include <memory>
#include <set>
#include <thread>

#include "data/datasets.h"
#include "io/error.h"
#include "io/files.h"
#include "io/process.h"
#include "limen/error.h"
#include "study/estimate.h"

namespace limen::study {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

struct Worker {
  const Cell* cell;
  io::Process process;
};

std::string last_line(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) return "";
  std::string text = io::read_file(file);
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);  // npos + 1 is 0.
}

std::filesystem::path log_of(const Cell& cell) { return cell.folder.path() / "log.txt"; }

// What a killed process left behind may hold a lock a little longer: a child on its way to exec, a worker that got
// SIGTERM and still writes its checkpoint. Rethrows FolderLock's error when patience ends; null when asked to stop.
std::unique_ptr<io::FolderLock> lock(const std::filesystem::path& folder, Clock::duration patience,
                                     const std::atomic<bool>* stop) {
  const Clock::time_point end = Clock::now() + patience;
  while (!(stop && *stop)) {
    try {
      return std::make_unique<io::FolderLock>(folder);
    } catch (const io::SystemError&) {
      if (Clock::now() >= end) throw;
    }
    std::this_thread::sleep_for(20ms);
  }
  return nullptr;
}

// A folder's settings decide what is trained, its name what the report calls it.
bool holds_its_settings(const Cell& cell) {
  const std::string where = cell.folder.settings().string();
  try {
    const train::Settings settings = train::settings_from_toml(io::read_file(where), where);
    return train::settings_to_toml(settings) == train::settings_to_toml(cell.settings);
  } catch (const std::exception&) {
    return false;
  }
}

class Runner {
 public:
  Runner(const Plan& plan, const RunOptions& options) : plan_(plan), options_(options) {
    for (const CellStatus& cell : status(plan)) {
      estimate_.learn_pace(cell);
      const bool ended_badly = cell.state == io::RunState::failed || cell.state == io::RunState::diverged;
      if (cell.state == io::RunState::done)
        ++result_.done;
      else if (ended_badly && !options.retry_failed)
        ++result_.failed;
      else
        waiting_.push_back(cell);
    }
    const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    threads_ = options.threads > 0 ? options.threads : std::max(1, cores / std::max(1, options.jobs));
  }

  RunResult run() {
    while (true) {
      collect();
      if (stop_asked()) stop();
      while (!stop_asked() && !waiting_.empty() && static_cast<int>(workers_.size()) < std::max(1, options_.jobs))
        start();
      if (workers_.empty() && (result_.stopped || waiting_.empty())) break;
      show_progress();
      std::this_thread::sleep_for(20ms);
    }
    result_.left = static_cast<int>(plan_.cells.size()) - result_.done - result_.failed;
    return result_;
  }

 private:
  bool stop_asked() const { return options_.stop && *options_.stop; }

  void start() {
    const Cell& cell = *waiting_.front().cell;
    if (!lock(cell.folder.path(), 60s, options_.stop)) return;  // Given back at once, for the worker to take.
    waiting_.erase(waiting_.begin());
    if (cell.folder.state() == io::RunState::done) {  // The orphan finished it.
      ++result_.done;
      return;
    }
    cell.folder.clear_failed();
    if (!std::filesystem::exists(cell.folder.settings()))
      io::write_file(cell.folder.settings(), train::settings_to_toml(cell.settings));
    if (!holds_its_settings(cell)) {
      cell.folder.mark_failed("failed", "settings.toml holds other settings than the study; remove " +
                                            cell.folder.path().string() + " to run this cell anew");
      return finish(cell, {});
    }
    std::vector<std::string> command = options_.worker;
    for (const std::string& argument :
         {std::string("--run"), cell.folder.path().string(), std::string("--threads"), std::to_string(threads_)})
      command.push_back(argument);
    workers_.push_back({&cell, io::Process(command, log_of(cell))});
  }

  void collect() {
    for (auto worker = workers_.begin(); worker != workers_.end();) {
      const std::optional<io::Exit> exit = worker->process.ended();
      if (!exit) {
        ++worker;
        continue;
      }
      finish(*worker->cell, *exit);
      worker = workers_.erase(worker);
    }
  }

  void finish(const Cell& cell, io::Exit exit) {
    CellEvent event{&cell, outcome(cell, exit), ""};
    if (event.outcome == CellOutcome::done) {
      ++result_.done;
      ++result_.ran;
    } else if (event.outcome == CellOutcome::interrupted) {
      event.reason = exit.signal != 0 ? fmt::format("ended by signal {} ({})", exit.signal, strsignal(exit.signal))
                                      : "stopped before its end";
    } else {
      ++result_.failed;
      if (const auto end = cell.folder.read_end(); end && end->contains("reason")) event.reason = end->at("reason");
    }
    if (options_.on_cell) options_.on_cell(event);
  }

  CellOutcome outcome(const Cell& cell, io::Exit exit) const {
    switch (cell.folder.state()) {
      case io::RunState::done:
        return CellOutcome::done;
      case io::RunState::failed:
        return CellOutcome::failed;
      case io::RunState::diverged:
        return CellOutcome::diverged;
      default:
        break;
    }
    // Shells, and workers that caught a signal, report it as 128 + its number.
    if (exit.signal != 0 || exit.code >= 128 || exit.code == 0 || result_.stopped) return CellOutcome::interrupted;
    const std::string said = last_line(log_of(cell));
    cell.folder.mark_failed("failed",
                            fmt::format("the worker exited with {}{}{}", exit.code, said.empty() ? "" : ": ", said));
    return CellOutcome::failed;
  }

  void stop() {
    if (result_.stopped) return;
    result_.stopped = true;
    for (const Worker& worker : workers_) worker.process.ask_to_stop();
  }

  void show_progress() {
    const Clock::time_point now = Clock::now();
    if (!options_.on_progress || now < next_progress_) return;
    next_progress_ = now + 1s;
    RunProgress progress;
    progress.total = static_cast<int>(plan_.cells.size());
    progress.done = result_.done;
    progress.failed = result_.failed;
    progress.waiting = static_cast<int>(waiting_.size());
    for (const Worker& worker : workers_) progress.running.push_back(observed(*worker.cell, now));
    progress.seconds_left = estimate_.seconds_left(progress.running, waiting_, std::max(1, options_.jobs), now);
    options_.on_progress(progress);
  }

  // A worker may be writing its files just now: what cannot be read is no reason to end a study.
  CellStatus observed(const Cell& cell, Clock::time_point now) {
    CellStatus seen;
    seen.cell = &cell;
    seen.state = io::RunState::started;
    seen.iterations = cell.settings.train.iterations;
    try {
      seen = status(cell);
      estimate_.observe_running(seen, now);
    } catch (const io::SystemError&) {
    }
    return seen;
  }

  const Plan& plan_;
  const RunOptions& options_;
  int threads_ = 1;
  std::vector<CellStatus> waiting_;
  std::list<Worker> workers_;
  RunResult result_;
  Estimate estimate_;
  Clock::time_point next_progress_{};
};

// Every file of every set that an unfinished cell will read: better one sentence now than a failure in every cell.
void check_data(const Plan& plan) {
  std::set<std::string> names;
  for (const Cell& cell : plan.cells)
    if (cell.folder.state() != io::RunState::done) names.insert(cell.settings.data.name);
  for (const std::string& name : names) {
    const data::DataSet& set = data::find_data_set(name);
    for (const data::DataFile& file : set.files) data::read_data_file(set, file);
  }
}

}  // namespace

std::string_view name(CellOutcome outcome) {
  switch (outcome) {
    case CellOutcome::done:
      return "done";
    case CellOutcome::failed:
      return "failed";
    case CellOutcome::diverged:
      return "diverged";
    case CellOutcome::interrupted:
      return "interrupted";
  }
  return "";
}

RunResult run(const Plan& plan, const RunOptions& options) {
  train::check_machine();
  if (options.check_data) check_data(plan);
  const auto held = lock(plan.out, 2s, nullptr);
  record_plan(plan);
  return Runner(plan, options).run();
}

}  // namespace limen::study
