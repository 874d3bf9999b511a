// Part of limen. SPDX-License-Identifier: MIT
#include "train/schedule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "limen/error.h"
#include "limen/names.h"

namespace limen::train {
namespace {

// From 0 to 1 along a half wave.
double half_wave(double progress) { return (1 - std::cos(std::numbers::pi * progress)) / 2; }

double entry(const std::map<std::string, double>& values, const std::string& key, double otherwise) {
  const auto found = values.find(key);
  return found == values.end() ? otherwise : found->second;
}

}  // namespace

double learning_rate(const TrainSettings& settings, std::int64_t horizon, std::int64_t iteration) {
  const double rate = settings.learning_rate, end = settings.learning_rate_end;
  const auto i = static_cast<double>(iteration), warmup = static_cast<double>(settings.warmup);
  if (iteration < settings.warmup) return rate * i / warmup;
  const double length = static_cast<double>(horizon) - warmup;
  const double p = length > 0 ? std::clamp((i - warmup) / length, 0.0, 1.0) : 1.0;
  return end + (1 + std::cos(std::numbers::pi * p)) / 2 * (rate - end);
}

double progress(std::int64_t horizon, std::int64_t iteration) {
  const auto last = static_cast<double>(std::max<std::int64_t>(1, horizon - 1));
  return std::clamp(static_cast<double>(iteration - 1) / last, 0.0, 1.0);
}

double scheduled(std::string_view shape, double from, double to, double progress) {
  if (shape == "linear") return from + progress * (to - from);
  if (shape == "cosine") return from + half_wave(progress) * (to - from);
  if (shape == "constant") return from;
  const std::array<std::string_view, 3> shapes = {"linear", "cosine", "constant"};
  throw Error("schedule: expected \"linear\", \"cosine\" or \"constant\", got \"" + std::string(shape) + "\"; try \"" +
              nearest(shape, shapes) + "\"");
}

double scheduled(const ActivationSettings& activation, const std::string& parameter, double progress) {
  return scheduled(activation.schedule.at(parameter), entry(activation.schedule_from, parameter, 1),
                   entry(activation.schedule_to, parameter, 0), progress);
}

}  // namespace limen::train
