// Part of limen. SPDX-License-Identifier: MIT
#include <torch/torch.h>

#include <algorithm>
#include <unordered_set>

#include "limen/registry.h"
#include "limen/torch.h"
#include "operators/call.h"
#include "operators/learned.h"
#include "operators/messages.h"
#include "operators/table.h"

namespace limen {

at::Tensor activation(const at::Tensor& input, std::string_view name, at::ArrayRef<double> numbers,
                      at::ArrayRef<std::optional<at::Tensor>> tensors, std::int64_t axis) {
  static const op::Tensors none;
  if (!input.defined()) throw Error("limen::activation: expected an input, got an undefined tensor");
  if (tensors.empty()) return op::forward_operator().call(input, name, numbers, none, axis);
  return op::forward_operator().call(input, name, numbers, op::Tensors(tensors), axis);
}

at::Tensor& activation_(at::Tensor& input, std::string_view name, at::ArrayRef<double> numbers,
                        at::ArrayRef<std::optional<at::Tensor>> tensors, std::int64_t axis) {
  if (!input.defined()) throw Error("limen::activation_: expected an input, got an undefined tensor");
  return op::in_place_operator().call(input, name, numbers, op::Tensors(tensors), axis);
}

ActivationImpl::ActivationImpl(ActivationOptions options)
    : options_(resolve(std::move(options))), info_(op::find_info(options_.name)) {
  reset();
}

const ActivationInfo& ActivationImpl::info() const { return *info_; }

bool ActivationImpl::is_learned(std::size_t k) const {
  return std::ranges::find(options_.learned, info().parameter[k].name) != options_.learned.end();
}

std::size_t ActivationImpl::place(std::string_view parameter) const {
  for (std::size_t k = 0; k < stored_.size(); ++k)
    if (info().parameter[k].name == parameter) return k;
  throw Error(options_.name + ": " + op::unknown_parameter(info(), parameter));
}

void ActivationImpl::reset() {
  stored_.clear();
  if (options_.law) {
    levels_ = register_buffer("levels", op::vector_of(options_.law->levels()));
    quantiles_ = register_buffer("quantiles", op::vector_of(options_.law->quantiles()));
  }
  if (options_.sampled)
    step_ = register_buffer("step", torch::full({}, static_cast<std::int64_t>(options_.draw.step), torch::kInt64));
  for (std::size_t k = 0; k < info().parameter_count; ++k) {
    const Parameter& parameter = info().parameter[k];
    const std::string name(parameter.name);
    const double value = options_.parameters.at(name);
    if (is_learned(k)) {
      std::vector<std::int64_t> shape;
      if (options_.channels > 0) shape.push_back(options_.channels);
      const at::TensorOptions type = torch::get_default_dtype();
      stored_.push_back(register_parameter("raw_" + name, torch::full(shape, op::raw_from(parameter, value), type)));
    } else {
      // In float64, so that a float64 input meets the very number that was asked for.
      stored_.push_back(register_buffer(name, torch::full({}, value, torch::kFloat64)));
    }
  }
}

at::Tensor ActivationImpl::value(std::size_t k) const {
  return is_learned(k) ? op::value_from(info().parameter[k], stored_[k]) : stored_[k];
}

at::Tensor ActivationImpl::value(std::string_view parameter) const { return value(place(parameter)); }

void ActivationImpl::set(std::string_view parameter, double value) {
  const std::size_t k = place(parameter);
  if (is_learned(k)) throw Error(options_.name + ": " + std::string(parameter) + " is learned and cannot be set");
  if (!info().parameter[k].accepts(value))
    throw Error(options_.name + ": " + op::outside_domain(info().parameter[k], value));
  const torch::NoGradGuard no_grad;
  stored_[k].fill_(value);
}

ActivationImpl::Values ActivationImpl::values() const {
  // Fixed ones too as tensors: they are never copied to the host, wherever the module lives.
  Values tensors;
  for (std::size_t k = 0; k < stored_.size(); ++k) tensors.emplace_back(value(k));
  return tensors;
}

at::Tensor ActivationImpl::mean(const at::Tensor& input) const {
  if (options_.law) return empirical(input, levels_, quantiles_);
  return activation(input, info().name, {}, values(), options_.axis);
}

at::Tensor ActivationImpl::mean_or_drawn(const at::Tensor& input, const std::optional<Draw>& draw) const {
  const at::Tensor a = mean(input);
  return options_.sampled && draw ? sampled(input, a, *draw) : a;
}

at::Tensor ActivationImpl::forward(const at::Tensor& input) {
  if (!options_.sampled || !is_training()) return pass(input);
  Draw draw = options_.draw;
  draw.step = static_cast<std::uint32_t>(step_.item<std::int64_t>());
  step_.add_(1);
  return pass(input, draw);
}

at::Tensor ActivationImpl::pass(const at::Tensor& input, const std::optional<Draw>& draw) const {
  if (options_.form != Form::plain) throw Error(options_.name + ": expected two inputs of a gated form, got one");
  return mean_or_drawn(input, draw);
}

at::Tensor ActivationImpl::pass(const at::Tensor& u, const at::Tensor& v, const std::optional<Draw>& draw) const {
  switch (options_.form) {
    case Form::plain:
      throw Error(options_.name + ": expected one input, got two; try gated(" + options_.name + ")");
    case Form::glu:
      return at::sigmoid(u * value(0)) * v;
    case Form::gated:
      break;
  }
  if (options_.law || (options_.sampled && draw)) return mean_or_drawn(u, draw) * v;
  return fused_activation(u, {.factor = v}, info().name, {}, values(), options_.axis);
}

void ActivationImpl::pretty_print(std::ostream& stream) const {
  stream << "limen::Activation("
         << (options_.form == Form::gated ? "gated "
             : options_.form == Form::glu ? "glu "
                                          : "")
         << info().name;
  if (options_.law) stream << ", " << options_.law->levels().size() << " quantiles";
  if (options_.sampled) stream << ", sampled";
  for (std::size_t k = 0; k < stored_.size(); ++k) {
    stream << ", " << info().parameter[k].name;
    if (stored_[k].dim() > 0)
      stream << "[" << op::text(static_cast<double>(stored_[k].size(0))) << " along axis "
             << op::text(static_cast<double>(options_.axis)) << "]";
    else
      stream << "=" << op::short_text(value(k).item<double>());
    if (is_learned(k)) stream << " learned";
  }
  stream << ")";
}

std::vector<at::Tensor> activation_parameters(const torch::nn::Module& module) {
  std::vector<at::Tensor> found;
  std::unordered_set<const c10::TensorImpl*> seen;
  const auto collect = [&](const torch::nn::Module& one) {
    if (dynamic_cast<const ActivationImpl*>(&one) == nullptr) return;
    for (const at::Tensor& parameter : one.parameters(/*recurse=*/false))
      if (seen.insert(parameter.unsafeGetTensorImpl()).second) found.push_back(parameter);
  };
  collect(module);
  for (const auto& child : module.modules(/*include_self=*/false)) collect(*child);
  return found;
}

}  // namespace limen
