// Part of limen. SPDX-License-Identifier: MIT
//
// What changes from iteration to iteration. Iterations count from 1; a schedule's length is Settings::horizon().
#pragma once

#include <cstdint>
#include <string_view>

#include "train/settings.h"

namespace limen::train {

/// The learning rate of an iteration:
///   learning_rate * iteration / warmup                                           before iteration `warmup`
///   end + (1 + cos(pi p)) / 2 * (learning_rate - end),                           from there on
///     p = (iteration - warmup) / (horizon - warmup) held in [0, 1]
/// So it is above 0 in the first iteration, the full rate at `warmup`, and the end's from the horizon on.
double learning_rate(const TrainSettings& settings, std::int64_t horizon, std::int64_t iteration);

/// How far an activation's schedule has come: (iteration - 1) / (horizon - 1) held in [0, 1]; 0 in the first iteration
/// and 1 in the last.
double progress(std::int64_t horizon, std::int64_t iteration);

/// from + w (to - from) with w = progress ("linear"), (1 - cos(pi progress)) / 2 ("cosine") or 0 ("constant").
/// Throws limen::Error for another shape.
double scheduled(std::string_view shape, double from, double to, double progress);

/// The same for a scheduled parameter of an activation, with the documented defaults 1 and 0 for the ends.
double scheduled(const ActivationSettings& activation, const std::string& parameter, double progress);

}  // namespace limen::train
