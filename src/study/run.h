// Part of limen. SPDX-License-Identifier: MIT
//
// Runs what is missing of a plan, each cell in a process of its own.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "study/plan.h"

namespace limen::study {

enum class CellOutcome {
  done,
  failed,       ///< the worker left FAILED, or exited with an error
  diverged,     ///< the worker left FAILED with "diverged"
  interrupted,  ///< asked to stop, or ended by a signal: the next run resumes it
};

std::string_view name(CellOutcome outcome);

struct CellEvent {
  const Cell* cell;
  CellOutcome outcome;
  std::string reason;  ///< in words when not done
};

struct RunProgress {
  int total = 0;    ///< cells of the plan
  int done = 0;     ///< finished now or before
  int failed = 0;   ///< failed or diverged, now or before
  int waiting = 0;  ///< to be started
  std::vector<CellStatus> running;
  std::optional<double> seconds_left;  ///< from measured step times; none before the first was measured
};

struct RunOptions {
  /// How a worker is called; "--run FOLDER --threads T" is appended. The program passes {"/path/to/limen", "train"}.
  /// The worker locks the folder (io::FolderLock), trains (train::run), leaves DONE or FAILED, exits 0 when done,
  /// checkpoints and exits when it gets SIGTERM.
  std::vector<std::string> worker;
  int jobs = 1;               ///< cells at a time
  int threads = 0;            ///< a job; 0: cores / jobs, at least 1
  bool retry_failed = false;  ///< also those that failed or diverged before
  bool check_data = true;     ///< read the data sets first: a missing or altered one fails before a worker starts
  /// When set to true: workers are asked to checkpoint, waited for, and run returns.
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const RunProgress&)> on_progress;  ///< about once a second
  std::function<void(const CellEvent&)> on_cell;        ///< when a cell ends
};

struct RunResult {
  int done = 0;    ///< cells of the plan that are done
  int ran = 0;     ///< of them finished in this call
  int failed = 0;  ///< failed or diverged, now or before
  int left = 0;    ///< interrupted or not begun
  bool stopped = false;
};

/// Does the plan's missing cells in its order: done ones are skipped, started ones resume, failed and diverged ones are
/// left as they are unless retry_failed. Calls record_plan first. Workers die with this process, however it ends.
/// Throws io::SystemError when a data set is missing, when another process runs a study in the same folder, or when the
/// worker cannot be started.
RunResult run(const Plan& plan, const RunOptions& options);

}  // namespace limen::study
