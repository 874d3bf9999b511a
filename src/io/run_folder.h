// Part of limen. SPDX-License-Identifier: MIT
//
// A run is a folder (format = 1):
//   settings.toml     complete: reading it back starts the same run
//   metrics.jsonl     append-only, one object an evaluation, no times in it; on resume cut at the length the
//                     checkpoint noted
//   timing.jsonl      append-only, one object an evaluation: seconds and such; never read by tables
//   checkpoint/       safetensors and state.json, see checkpoint_folder.h
//   best.safetensors  the weights of the best evaluation, written beside and renamed
//   environment.json  commit, machine, versions, threads
//   DONE | FAILED     written last, one JSON object: DONE holds the final measures, FAILED the reason
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/json.h"

namespace limen::io {

enum class RunState {
  planned,  ///< no folder, or no settings in it
  started,  ///< settings but neither DONE nor FAILED: running now, or interrupted
  done,
  failed,    ///< FAILED with "kind": "failed": an error
  diverged,  ///< FAILED with "kind": "diverged": the loss was no longer finite
};

std::string_view name(RunState state);

class RunFolder {
 public:
  explicit RunFolder(std::filesystem::path path) : path_(std::move(path)) {}

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path settings() const { return path_ / "settings.toml"; }
  std::filesystem::path metrics() const { return path_ / "metrics.jsonl"; }
  std::filesystem::path timing() const { return path_ / "timing.jsonl"; }
  std::filesystem::path checkpoint() const { return path_ / "checkpoint"; }
  std::filesystem::path best() const { return path_ / "best.safetensors"; }
  std::filesystem::path environment() const { return path_ / "environment.json"; }

  RunState state() const;
  /// The objects of metrics.jsonl (a torn last line is left out), of timing.jsonl (what cannot be read is left out: no
  /// run is lost over its times), and of DONE or FAILED. Throws SystemError for a damaged file.
  std::vector<Json> read_metrics() const;
  std::vector<Json> read_timing() const;
  std::optional<Json> read_end() const;

  void append_metrics(const Json& row) const;
  void append_timing(const Json& row) const;
  void mark_done(const Json& final_measures) const;
  /// kind: "failed" or "diverged".
  void mark_failed(std::string_view kind, std::string_view reason) const;
  /// Removes FAILED so that the run can be tried again.
  void clear_failed() const;

 private:
  std::filesystem::path path_;
};

}  // namespace limen::io
