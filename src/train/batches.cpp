// Part of limen. SPDX-License-Identifier: MIT
#include "train/batches.h"

#include <torch/types.h>

#include <span>

namespace limen::train {

Batches::Batches(const data::CharCorpus& corpus, std::uint64_t seed, std::int64_t batch, std::int64_t context)
    : classes_(static_cast<std::int64_t>(corpus.vocabulary.size())),
      train_(corpus.train, context, corpus.vocabulary.size(), corpus.name + ", train"),
      validation_(corpus.validation, context, corpus.vocabulary.size(), corpus.name + ", validation"),
      seed_(seed),
      batch_(batch),
      context_(context) {}

Batch Batches::draw(Split split, math::Purpose purpose, std::int64_t step, std::int64_t index) const {
  const math::Stream stream(seed_, purpose, static_cast<std::uint32_t>(split), static_cast<std::uint32_t>(step));
  Batch batch{torch::empty({batch_, context_}, torch::kLong), torch::empty({batch_, context_}, torch::kLong)};
  const auto values = [](at::Tensor& tensor) {
    return std::span(tensor.mutable_data_ptr<std::int64_t>(), static_cast<std::size_t>(tensor.numel()));
  };
  const data::Windows& windows = split == Split::train ? train_ : validation_;
  windows.sample(stream, values(batch.inputs), values(batch.targets), static_cast<std::uint64_t>(index * batch_));
  return batch;
}

}  // namespace limen::train
