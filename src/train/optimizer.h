// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/safetensors.h"

namespace limen::train {

struct TrainedParameter {
  std::string name;
  at::Tensor value;  ///< f32, contiguous
  bool decays;
};

/// The parameters of a model and which of them decay. `decay` is "all", or "weights": matrices and embeddings (two
/// dimensions or more), but no biases, norms or learned parameters of activations.
std::vector<TrainedParameter> trained_parameters(const torch::nn::Module& model, std::string_view decay);

/// The square root of the sum of all squared gradients; summed in f64 in a fixed order. Throws limen::Error for a
/// parameter that has no gradient, or one that is not f32 on the CPU.
double gradient_norm(const std::vector<TrainedParameter>& parameters);

/// What gradients are multiplied by so that their norm is at most `largest` (0: no limit):
/// min(1, largest / (norm + 1e-6)), as torch's clip_grad_norm_.
double clip_factor(double norm, double largest);

/// AdamW (Loshchilov and Hutter 2019) with decoupled decay, as torch.optim.AdamW:
///   w *= 1 - rate * decay                        (where the parameter decays)
///   m += (1 - beta1) (g - m);  v = beta2 v + (1 - beta2) g^2
///   w -= rate / (1 - beta1^t) * m / (sqrt(v / (1 - beta2^t)) + epsilon)
class AdamW {
 public:
  AdamW(std::vector<TrainedParameter> parameters, double weight_decay);

  /// One step along the gradients times `gradient_factor`. Throws limen::Error, and changes nothing, when a parameter
  /// has no gradient or one of the two is not f32 on the CPU.
  void step(double rate, double gradient_factor);

  const std::vector<TrainedParameter>& parameters() const { return parameters_; }

  /// The number of steps taken and the moments as "m.<name>" and "v.<name>": what a checkpoint holds.
  std::int64_t steps() const { return steps_; }
  io::TensorMap moments() const;
  /// The reverse. Throws limen::Error listing the names that are missing or not expected.
  void restore(std::int64_t steps, const io::TensorMap& moments);

  static constexpr double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;

 private:
  std::vector<TrainedParameter> parameters_;
  std::vector<at::Tensor> m_, v_;
  double weight_decay_;
  std::int64_t steps_ = 0;
};

}  // namespace limen::train
