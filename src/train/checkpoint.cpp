// Part of limen. SPDX-License-Identifier: MIT
#include "train/checkpoint.h"

#include "io/checkpoint_folder.h"
#include "io/error.h"
#include "io/files.h"
#include "io/safetensors.h"
#include "limen/error.h"
#include "train/weights.h"

namespace limen::train {
namespace {

State read_checkpoint(const std::filesystem::path& path, models::Model& model, AdamW& optimizer) {
  const std::filesystem::path state_path = path / "state.json";
  const io::Json json = io::parse_json(io::read_file(state_path), state_path.string());
  const State state{.iteration = json.at("iteration"),
                    .evaluation_due = json.at("evaluation_due"),
                    .metrics_bytes = json.at("metrics_bytes"),
                    .best_iteration = json.at("best_iteration"),
                    .best_validation_loss = io::to_number(json.at("best_validation_loss"))};
  const std::filesystem::path model_path = path / "model.safetensors";
  copy_tensors(io::read_safetensors(model_path).tensors, tensors_of(model), model_path.string());
  optimizer.restore(json.at("optimizer_steps"), io::read_safetensors(path / "optimizer.safetensors").tensors);
  return state;
}

}  // namespace

void save_checkpoint(const io::RunFolder& folder, const models::Model& model, const AdamW& optimizer,
                     const State& state) {
  const std::filesystem::path fresh = io::begin_folder(folder.checkpoint());
  io::write_safetensors(fresh / "model.safetensors", {tensors_of(model), {}});
  io::write_safetensors(fresh / "optimizer.safetensors", {optimizer.moments(), {}});
  const io::Json json = {
      {"iteration", state.iteration},           {"evaluation_due", state.evaluation_due},
      {"optimizer_steps", optimizer.steps()},   {"metrics_bytes", state.metrics_bytes},
      {"best_iteration", state.best_iteration}, {"best_validation_loss", state.best_validation_loss}};
  io::write_file(fresh / "state.json", io::to_line(json) + "\n");
  io::commit_folder(folder.checkpoint());
}

bool load_checkpoint(const io::RunFolder& folder, models::Model& model, AdamW& optimizer, State& state) {
  const std::filesystem::path path = folder.checkpoint();
  if (!io::recover_folder(path)) return false;
  try {
    state = read_checkpoint(path, model, optimizer);
  } catch (const std::exception& error) {
    throw io::SystemError(std::string(error.what()) + "; remove " + path.string() + " to begin this run anew");
  }
  return true;
}

}  // namespace limen::train
