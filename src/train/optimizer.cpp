// Part of limen. SPDX-License-Identifier: MIT
#include "train/optimizer.h"

#include <ATen/Parallel.h>
#include <torch/types.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "blocks/memory.h"
#include "limen/error.h"
#include "limen/torch.h"
#include "train/weights.h"

namespace limen::train {
namespace {

constexpr std::int64_t grain = 1 << 15;

// In f64 over 8 lanes: the compiler may not reorder a sum, so the lanes are written out.
double sum_of_squares(const at::Tensor& tensor) {
  const at::Tensor values = tensor.contiguous();
  const float* x = values.const_data_ptr<float>();
  const std::int64_t n = values.numel();
  std::array<double, 8> lane{};
  for (std::int64_t i = 0; i < n; i += 8)
    for (std::int64_t j = 0; j < std::min<std::int64_t>(8, n - i); ++j)
      lane[j] += static_cast<double>(x[i + j]) * static_cast<double>(x[i + j]);
  double sum = 0;
  for (const double part : lane) sum += part;
  return sum;
}

const at::Tensor& gradient(const TrainedParameter& parameter) {
  const at::Tensor& gradient = parameter.value.grad();
  if (!gradient.defined())
    throw Error("parameter " + parameter.name + ": expected a gradient, got none: it takes no part in the loss");
  blocks::expect_cpu_f32(gradient, "gradient of " + parameter.name);
  return gradient;
}

float* values_of(const TrainedParameter& parameter) {
  blocks::expect_cpu_f32(parameter.value, "parameter " + parameter.name);
  if (!parameter.value.is_contiguous())
    throw Error("parameter " + parameter.name +
                ": expected a contiguous tensor, got one with strides; try .contiguous()");
  return parameter.value.mutable_data_ptr<float>();
}

}  // namespace

std::vector<TrainedParameter> trained_parameters(const torch::nn::Module& model, std::string_view decay) {
  const std::vector<at::Tensor> learned = activation_parameters(model);
  std::vector<TrainedParameter> out;
  for (const auto& parameter : model.named_parameters()) {
    const at::Tensor& value = parameter.value();
    const bool of_activation = std::ranges::any_of(learned, [&](const at::Tensor& one) { return one.is_same(value); });
    out.push_back({parameter.key(), value, decay == "all" || (value.dim() >= 2 && !of_activation)});
  }
  return out;
}

double gradient_norm(const std::vector<TrainedParameter>& parameters) {
  double sum = 0;
  for (const TrainedParameter& parameter : parameters) sum += sum_of_squares(gradient(parameter));
  return std::sqrt(sum);
}

double clip_factor(double norm, double largest) { return largest > 0 ? std::min(1.0, largest / (norm + 1e-6)) : 1.0; }

AdamW::AdamW(std::vector<TrainedParameter> parameters, double weight_decay)
    : parameters_(std::move(parameters)), weight_decay_(weight_decay) {
  for (const TrainedParameter& parameter : parameters_) {
    m_.push_back(torch::zeros(parameter.value.sizes()));
    v_.push_back(torch::zeros(parameter.value.sizes()));
  }
}

void AdamW::step(double rate, double gradient_factor) {
  // Before anything changes.
  for (const TrainedParameter& parameter : parameters_) gradient(parameter), values_of(parameter);
  ++steps_;
  const auto t = static_cast<double>(steps_);
  const auto step_size = static_cast<float>(rate / (1 - std::pow(beta1, t)));
  const auto v_scale = static_cast<float>(1 / std::sqrt(1 - std::pow(beta2, t)));
  const auto factor = static_cast<float>(gradient_factor);
  constexpr auto m_rate = static_cast<float>(1 - beta1), v_keep = static_cast<float>(beta2),
                 v_rate = static_cast<float>(1 - beta2), small = static_cast<float>(epsilon);
  for (std::size_t k = 0; k < parameters_.size(); ++k) {
    const at::Tensor gradients = gradient(parameters_[k]).contiguous();
    const float* g = gradients.const_data_ptr<float>();
    float* w = values_of(parameters_[k]);
    float* m = m_[k].mutable_data_ptr<float>();
    float* v = v_[k].mutable_data_ptr<float>();
    const auto keep = static_cast<float>(parameters_[k].decays ? 1 - rate * weight_decay_ : 1.0);
    at::parallel_for(0, gradients.numel(), grain, [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const float slope = g[i] * factor;
        m[i] += m_rate * (slope - m[i]);
        v[i] = v_keep * v[i] + v_rate * slope * slope;
        w[i] = w[i] * keep - step_size * m[i] / (std::sqrt(v[i]) * v_scale + small);
      }
    });
  }
}

io::TensorMap AdamW::moments() const {
  io::TensorMap moments;
  for (std::size_t k = 0; k < parameters_.size(); ++k) {
    moments["m." + parameters_[k].name] = m_[k];
    moments["v." + parameters_[k].name] = v_[k];
  }
  return moments;
}

void AdamW::restore(std::int64_t steps, const io::TensorMap& moments) {
  copy_tensors(moments, this->moments(), "the optimiser's moments");
  steps_ = steps;
}

}  // namespace limen::train
