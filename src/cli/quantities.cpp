// Part of limen. SPDX-License-Identifier: MIT
#include "cli/quantities.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/torch.h>

#include <algorithm>
#include <cstdlib>
#include <span>

#include "cli/arguments.h"
#include "io/law_file.h"
#include "limen/digits.h"
#include "limen/error.h"
#include "limen/names.h"
#include "limen/narrow.h"
#include "limen/torch.h"

namespace limen::cli {
namespace {

using Type = Method::Type;
constexpr std::array<std::string_view, 4> type_names = {"f64", "f32", "bf16", "f16"};

std::string_view name_of(Type type) { return type_names[static_cast<std::size_t>(type)]; }

/// As T rounds it; what is not stored in T is computed in the type that is.
template <class T>
std::string text(kernels::Compute<T> x) {
  return shortest(computed(stored<T>(x)));
}

template <class T>
Answer answer_core(const Member& chosen, T z) {
  const auto q = chosen.at(computed(z));
  Answer answer{shortest(computed(z)), {}, {}};
  for (std::size_t i = 0; i < all_quantities.size(); ++i)
    if (const auto x = all_quantities[i].pick(q)) answer.quantities[i] = text<T>(*x);
  for (std::size_t k = 0; k < q.parameter_count; ++k) answer.parameter_slopes.push_back(text<T>(q.parameter_slopes[k]));
  return answer;
}

/// Of a path that computes nothing else.
template <class S>
Answer value_and_slope(S z, S value, S slope) {
  Quantities<S> q;
  q.value = value, q.slope = slope;
  Answer answer{shortest(z), {}, {}};
  for (std::size_t i = 0; i < all_quantities.size(); ++i)
    if (all_quantities[i].name == "value" || all_quantities[i].name == "slope")
      answer.quantities[i] = shortest(*all_quantities[i].pick(q));
  return answer;
}

/// Sums of slopes in parameters are f64; here there is one term, shown as it was computed.
template <class T>
Answer answer_kernel(const Member& chosen, T z, kernels::Isa isa) {
  using S = kernels::Compute<T>;
  const std::vector<S> parameters(chosen.parameters().begin(), chosen.parameters().end());
  const T one = stored<T>(1.0f);
  T value, slope;
  std::vector<double> parameter_slopes(parameters.size());
  kernels::forward(chosen.id(), parameters.data(), &z, &value, 1, isa);
  kernels::backward(chosen.id(), parameters.data(), &z, &one, &slope, parameter_slopes.data(), 1, isa);
  Answer answer = value_and_slope(computed(z), computed(value), computed(slope));
  for (const double s : parameter_slopes) answer.parameter_slopes.push_back(shortest(static_cast<S>(s)));
  return answer;
}

constexpr at::ScalarType torch_type(Type type) {
  switch (type) {
    case Type::f32:
      return at::kFloat;
    case Type::bf16:
      return at::kBFloat16;
    case Type::f16:
      return at::kHalf;
    default:
      return at::kDouble;
  }
}

/// Parameters are of the type that computes.
template <class S>
Answer answer_torch(const Member& chosen, S z, Type type) {
  const auto wide = at::TensorOptions().dtype(c10::CppTypeToScalarType<S>::value).requires_grad(true);
  const at::Tensor input = torch::full({1}, static_cast<double>(z), wide.dtype(torch_type(type)));
  std::vector<std::optional<at::Tensor>> parameters;
  for (const double p : chosen.parameters()) parameters.emplace_back(torch::full({1}, p, wide));
  const at::Tensor value =
      chosen.law() ? empirical(input, *chosen.law()) : activation(input, chosen.info().name, {}, parameters);
  value.sum().backward();
  const auto number = [](const at::Tensor& x) { return x.to(c10::CppTypeToScalarType<S>::value).template item<S>(); };
  Answer answer = value_and_slope(z, number(value), number(input.grad()));
  for (const auto& p : parameters) answer.parameter_slopes.push_back(shortest(number(p->grad())));
  return answer;
}

template <class T>
Answer answer_in(const Member& chosen, std::string_view text, const Method& method) {
  const T z = stored<T>(to_number<kernels::Compute<T>>(text, "z"));
  if (method.path == Method::Path::torch) return answer_torch(chosen, computed(z), method.type);
  if (method.path == Method::Path::kernel) return answer_kernel(chosen, z, method.isa);
  return answer_core(chosen, z);
}

/// A path without a type means f32, the type that most people compute in.
Type to_type(std::string_view dtype, std::string_view path) {
  if (dtype.empty()) return path.empty() ? Type::f64 : Type::f32;
  for (std::size_t i = 0; i < type_names.size(); ++i)
    if (type_names[i] == dtype) return static_cast<Type>(i);
  throw Error(fmt::format("--dtype: unknown type '{}'; try '{}'", dtype, nearest(dtype, type_names)));
}

}  // namespace

kernels::Isa to_isa(std::string_view path, std::string_view other) {
  std::vector<std::string_view> known;
  for (const kernels::Isa isa : kernels::all_isas()) {
    known.push_back(kernels::name(isa));
    if (path != known.back()) continue;
    if (kernels::supported(isa)) return isa;
    throw Error(fmt::format("--path: expected one that this processor has, got {}; try {}", path,
                            kernels::name(kernels::best_isa())));
  }
  if (!other.empty()) known.push_back(other);
  throw Error(fmt::format("--path: unknown path '{}'; try '{}'", path, nearest(path, known)));
}

std::string Method::describe() const {
  if (path == Path::core) return fmt::format("{}, scalar core", name_of(type));
  if (path == Path::torch) return fmt::format("{}, torch operator: value and slopes only", name_of(type));
  return fmt::format("{}, {} kernel: value and slopes only", name_of(type), kernels::name(isa));
}

Method to_method(std::string_view dtype, std::string_view path) {
  const Type type = to_type(dtype, path);
  if (path == "torch") return {type, Method::Path::torch};
  if (!path.empty()) return {type, Method::Path::kernel, to_isa(path, "torch")};
  if (!kernels::isa_error().empty()) throw Error(std::string(kernels::isa_error()));
  if (type != Type::f64 && std::getenv("LIMEN_ISA")) return {type, Method::Path::kernel, kernels::active_isa(), true};
  return {type};
}

Member choose(const std::string& name, const std::vector<std::string>& settings, const Method& method) {
  const io::NameAndLaw read = io::read_law_in(name);
  const bool gated = read.name.starts_with("gated(");
  const Spelled spelled = gated ? Spelled{read.name, {}} : take_apart(read.name);
  ActivationOptions options;
  options.name = spelled.name;
  options.law = read.law;
  std::vector<std::string> all = split(spelled.inside, ',');
  all.insert(all.end(), settings.begin(), settings.end());
  for (const std::string& setting : all) {
    const auto [parameter, text] = to_assignment(setting, "parameter");
    if (options.parameters.contains(parameter))
      throw Error(fmt::format("{}: expected one value, got it set twice", parameter));
    options.parameters[parameter] =
        method.type == Type::f64 ? to_number<double>(text, parameter) : to_number<float>(text, parameter);
  }
  options = resolve(options);
  if (options.form != Form::plain)
    throw Error(fmt::format("{}: expected a function of one input, got a gated form, which takes two; try {}", name,
                            options.name));
  if (options.law) return Member(options.law);
  const ActivationId id = *find(options.name);
  std::vector<double> parameters;
  for (const Parameter& parameter : std::span(info(id).parameter, info(id).parameter_count))
    parameters.push_back(options.parameters.at(std::string(parameter.name)));
  return {id, parameters};
}

std::string settings_of(const Member& chosen) {
  std::vector<std::string> all;
  for (std::size_t k = 0; k < chosen.info().parameter_count; ++k)
    all.push_back(fmt::format("{} = {}", chosen.info().parameter[k].name, shortest(chosen.parameters()[k])));
  return fmt::format("{}", fmt::join(all, ", "));
}

const Quantity* find_quantity(std::string_view name) {
  const auto found = std::ranges::find(all_quantities, name, &Quantity::name);
  return found == all_quantities.end() ? nullptr : &*found;
}

Method suited(const Method& method, const Member& chosen) {
  if (!chosen.law() || method.path != Method::Path::kernel) return method;
  if (method.isa == kernels::Isa::scalar) return {method.type};
  throw Error(fmt::format("{}: expected scalar for a law given as data, which has no kernels, got {}; {}",
                          method.by_environment ? "LIMEN_ISA" : "--path", kernels::name(method.isa),
                          method.by_environment ? "unset it or try --path scalar" : "try scalar or torch"));
}

Answer answer(const Member& chosen, std::string_view z, const Method& asked) {
  const Method method = suited(asked, chosen);
  Answer all = method.type == Type::f64    ? answer_in<double>(chosen, z, method)
               : method.type == Type::f32  ? answer_in<float>(chosen, z, method)
               : method.type == Type::bf16 ? answer_in<BFloat16>(chosen, z, method)
                                           : answer_in<Float16>(chosen, z, method);
  for (std::size_t k = 0; k < all.parameter_slopes.size(); ++k)
    if (chosen.info().parameter[k].integer) all.parameter_slopes[k].clear();
  return all;
}

}  // namespace limen::cli
