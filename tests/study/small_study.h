// Part of limen. SPDX-License-Identifier: MIT
//
// A study of three arms and two seeds, and a way to run it with the fake worker.
#pragma once

#include <string>
#include <vector>

#include "study/run.h"

namespace limen::study {

inline const std::string small_study_text = R"(format = 1
name = "small"
title = "Small & quick"
seeds = [1, 2]
baseline = "gelu"

[model]
layers = 2
width = 64

[train]
iterations = 30
evaluate_every = 10

[[arm]]
name = "relu"
activation = "relu"

[[arm]]
name = "gelu"
label = "GELU <exact>"
activation = "gelu"

[[arm]]
name = "tuelu"
label = "TUELU"
activation = {name = "tuelu", parameters = {beta = 1.25}}
)";

inline Study small_study() { return study_from_toml(small_study_text, "small.toml"); }

/// `behaviour`: FAKE_... settings of the fake worker.
inline RunOptions fake_options(const std::vector<std::string>& behaviour = {}) {
  RunOptions options;
  options.worker = {"env"};
  options.worker.insert(options.worker.end(), behaviour.begin(), behaviour.end());
  options.worker.push_back(LIMEN_BINARY_DIR "/tests/fake_worker");
  options.jobs = 2;
  options.check_data = false;
  return options;
}

}  // namespace limen::study
