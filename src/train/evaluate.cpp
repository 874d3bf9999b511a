// Part of limen. SPDX-License-Identifier: MIT
#include "train/evaluate.h"

#include <torch/types.h>

#include "blocks/loss.h"

namespace limen::train {
namespace {

std::optional<double> mean_loss(models::Model& model, const Batches& batches, Split split, std::int64_t count,
                                math::Purpose purpose, std::int64_t step, const std::function<bool()>& stop) {
  const torch::NoGradGuard no_gradient;
  double sum = 0;
  for (std::int64_t b = 0; b < count; ++b) {
    if (stop()) return std::nullopt;
    const Batch batch = batches.draw(split, purpose, step, b);
    sum += blocks::cross_entropy(model.forward(batch.inputs, {}), batch.targets).item<double>();
  }
  return sum / static_cast<double>(count);
}

}  // namespace

std::optional<Losses> estimate_losses(models::Model& model, const Batches& batches, std::int64_t count,
                                      math::Purpose purpose, std::int64_t step, const std::function<bool()>& stop) {
  const auto train = mean_loss(model, batches, Split::train, count, purpose, step, stop);
  const auto validation = train ? mean_loss(model, batches, Split::validation, count, purpose, step, stop) : train;
  if (!validation) return std::nullopt;
  return Losses{*train, *validation};
}

}  // namespace limen::train
