// Part of limen. SPDX-License-Identifier: MIT
//
// The operators limen::fused_activation and its backward as C++ types, and what their arguments mean.
#pragma once

#include "limen/strided.h"
#include "operators/call.h"

namespace limen::op {

using Maybe = std::optional<at::Tensor>;
using Fused = at::Tensor(const at::Tensor& input, const Maybe& bias, const Maybe& factor, std::string_view name,
                         Numbers numbers, const Tensors& tensors, std::int64_t axis, double dropout, std::int64_t seed,
                         std::int64_t site, std::int64_t step);
/// Entry 0 of `needs` is the input's (and the bias's, whose gradient is a sum of it), entry 1 the factor's, entry 2 + k
/// that of tensors[k].
using FusedBackward = std::vector<at::Tensor>(const at::Tensor& grad_output, const at::Tensor& input, const Maybe& bias,
                                              const Maybe& factor, std::string_view name, Numbers numbers,
                                              const Tensors& tensors, std::int64_t axis, double dropout,
                                              std::int64_t seed, std::int64_t site, std::int64_t step,
                                              const Needs& needs);

const c10::TypedOperatorHandle<Fused>& fused_operator();
const c10::TypedOperatorHandle<FusedBackward>& fused_backward_operator();

inline at::Tensor or_none(const Maybe& tensor) { return tensor.value_or(at::Tensor()); }
inline Maybe maybe(const at::Tensor& tensor) { return tensor.defined() ? Maybe(tensor) : std::nullopt; }

/// What dropout draws from.
struct Drawn {
  double rate;
  std::int64_t seed, site, step;

  bool acts() const { return math::DropoutRate(rate).n() > 0; }
  kernels::Dropout dropout() const {
    return {math::Stream(static_cast<std::uint64_t>(seed), math::Purpose::dropout, static_cast<std::uint32_t>(site),
                         static_cast<std::uint32_t>(step)),
            math::DropoutRate(rate)};
  }
};

/// The arguments beside those of limen::activation. Throws limen::Error.
void check_fused(const at::Tensor& input, const Maybe& bias, const Maybe& factor, const Drawn& drawn);

}  // namespace limen::op
