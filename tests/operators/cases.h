// Part of limen. SPDX-License-Identifier: MIT
//
// What the tests of this room run over: every activation of the registry, so that a new one is covered with no edit.
#pragma once

#include <torch/torch.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "limen/registry.h"
#include "limen/torch.h"
#include "parameters.h"

namespace limen::testing {

using OptionalTensors = std::vector<std::optional<at::Tensor>>;

using test::other_value;

inline std::vector<double> defaults(const ActivationInfo& about) {
  std::vector<double> values;
  for (std::size_t k = 0; k < about.parameter_count; ++k) values.push_back(about.parameter[k].initial);
  return values;
}

inline std::vector<double> others(const ActivationInfo& about) {
  std::vector<double> values;
  for (std::size_t k = 0; k < about.parameter_count; ++k) values.push_back(other_value(about.parameter[k]));
  return values;
}

/// One tensor a parameter: [] with the other value, or [channels] from near the default, which may be the edge of
/// the domain, to the other value. Whole numbers stay whole.
inline OptionalTensors parameter_tensors(const ActivationInfo& about, std::int64_t channels = 0) {
  OptionalTensors tensors;
  for (std::size_t k = 0; k < about.parameter_count; ++k) {
    const Parameter& parameter = about.parameter[k];
    const double other = other_value(parameter);
    auto tensor = channels == 0
                      ? torch::full({}, other, torch::kFloat64)
                      : torch::linspace(0.9 * parameter.initial + 0.1 * other, other, channels, torch::kFloat64);
    if (parameter.integer) tensor = tensor.round();
    tensors.emplace_back(tensor.requires_grad_());
  }
  return tensors;
}

inline constexpr std::array all_types = {torch::kFloat32, torch::kFloat64, torch::kBFloat16, torch::kFloat16};

/// Uniform on [-4, 4]: both tails and the transition of every default.
inline at::Tensor inputs(at::IntArrayRef shape, at::ScalarType type = torch::kFloat64) {
  return (torch::rand(shape, torch::kFloat64) * 8 - 4).to(type);
}

/// What equal bits are compared on: a NaN equals itself, 0 and -0 differ.
inline at::Tensor bits(const at::Tensor& tensor) {
  const at::ScalarType of_size = tensor.element_size() == 8   ? torch::kInt64
                                 : tensor.element_size() == 4 ? torch::kInt32
                                                              : torch::kInt16;
  return tensor.contiguous().view(of_size);
}
inline bool same_bits(const at::Tensor& a, const at::Tensor& b) {
  return a.scalar_type() == b.scalar_type() && torch::equal(bits(a), bits(b));
}

/// The gradients of sum(output * weights): of the input, then of each parameter tensor.
inline std::vector<at::Tensor> gradients(const at::Tensor& input, const ActivationInfo& about,
                                         const OptionalTensors& tensors, const at::Tensor& weights,
                                         std::int64_t axis = 1) {
  const at::Tensor leaf = input.detach().requires_grad_();
  const at::Tensor output = activation(leaf, about.name, {}, tensors, axis);
  std::vector<at::Tensor> leaves = {leaf};
  for (const auto& tensor : tensors) leaves.push_back(*tensor);
  return torch::autograd::grad({output}, leaves, {weights});
}

}  // namespace limen::testing
