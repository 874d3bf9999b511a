// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "data/sampling.h"
#include "data/text.h"
#include "limen/math/random.h"

namespace limen::train {

/// Values are part of rng = 1: they tell the splits' streams apart.
enum class Split : std::uint32_t { train = 0, validation = 1 };

struct Batch {
  at::Tensor inputs, targets;  ///< i64 [batch, context]; targets are the inputs one later
};

/// Random windows of a text as tensors. Which ones depends on the seed, the purpose, the split, the step and the index
/// alone: they are the same for every arm of a seed.
class Batches {
 public:
  /// Refers to the corpus, which must outlive it. Throws limen::Error when a split is too short for the context.
  Batches(const data::CharCorpus& corpus, std::uint64_t seed, std::int64_t batch, std::int64_t context);

  /// The vocabulary's size.
  std::int64_t classes() const { return classes_; }

  /// Batch `index` of a step.
  Batch draw(Split split, math::Purpose purpose, std::int64_t step, std::int64_t index = 0) const;

 private:
  std::int64_t classes_;
  data::Windows train_, validation_;
  std::uint64_t seed_;
  std::int64_t batch_, context_;
};

}  // namespace limen::train
