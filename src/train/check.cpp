// Part of limen. SPDX-License-Identifier: MIT
//
// What settings must hold, beyond their types.
#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "data/datasets.h"
#include "io/json.h"
#include "limen/error.h"
#include "limen/kernels.h"
#include "limen/names.h"
#include "limen/torch.h"
#include "models/model.h"
#include "train/activation_options.h"
#include "train/schedule.h"
#include "train/settings.h"
#include "train/weights.h"

namespace limen::train {
namespace {

std::string text(std::integral auto value) { return std::to_string(value); }
std::string text(double value) { return io::shortest(value); }

template <class T>
void expect(bool holds, std::string_view key, std::string_view what, T got) {
  if (!holds) throw Error(std::string(key) + ": expected " + std::string(what) + ", got " + text(got));
}

template <class T>
void at_least(T least, std::string_view key, T got) {
  expect(got >= least && (std::integral<T> || got < std::numeric_limits<T>::max()), key, "at least " + text(least),
         got);
}

void one_of(std::string_view key, const std::string& got, const std::vector<std::string>& known) {
  if (std::ranges::find(known, got) != known.end()) return;
  std::string names;
  for (const std::string& name : known) names += (names.empty() ? "\"" : ", \"") + name + "\"";
  throw Error(std::string(key) + ": expected one of " + names + ", got \"" + got + "\"; try \"" + nearest(got, known) +
              "\"");
}

void check_schedule_ends(const ActivationSettings& settings, const std::map<std::string, double>& ends,
                         std::string_view key) {
  for (const auto& entry : ends)
    if (!settings.schedule.contains(entry.first))
      throw Error("activation." + std::string(key) + ": expected parameters that activation.schedule names, got " +
                  entry.first + "; schedule it too, or leave it out here");
}

ActivationOptions resolved(const ActivationSettings& settings) { return resolve(activation_options(settings)); }

void check(const ActivationSettings& settings) {
  const ActivationOptions options = resolved(settings);
  one_of("activation.scope", settings.scope, {"auto", "site", "model"});
  check_schedule_ends(settings, settings.schedule_from, "schedule_from");
  check_schedule_ends(settings, settings.schedule_to, "schedule_to");
  for (const auto& [parameter, shape] : settings.schedule) {
    one_of("activation.schedule." + parameter, shape, {"linear", "cosine", "constant"});
    if (std::ranges::find(options.learned, parameter) != options.learned.end())
      throw Error("activation.schedule: expected fixed parameters, got " + parameter + ", which is learned");
    for (const double p : {0.0, 1.0}) {
      ActivationOptions at_end = options;
      at_end.parameters[parameter] = scheduled(settings, parameter, p);
      resolve(at_end);
    }
  }
}

void check(const TrainSettings& settings) {
  at_least<std::int64_t>(1, "train.iterations", settings.iterations);
  at_least<std::int64_t>(0, "train.horizon", settings.horizon);
  at_least<std::int64_t>(1, "train.batch", settings.batch);
  at_least<std::int64_t>(0, "train.warmup", settings.warmup);
  at_least<std::int64_t>(1, "train.evaluate_every", settings.evaluate_every);
  at_least<std::int64_t>(1, "train.evaluate_batches", settings.evaluate_batches);
  at_least<double>(0, "train.learning_rate", settings.learning_rate);
  at_least<double>(0, "train.learning_rate_end", settings.learning_rate_end);
  at_least<double>(0, "train.weight_decay", settings.weight_decay);
  at_least<double>(0, "train.clip", settings.clip);
  one_of("train.decay", settings.decay, {"all", "weights"});
  // Random draws count steps in 32 bits.
  expect(settings.iterations <= std::numeric_limits<std::uint32_t>::max(), "train.iterations", "at most 4294967295",
         settings.iterations);
}

}  // namespace

std::vector<std::string> learned_parameters(const ActivationSettings& settings) { return resolved(settings).learned; }

void check_machine() {
  if (!kernels::isa_error().empty()) throw Error(std::string(kernels::isa_error()));
}

void check(const Settings& settings) {
  constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();  // that a TOML file can hold
  expect(settings.seed <= largest, "seed", "at most " + text(largest), settings.seed);
  expect(settings.rng == 1, "rng", "1, the only recipes of random numbers that this version knows", settings.rng);
  check(settings.activation);
  models::check(model_options(settings, 0));
  data::find_data_set(settings.data.name);  // Throws for an unknown one.
  expect(settings.data.train_fraction > 0 && settings.data.train_fraction < 1, "data.train_fraction",
         "a number between 0 and 1", settings.data.train_fraction);
  check(settings.train);
}

}  // namespace limen::train
