// Part of limen. SPDX-License-Identifier: MIT
#include "blocks/feed_forward.h"

namespace limen::blocks {

FeedForwardImpl::FeedForwardImpl(const FeedForwardOptions& options, Activation activation)
    : activation_site_(options.activation_site),
      up_(register_module("up", Linear(options.width, options.hidden))),
      down_(register_module("down", Linear(options.hidden, options.width))),
      activation_(std::move(activation)),
      dropout_(register_module("dropout", Dropout(options.dropout, options.dropout_site))) {}

at::Tensor FeedForwardImpl::forward(const at::Tensor& x, const Context& context) {
  const at::Tensor z = up_(x);
  if (context.observe) context.observe(activation_site_, z.detach());
  return dropout_(down_(activation_(z)), context);
}

}  // namespace limen::blocks
