// Part of limen. SPDX-License-Identifier: MIT
#include "operators/call.h"

#include <c10/core/ScalarType.h>
#include <c10/util/StringUtil.h>

#include <algorithm>
#include <string>

#include "limen/error.h"
#include "operators/messages.h"

namespace limen::op {
namespace {

bool is_supported(at::ScalarType type) {
  return type == at::kFloat || type == at::kDouble || type == at::kBFloat16 || type == at::kHalf;
}
constexpr const char* supported_types = "float32, float64, bfloat16 or float16";

std::string type_name(at::ScalarType type) { return std::string(c10::getDtypeNames(type).first); }

std::string shape(const at::Tensor& tensor) { return c10::str(tensor.sym_sizes()); }

/// "[2, 3] of float32 on cpu"
std::string described(const at::Tensor& tensor) {
  return shape(tensor) + " of " + type_name(tensor.scalar_type()) + " on " + tensor.device().str();
}

/// Which parameter a message is about.
struct Place {
  const ActivationInfo& activation;
  const Parameter& parameter;

  Error error(const std::string& sentence) const {
    return Error("limen::activation(" + std::string(activation.name) + "): " + sentence);
  }
  std::string name() const { return std::string(parameter.name); }
};

void check_number(const Place& place, double number, at::ScalarType type) {
  // Narrow types compute in float32.
  const double rounded = type == at::kDouble ? number : static_cast<double>(static_cast<float>(number));
  if (place.parameter.accepts(rounded)) return;
  const bool by_rounding = place.parameter.accepts(number);
  throw place.error(outside_domain(place.parameter, number) +
                    (by_rounding ? ", which float32 rounds to " + text(rounded) : ""));
}

/// Whether the tensor holds one value a channel rather than one in all.
bool check_tensor(const Place& place, const at::Tensor& tensor, const at::Tensor& input, std::int64_t axis) {
  if (!is_supported(tensor.scalar_type()))
    throw place.error("expected " + place.name() + " as a " + supported_types + " tensor, got " +
                      type_name(tensor.scalar_type()));
  if (tensor.device() != input.device())
    throw place.error("expected " + place.name() + " on the input's device " + input.device().str() + ", got " +
                      tensor.device().str());
  if (tensor.dim() <= 1 && tensor.sym_numel() == 1) return false;
  const std::int64_t dim = input.dim();
  const auto of_input = [&] { return " for an input of shape " + shape(input); };
  if (tensor.dim() == 1 && dim > 0 && (axis < -dim || axis >= dim))
    throw place.error("expected an axis from " + std::to_string(-dim) + " to " + std::to_string(dim - 1) +
                      " for the channels of " + place.name() + ", got " + std::to_string(axis) + of_input());
  if (tensor.dim() != 1 || dim == 0 || tensor.sym_size(0) != input.sym_size(axis))
    throw place.error("expected " + place.name() + " of shape [], [1] or [C] with C = input.size(axis), got " +
                      shape(tensor) + of_input() + " and axis " + std::to_string(axis));
  return true;
}

/// `what` is one of them: "number".
void check_count(const char* what, std::size_t count, const ActivationInfo& info) {
  if (count <= info.parameter_count) return;
  const std::string most = info.parameter_count == 0 ? "no" : std::to_string(info.parameter_count);
  const std::string names = info.parameter_count == 0 ? "" : " (" + parameter_names(info) + ")";
  throw Error("limen::activation: " + std::string(info.name) + " takes " + most + " " + what +
              (info.parameter_count == 1 ? "" : "s") + names + ", got " + std::to_string(count));
}

}  // namespace

void check_type(std::string_view where, const at::Tensor& input) {
  if (!is_supported(input.scalar_type()))
    throw Error(std::string(where) + ": expected a " + supported_types + " input, got " +
                type_name(input.scalar_type()) + "; try input.to(torch.float32)");
}

Call read_call(const at::Tensor& input, std::string_view name, Numbers numbers, const Tensors& tensors,
               std::int64_t axis) {
  const auto id = find(name);
  if (!id) throw Error("limen::activation: " + unknown_activation(name, Spellings::registry));
  check_type("limen::activation", input);
  const ActivationInfo& about = info(*id);
  check_count("number", numbers.size(), about);
  check_count("tensor", tensors.size(), about);

  Call call{.id = *id};
  for (std::size_t k = 0; k < about.parameter_count; ++k) {
    const Parameter& parameter = about.parameter[k];
    const Place place{about, parameter};
    std::optional<at::Tensor> tensor;
    if (k < tensors.size()) tensor = tensors.get(k);
    if (tensor && tensor->defined()) {
      call.tensor[k] = *std::move(tensor);
      call.per_channel[k] = check_tensor(place, call.tensor[k], input, axis);
      if (call.per_channel[k]) call.axis = axis < 0 ? axis + input.dim() : axis;
    } else {
      call.number[k] = k < numbers.size() ? numbers[k] : parameter.initial;
      check_number(place, call.number[k], input.scalar_type());
    }
  }
  return call;
}

void check_like(const char* where, const char* what, const at::Tensor& tensor, const at::Tensor& input) {
  if (tensor.scalar_type() != input.scalar_type() || tensor.device() != input.device() ||
      tensor.sym_sizes() != input.sym_sizes())
    throw Error(std::string(where) + ": expected " + what + " like the input, " + described(input) + ", got " +
                described(tensor));
}

namespace {

/// Throws unless `needs` holds `others` entries and one for each tensor, false where that is not set.
void check_needs(const char* where, const Tensors& tensors, const Needs& needs, std::size_t others) {
  bool matches = needs.size() == tensors.size() + others;
  for (std::size_t k = 0; matches && k < tensors.size(); ++k)
    matches = !needs.get(k + others) || entry(tensors, k).defined();
  if (!matches)
    throw Error(std::string(where) + ": expected needs for " + (others == 1 ? "the input" : "grad_output, the input") +
                " and each entry of tensors, " + std::to_string(tensors.size() + others) +
                " in all, false where the entry is not set; got " + std::to_string(needs.size()));
}

}  // namespace

at::Tensor entry(const Tensors& tensors, std::size_t k) {
  return k < tensors.size() ? tensors.get(k).value_or(at::Tensor()) : at::Tensor();
}

bool any(const Needs& needs, std::size_t first) {
  return std::find(needs.begin() + static_cast<std::ptrdiff_t>(first), needs.end(), true) != needs.end();
}

void check_backward(const at::Tensor& grad_output, const at::Tensor& input, const Tensors& tensors,
                    const Needs& needs) {
  check_like("limen::activation_backward", "grad_output", grad_output, input);
  check_needs("limen::activation_backward", tensors, needs, 1);
}

void check_second_backward(const at::Tensor& grad_output, const at::Tensor& input, const Tensors& tensors,
                           const std::optional<at::Tensor>& v, const Tensors& w, const Needs& needs) {
  constexpr const char* where = "limen::activation_second_backward";
  check_like(where, "grad_output", grad_output, input);
  if (v && v->defined()) check_like(where, "v", *v, input);
  check_needs(where, tensors, needs, 2);
  for (std::size_t k = 0; k < w.size(); ++k) {
    const at::Tensor cotangent = entry(w, k), tensor = entry(tensors, k);
    if (!cotangent.defined()) continue;
    if (!tensor.defined() || cotangent.sym_sizes() != tensor.sym_sizes() || cotangent.device() != tensor.device())
      throw Error(std::string(where) + ": expected w like tensors, got " + described(cotangent) + " for " +
                  (tensor.defined() ? described(tensor) : "an entry that is not set"));
  }
}

const c10::TypedOperatorHandle<Forward>& forward_operator() {
  static const auto found = find_operator<Forward>("limen::activation");
  return found;
}
const c10::TypedOperatorHandle<InPlace>& in_place_operator() {
  static const auto found = find_operator<InPlace>("limen::activation_");
  return found;
}
const c10::TypedOperatorHandle<Backward>& backward_operator() {
  static const auto found = find_operator<Backward>("limen::activation_backward");
  return found;
}
const c10::TypedOperatorHandle<SecondBackward>& second_backward_operator() {
  static const auto found = find_operator<SecondBackward>("limen::activation_second_backward");
  return found;
}

}  // namespace limen::op
