// Part of limen. SPDX-License-Identifier: MIT
//
// Everything that decides a run's numbers. A run folder's settings.toml holds all of it; a study file holds what
// differs from these defaults. Times, threads and paths are not settings.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace limen::train {

struct ActivationSettings {
  /// Of the registry, an alias, "empirical(FILE)", "gated(NAME)" or "glu".
  std::string name = "gelu";
  /// SHA-256 of what FILE holds, its table of quantiles: filled in when a run is planned, so that its settings say what
  /// it was trained with. "": whatever FILE holds.
  std::string law = "";
  bool sampled = false;                           ///< thresholds are drawn in training; evaluation uses their mean
  std::map<std::string, double> parameters = {};  ///< values, or start values of learned ones
  std::vector<std::string> learned = {};          ///< names of learned parameters, besides the alias's
  std::string scope = "auto";  ///< of learned ones: "site", "model" (one shared), "auto": as the alias says
  std::map<std::string, std::string> schedule = {};  ///< fixed parameter -> "linear" | "cosine" | "constant"
  std::map<std::string, double> schedule_from = {};  ///< start of a schedule, default 1
  std::map<std::string, double> schedule_to = {};    ///< its end, default 0

  /// Whether all sites share one module, and with it the learned parameters.
  bool shared() const;
};

struct ModelSettings {
  std::string name = "gpt";
  std::int64_t layers = 4;
  std::int64_t heads = 4;
  std::int64_t width = 128;
  std::int64_t context = 128;
  double dropout = 0.1;
};

struct DataSettings {
  std::string name = "tinyshakespeare";  ///< a folder of LIMEN_DATA: see `limen data list`
  double train_fraction = 0.9;
};

struct TrainSettings {
  std::int64_t iterations = 10000;  ///< steps taken
  std::int64_t horizon = 0;         ///< length of the schedules; 0: the same as iterations
  std::int64_t batch = 64;
  double learning_rate = 3e-4;
  double learning_rate_end = 3e-5;
  std::int64_t warmup = 100;
  double weight_decay = 0.1;
  /// "all" (as the published studies), or "weights" (not biases, norms, learned activation parameters).
  std::string decay = "weights";
  double clip = 1.0;  ///< of the global gradient norm; 0: none
  std::int64_t evaluate_every = 500;
  std::int64_t evaluate_batches = 50;
};

struct Settings {
  std::uint64_t seed = 1;
  int rng = 1;
  ActivationSettings activation;
  ModelSettings model;
  DataSettings data;
  TrainSettings train;

  std::int64_t horizon() const { return train.horizon > 0 ? train.horizon : train.iterations; }
};

/// Reads the complete form or any part of it; keys are [activation], [model], [data], [train], seed, rng, format.
/// Throws limen::Error: an unknown key is named with its line and the nearest known key, a wrong type with what was
/// expected. Values are held against their ranges by `check`. `where` names the source in messages.
Settings settings_from_toml(std::string_view text, std::string_view where);

/// Complete, canonical (fixed order, shortest digits): equal settings give equal bytes.
std::string settings_to_toml(const Settings& settings);

/// Only what differs from a default-constructed Settings, in canonical form: what a cell's hash is taken of, so that a
/// new option with a default does not orphan old cells.
std::string settings_difference(const Settings& settings);

/// The parameters that an arm learns, spellings resolved: beta for tuelu. Throws limen::Error for an unknown
/// activation.
std::vector<std::string> learned_parameters(const ActivationSettings& settings);

/// Checks ranges and names across sections (activation and parameters exist, the model fits, ...). Throws
/// limen::Error.
void check(const Settings& settings);

/// Throws limen::Error when LIMEN_ISA names what this machine or version cannot run: every run would fail.
void check_machine();

}  // namespace limen::train
