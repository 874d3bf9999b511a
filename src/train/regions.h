// Part of limen. SPDX-License-Identifier: MIT
//
// Where the pre-activations of a trained model lie. A threshold of bounded support divides the line into three
// regions: closed below the law's support, where the gate is 0, transition on it (both ends included), open above it,
// where the gate is 1.
#pragma once

#include "io/json.h"
#include "limen/member.h"
#include "limen/torch.h"
#include "models/model.h"
#include "train/batches.h"

namespace limen::train {

struct Knees {
  double lower, upper;  ///< the ends of the support
};

/// The activation with its present parameters, one value each.
Member member_of(const Activation& activation);

/// The knees of an activation that has them (has_knees) with its present parameters.
Knees knees(const Activation& activation);

/// Shares of all pre-activations of 20 fresh validation batches, dropout off, pooled over the sites and of each:
/// {"closed", "transition", "open", "sites": [{"site", "closed", "transition", "open"}]}; null when the
/// activation has no knees.
io::Json regions(models::Model& model, const Batches& batches);

}  // namespace limen::train
