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

/// dropout(down(activation(up(x)))) for x [..., width].
class FeedForwardImpl : public torch::nn::Module {
 public:
  /// The activation is the model's: it registers it where its parameters belong.
  FeedForwardImpl(const FeedForwardOptions& options, Activation activation);
  at::Tensor forward(const at::Tensor& x, const Context& context);

 private:
  std::size_t activation_site_;
  Linear up_, down_;
  Activation activation_;
  Dropout dropout_;
};
TORCH_MODULE(FeedForward);

}  // namespace limen::blocks
