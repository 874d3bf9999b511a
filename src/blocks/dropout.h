// Part of limen. SPDX-License-Identifier: MIT
//
// Dropout drawn from counters (limen/math/random.h): whether an element is dropped is a function of (seed, step, site,
// position) alone, so masks do not depend on threads, on order or on an interruption, and need not be kept for the
// backward pass.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include <cstdint>

#include "blocks/context.h"

namespace limen::blocks {

/// In training y = x / (1 - p) where kept and 0 where dropped, otherwise y = x. Any shape, f32 on the CPU (in training
/// limen::Error for another); the position of an
/// element is its place in row-major order. p is rounded to n / 65536 (math::DropoutRate), in the scale too.
class DropoutImpl : public torch::nn::Module {
 public:
  /// p in [0, 1]. `site` tells the dropouts of one model apart.
  DropoutImpl(double p, std::uint32_t site) : p_(p), site_(site) {}
  at::Tensor forward(const at::Tensor& x, const Context& context);

 private:
  double p_;
  std::uint32_t site_;
};
TORCH_MODULE(Dropout);

}  // namespace limen::blocks
