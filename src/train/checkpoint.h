// Part of limen. SPDX-License-Identifier: MIT
//
// What a run needs to go on as if it had never stopped: checkpoint/{model,optimizer}.safetensors and state.json.
#pragma once

#include <cstdint>
#include <limits>

#include "io/run_folder.h"
#include "models/model.h"
#include "train/optimizer.h"

namespace limen::train {

struct State {
  std::int64_t iteration = 0;        ///< steps done
  bool evaluation_due = false;       ///< the evaluation of `iteration` is still to be made
  std::uintmax_t metrics_bytes = 0;  ///< length of metrics.jsonl; what a later process finds beyond it is cut off
  std::int64_t best_iteration = 0;
  double best_validation_loss = std::numeric_limits<double>::infinity();
};

void save_checkpoint(const io::RunFolder& folder, const models::Model& model, const AdamW& optimizer,
                     const State& state);

/// Fills model, optimiser and state from the folder's checkpoint; false, and nothing changed, when there is none.
/// Throws limen::Error when it belongs to another model.
bool load_checkpoint(const io::RunFolder& folder, models::Model& model, AdamW& optimizer, State& state);

}  // namespace limen::train
