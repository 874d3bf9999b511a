// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>

#include "models/model.h"
#include "train/batches.h"
#include "train/measures.h"

namespace limen::train {

/// `count` random batches of each split, the same for every arm of a seed. nullopt when `stop` said so before the end.
std::optional<Losses> estimate_losses(models::Model& model, const Batches& batches, std::int64_t count,
                                      math::Purpose purpose, std::int64_t step, const std::function<bool()>& stop);

}  // namespace limen::train
