// Part of limen. SPDX-License-Identifier: MIT
#include "operators/call.h"

#include <c10/core/ScalarType.h>
#include <c10/util/StringUtil.h>

#include <string>

#include "limen/error.h"
#include "operators/messages.h"

namespace limen::op {
namespace {

bool is_supported(at::ScalarType type) { return type == at::kFloat || type == at::kDouble; }

std::string type_name(at::ScalarType type) { return std::string(c10::getDtypeNames(type).first); }

std::string shape(const at::Tensor& tensor) { return c10::str(tensor.sym_sizes()); }

void check_input(const at::Tensor& input) {
  if (!is_supported(input.scalar_type()))
    throw Error("limen::activation: an input of type float32 or float64 was expected, " +
                type_name(input.scalar_type()) + " came; convert it, as in input.to(torch.float32)");
}

/// `where` names the parameter in messages, as in "beta of uelu".
void check_number(const Parameter& parameter, double number, at::ScalarType type, const std::string& where) {
  const double rounded = type == at::kFloat ? static_cast<double>(static_cast<float>(number)) : number;
  if (!parameter.accepts(rounded))
    throw Error("limen::activation: " + where + " with " + expected_domain(parameter, number) + " was expected, " +
                text(number) + " came" +
                (parameter.accepts(number) ? ", which leaves the domain when rounded to float32" : ""));
}

/// Whether the tensor holds one value a channel rather than one in all.
bool check_tensor(const at::Tensor& tensor, const at::Tensor& input, std::int64_t axis, const std::string& where) {
  if (!is_supported(tensor.scalar_type()))
    throw Error("limen::activation: " + where + " as a tensor of type float32 or float64 was expected, " +
                type_name(tensor.scalar_type()) + " came");
  if (tensor.device() != input.device())
    throw Error("limen::activation: " + where + " on the input's device " + input.device().str() + " was expected, " +
                tensor.device().str() + " came");
  if (tensor.dim() <= 1 && tensor.sym_numel() == 1) return false;
  const std::int64_t dim = input.dim();
  if (tensor.dim() == 1 && (axis < -dim || axis >= dim))
    throw Error("limen::activation: " + where + " has " + shape(tensor) + " values, one a channel, so an axis from " +
                std::to_string(-dim) + " to " + std::to_string(dim - 1) + " was expected for an input of shape " +
                shape(input) + ", axis " + std::to_string(axis) + " came");
  if (tensor.dim() != 1 || tensor.sym_size(0) != input.sym_size(axis))
    throw Error("limen::activation: " + where + " of shape [], [1] or [C] with C = input.size(axis) was expected, " +
                shape(tensor) + " came with an input of shape " + shape(input) + " and axis " + std::to_string(axis));
  return true;
}

void check_count(const char* what, std::size_t count, const ActivationInfo& info) {
  if (count > info.parameter_count)
    throw Error("limen::activation: at most " + std::to_string(info.parameter_count) + " " + what + " for " +
                std::string(info.name) + " were expected (its parameters: " + parameter_names(info) + "), " +
                std::to_string(count) + " came");
}

}  // namespace

Call read_call(const at::Tensor& input, std::string_view name, Numbers numbers, const Tensors& tensors,
               std::int64_t axis) {
  const auto id = find(name);
  if (!id) throw Error("limen::activation: " + unknown_activation(name));
  check_input(input);
  const ActivationInfo& about = info(*id);
  check_count("numbers", numbers.size(), about);
  check_count("tensors", tensors.size(), about);

  Call call{.id = *id};
  for (std::size_t k = 0; k < about.parameter_count; ++k) {
    const Parameter& parameter = about.parameter[k];
    const auto where = [&] { return std::string(parameter.name) + " of " + std::string(about.name); };
    std::optional<at::Tensor> tensor;
    if (k < tensors.size()) tensor = tensors.get(k);
    if (tensor && tensor->defined()) {
      call.tensor[k] = *std::move(tensor);
      call.per_channel[k] = check_tensor(call.tensor[k], input, axis, where());
      if (call.per_channel[k]) call.axis = axis < 0 ? axis + input.dim() : axis;
    } else {
      call.number[k] = k < numbers.size() ? numbers[k] : parameter.initial;
      check_number(parameter, call.number[k], input.scalar_type(), where());
    }
  }
  return call;
}

void check_backward(const at::Tensor& grad_output, const at::Tensor& input, const Tensors& tensors,
                    const Needs& needs) {
  if (grad_output.scalar_type() != input.scalar_type() || grad_output.device() != input.device() ||
      grad_output.sym_sizes() != input.sym_sizes())
    throw Error("limen::activation_backward: a gradient like the input was expected, " + shape(input) + " of " +
                type_name(input.scalar_type()) + " on " + input.device().str() + "; " + shape(grad_output) + " of " +
                type_name(grad_output.scalar_type()) + " on " + grad_output.device().str() + " came");
  bool matches = needs.size() == tensors.size() + 1;
  for (std::size_t k = 0; matches && k < tensors.size(); ++k)
    matches = !needs.get(k + 1) || (tensors.get(k) && tensors.get(k)->defined());
  if (!matches)
    throw Error(
        "limen::activation_backward: needs for the input and for each entry of tensors was expected, false where "
        "the entry is not set; " +
        std::to_string(needs.size()) + " came for " + std::to_string(tensors.size()) + " tensors");
}

}  // namespace limen::op
