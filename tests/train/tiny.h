// Part of limen. SPDX-License-Identifier: MIT
//
// A run that takes a fraction of a second, on a text made up here.
#pragma once

#include <string>

#include "data/text.h"
#include "train/settings.h"

namespace limen::train {

inline data::CharCorpus tiny_corpus() {
  const std::string words[] = {"to be ", "or not ", "to sleep, ", "perchance ", "to dream. "};
  std::string text;
  std::uint32_t state = 1;
  while (text.size() < 4000) {
    state = state * 1664525 + 1013904223;
    text += words[(state >> 24) % 5];
  }
  return data::char_corpus("tiny", text, 0.8);
}

inline Settings tiny_settings(const ActivationSettings& activation) {
  Settings settings;
  settings.activation = activation;
  settings.model = {.name = "gpt", .layers = 2, .heads = 2, .width = 16, .context = 8, .dropout = 0.1};
  settings.train.iterations = 40;
  settings.train.batch = 4;
  settings.train.learning_rate = 1e-2;
  settings.train.learning_rate_end = 1e-3;
  settings.train.warmup = 5;
  settings.train.evaluate_every = 10;
  settings.train.evaluate_batches = 3;
  return settings;
}

inline ActivationSettings activation_settings(const std::string& name) {
  ActivationSettings settings;
  settings.name = name;
  return settings;
}

/// The arms with a state of their own: a learned width, a schedule, and drawn thresholds.
inline ActivationSettings tuelu() { return activation_settings("tuelu"); }
inline ActivationSettings scheduled_dgelu() {
  ActivationSettings settings = activation_settings("dgelu");
  settings.schedule = {{"gamma", "linear"}};
  return settings;
}

inline ActivationSettings sampled_silu() {
  ActivationSettings settings = activation_settings("silu");
  settings.sampled = true;
  return settings;
}

}  // namespace limen::train
