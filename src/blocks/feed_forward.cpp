// Part of limen. SPDX-License-Identifier: MIT
#include "blocks/feed_forward.h"

#include <torch/types.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace limen::blocks {

std::int64_t hidden_width(std::int64_t plain, Form form) {
  return form == Form::plain ? plain : std::max<std::int64_t>(8, (plain * 2 / 3 + 4) / 8 * 8);
}

FeedForwardImpl::FeedForwardImpl(const FeedForwardOptions& options, Activation activation)
    : activation_site_(options.activation_site),
      gated_(activation->options().form != Form::plain),
      up_(register_module("up", Linear(options.width, (gated_ ? 2 : 1) * options.hidden))),
      down_(register_module("down", Linear(options.hidden, options.width))),
      activation_(std::move(activation)),
      dropout_(register_module("dropout", Dropout(options.dropout, options.dropout_site))) {}

at::Tensor FeedForwardImpl::forward(const at::Tensor& x, const Context& context) {
  const std::optional<Draw> draw =
      context.training ? std::optional(Draw{context.seed, static_cast<std::uint32_t>(activation_site_), context.step})
                       : std::nullopt;
  const std::vector<at::Tensor> halves = gated_ ? up_(x).chunk(2, -1) : std::vector{up_(x)};
  if (context.observe) context.observe(activation_site_, halves[0].detach());
  const at::Tensor passed = gated_ ? activation_->pass(halves[0], halves[1], draw) : activation_->pass(halves[0], draw);
  return dropout_(down_(passed), context);
}

}  // namespace limen::blocks
