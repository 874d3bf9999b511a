// Part of limen. SPDX-License-Identifier: MIT
//
// From settings to a model, and its tensors to and from files.
#pragma once

#include <torch/nn/module.h>

#include <memory>
#include <string_view>

#include "io/safetensors.h"
#include "models/model.h"
#include "train/settings.h"

namespace limen::train {

/// What the settings ask of a model; `classes` is the data's (its vocabulary's size).
models::ModelOptions model_options(const Settings& settings, std::int64_t classes);

/// The model of a run with its initial weights; `classes` is the data's (its vocabulary's size).
/// Throws limen::Error where settings do not fit.
std::shared_ptr<models::Model> build_model(const Settings& settings, std::int64_t classes);

/// Parameters and buffers by name; they share the model's memory.
io::TensorMap tensors_of(const torch::nn::Module& model);

/// Copies `from` into the tensors of `into`, which must have the same names and shapes. Throws limen::Error that lists
/// what is missing, not expected, or of another shape; then nothing was copied. `what` names them in the message.
void copy_tensors(const io::TensorMap& from, const io::TensorMap& into, std::string_view what);

}  // namespace limen::train
