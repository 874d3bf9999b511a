// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include <cstddef>
#include <cstdint>

#include "blocks/context.h"
#include "blocks/dropout.h"
#include "blocks/linear.h"
#include "limen/torch.h"

namespace limen::blocks {

struct FeedForwardOptions {
  std::int64_t width;
  std::int64_t hidden;
  double dropout;
  std::uint32_t dropout_site;   ///< see Dropout
  std::size_t activation_site;  ///< see Context::observe
};

/// The hidden width at which a gated feed-forward layer, which has three matrices, has as many weights as the plain one
/// with its two: 2/3 of the plain width, to the nearest multiple of 8. The plain form keeps its width.
std::int64_t hidden_width(std::int64_t plain, Form form);

/// dropout(down(activation(up(x)))) for x [..., width]. In a gated form `up` gives 2 hidden values: those that are
/// gated (and observed), then those that pass: dropout(down(a(u) v)). Where the activation samples, the thresholds of a
/// training pass are drawn from the context's seed and step and the activation's site.
class FeedForwardImpl : public torch::nn::Module {
 public:
  /// The activation is the model's: it registers it where its parameters belong.
  FeedForwardImpl(const FeedForwardOptions& options, Activation activation);
  at::Tensor forward(const at::Tensor& x, const Context& context);

 private:
  std::size_t activation_site_;
  bool gated_;
  Linear up_, down_;
  Activation activation_;
  Dropout dropout_;
};
TORCH_MODULE(FeedForward);

}  // namespace limen::blocks
