// Part of limen. SPDX-License-Identifier: MIT
#include "train/weights.h"

#include <torch/types.h>

#include <string>

#include "limen/error.h"
#include "train/activation_options.h"

namespace limen::train {
namespace {

void add(std::string& list, const std::string& entry, const char* between = ", ") {
  list += (list.empty() ? "" : between) + entry;
}

std::string text(at::IntArrayRef shape) {
  std::string out;
  for (const std::int64_t size : shape) add(out, std::to_string(size));
  return "[" + out + "]";
}

}  // namespace

models::ModelOptions model_options(const Settings& settings, std::int64_t classes) {
  return {.name = settings.model.name,
          .layers = settings.model.layers,
          .heads = settings.model.heads,
          .width = settings.model.width,
          .context = settings.model.context,
          .dropout = settings.model.dropout,
          .classes = classes,
          .activation = activation_options(settings.activation),
          .share_activation = settings.activation.shared()};
}

std::shared_ptr<models::Model> build_model(const Settings& settings, std::int64_t classes) {
  return models::make_model(model_options(settings, classes), settings.seed);
}

io::TensorMap tensors_of(const torch::nn::Module& model) {
  io::TensorMap tensors;
  for (const auto& parameter : model.named_parameters()) tensors[parameter.key()] = parameter.value().detach();
  for (const auto& buffer : model.named_buffers()) tensors[buffer.key()] = buffer.value();
  return tensors;
}

void copy_tensors(const io::TensorMap& from, const io::TensorMap& into, std::string_view what) {
  std::string missing, extra, other_shape;
  for (const auto& [name, tensor] : into) {
    const auto found = from.find(name);
    if (found == from.end())
      add(missing, name);
    else if (found->second.sizes() != tensor.sizes())
      add(other_shape, name + " (expected " + text(tensor.sizes()) + ", got " + text(found->second.sizes()) + ")");
  }
  for (const auto& entry : from)
    if (!into.contains(entry.first)) add(extra, entry.first);
  std::string faults;
  if (!missing.empty()) add(faults, "missing: " + missing, "; ");
  if (!extra.empty()) add(faults, "unexpected: " + extra, "; ");
  if (!other_shape.empty()) add(faults, "of another shape: " + other_shape, "; ");
  if (!faults.empty()) throw Error(std::string(what) + ": names or shapes differ; " + faults);
  const torch::NoGradGuard no_gradient;
  for (const auto& [name, tensor] : into) tensor.copy_(from.at(name));
}

}  // namespace limen::train
