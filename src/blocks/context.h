// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <functional>

namespace limen::blocks {

/// What a forward pass needs to know besides its input. Passed down by the model, so that no block keeps state between
/// passes and two passes with equal contexts, inputs and weights give equal bits.
struct Context {
  std::uint64_t seed = 0;
  std::uint32_t step = 0;  ///< with `seed`, what the dropout decisions of this pass are drawn from
  bool training = false;   ///< dropout acts

  /// When set, called with every activation's input (without gradient): `site` is its place in Model::sites().
  std::function<void(std::size_t site, const at::Tensor& z)> observe = nullptr;
};

}  // namespace limen::blocks
