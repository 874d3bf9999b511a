// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <functional>

#include "data/text.h"
#include "io/run_folder.h"
#include "train/settings.h"

namespace limen::train {

struct Progress {
  std::int64_t iteration;   ///< steps done
  std::int64_t iterations;  ///< steps in all
  double loss;              ///< of the latest step
  double seconds_per_step;  ///< recent mean
};

struct TrainOptions {
  int threads = 0;                                   ///< 0: libtorch's default
  std::function<void(const Progress&)> on_progress;  ///< called after the first step, then about once a second
  const std::atomic<bool>* stop = nullptr;           ///< when set to true: checkpoint and return interrupted
};

enum class Outcome { done, diverged, interrupted };

/// Trains what folder/settings.toml says, from its checkpoint when there is one, and leaves the folder DONE or FAILED.
/// An interrupted and resumed run, or a killed one that is started again, gives the bits of an uninterrupted one (same
/// machine, build and threads).
///
/// The caller holds the folder's io::FolderLock. Before it touches the folder it throws limen::Error when the
/// settings, io::SystemError when the data are not in order; what goes wrong later is thrown on after FAILED was
/// written.
///
/// metrics.jsonl rows, one an evaluation: {"iteration", "train_loss", "validation_loss", "learning_rate",
///   "learned": {"<site or model>.<parameter>": value}, "scheduled": {"<parameter>": value}}
/// timing.jsonl rows: {"iteration", "seconds" (since this process began training), "step_seconds" (mean since the row
///   before; null without steps), "peak_rss_mb"}
/// DONE: {"best_iteration", "best_validation_loss", a key for each of train/measures.h, "parameters",
///   "learned", "scheduled" (at the best), "regions": {"closed", "transition", "open", "sites": [{"site", "closed",
///   "transition", "open"}]} or null, "iterations"}
///   (measures are those of the best weights on fresh batches)
/// best.safetensors: the weights with the lowest validation loss; its metadata hold the settings.
Outcome run(const io::RunFolder& folder, const TrainOptions& options);

/// The same on a given text, whatever the settings say about data.
Outcome run(const io::RunFolder& folder, const TrainOptions& options, const data::CharCorpus& corpus);

}  // namespace limen::train
