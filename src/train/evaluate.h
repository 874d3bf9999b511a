// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>

#include "models/model.h"
#include "train/batches.h"

namespace limen::train {

/// Of both splits: means of batch losses, in nats, dropout off.
struct Losses {
  double train;
  double validation;
};

/// `count` random batches of each split, the same for every arm of a seed. nullopt when `stop` said so before the end.
std::optional<Losses> estimate_losses(models::Model& model, const Batches& batches, std::int64_t count,
                                      math::Purpose purpose, std::int64_t step, const std::function<bool()>& stop);

}  // namespace limen::train
