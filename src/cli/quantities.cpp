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
#include "limen/torch.h"

namespace limen::cli {
namespace {

template <class S>
Answer answer_core(const Member& chosen, S z) {
  const Quantities<S> q = chosen.at(z);
  Answer answer{shortest(z), {}, {}};
  for (std::size_t i = 0; i < all_quantities.size(); ++i)
    if (const auto x = all_quantities[i].pick(q)) answer.quantities[i] = shortest(*x);
  for (std::size_t k = 0; k < q.parameter_count; ++k)
    answer.parameter_slopes.push_back(shortest(q.parameter_slopes[k]));
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

Answer answer_kernel(const Member& chosen, float z, kernels::Isa isa) {
  const std::vector<float> parameters(chosen.parameters().begin(), chosen.parameters().end());
  const float one = 1;
  float value, slope;
  std::vector<double> parameter_slopes(parameters.size());
  kernels::forward(chosen.id(), parameters.data(), &z, &value, 1, isa);
  kernels::backward(chosen.id(), parameters.data(), &z, &one, &slope, parameter_slopes.data(), 1, isa);
  Answer answer = value_and_slope(z, value, slope);
  for (const double s : parameter_slopes) answer.parameter_slopes.push_back(shortest(static_cast<float>(s)));
  return answer;
}

template <class S>
Answer answer_torch(const Member& chosen, S z) {
  const auto options = at::TensorOptions().dtype(c10::CppTypeToScalarType<S>::value).requires_grad(true);
  at::Tensor input = torch::full({1}, static_cast<double>(z), options);
  std::vector<std::optional<at::Tensor>> parameters;
  for (const double p : chosen.parameters()) parameters.emplace_back(torch::full({1}, p, options));
  const at::Tensor value =
      chosen.law() ? empirical(input, *chosen.law()) : activation(input, chosen.info().name, {}, parameters);
  value.sum().backward();
  Answer answer = value_and_slope(z, value.item<S>(), input.grad().item<S>());
  for (const auto& p : parameters) answer.parameter_slopes.push_back(shortest(p->grad().item<S>()));
  return answer;
}

template <class S>
Answer answer_in(const Member& chosen, std::string_view text, const Method& method) {
  const S z = to_number<S>(text, "z");
  if (method.path == Method::Path::torch) return answer_torch<S>(chosen, z);
  if constexpr (std::is_same_v<S, float>)
    if (method.path == Method::Path::kernel) return answer_kernel(chosen, z, method.isa);
  return answer_core<S>(chosen, z);
}

kernels::Isa to_isa(std::string_view path) {
  std::vector<std::string_view> known;
  for (const kernels::Isa isa : kernels::all_isas()) {
    known.push_back(kernels::name(isa));
    if (path != known.back()) continue;
    if (kernels::supported(isa)) return isa;
    throw Error(fmt::format("--path: expected one that this processor has, got {}; try {}", path,
                            kernels::name(kernels::best_isa())));
  }
  known.push_back("torch");
  throw Error(fmt::format("--path: unknown path '{}'; try '{}'", path, nearest(path, known)));
}

/// True for f32. A path without a type means f32, the type that every path has.
bool to_single(std::string_view dtype, std::string_view path) {
  static constexpr std::array<std::string_view, 4> known = {"f64", "f32", "bf16", "f16"};
  if (dtype == "bf16" || dtype == "f16")
    throw Error(
        fmt::format("--dtype: expected f64 or f32, got {}, which this version does not compute; try f32", dtype));
  if (!dtype.empty() && dtype != "f64" && dtype != "f32")
    throw Error(fmt::format("--dtype: unknown type '{}'; try '{}'", dtype, nearest(dtype, known)));
  return dtype.empty() ? !path.empty() : dtype == "f32";
}

}  // namespace

std::string Method::describe() const {
  const std::string type = single ? "f32" : "f64";
  if (path == Path::core) return type + ", scalar core";
  if (path == Path::torch) return type + ", torch operator: value and slopes only";
  return fmt::format("{}, {} kernel: value and slopes only", type, kernels::name(isa));
}

Method to_method(std::string_view dtype, std::string_view path) {
  const bool single = to_single(dtype, path);
  if (path == "torch") return {single, Method::Path::torch};
  if (!path.empty()) {
    const kernels::Isa isa = to_isa(path);
    if (single) return {true, Method::Path::kernel, isa};
    if (isa == kernels::Isa::scalar) return {};
    throw Error(fmt::format("--path: expected scalar or torch for f64, got {}, which computes f32 only", path));
  }
  if (!kernels::isa_error().empty()) throw Error(std::string(kernels::isa_error()));
  if (single && std::getenv("LIMEN_ISA")) return {true, Method::Path::kernel, kernels::active_isa(), true};
  return {single};
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
        method.single ? to_number<float>(text, parameter) : to_number<double>(text, parameter);
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
  if (method.isa == kernels::Isa::scalar) return {method.single};
  throw Error(fmt::format("{}: expected scalar for a law given as data, which has no kernels, got {}; {}",
                          method.by_environment ? "LIMEN_ISA" : "--path", kernels::name(method.isa),
                          method.by_environment ? "unset it or try --path scalar" : "try scalar or torch"));
}

Answer answer(const Member& chosen, std::string_view z, const Method& asked) {
  const Method method = suited(asked, chosen);
  Answer all = method.single ? answer_in<float>(chosen, z, method) : answer_in<double>(chosen, z, method);
  for (std::size_t k = 0; k < all.parameter_slopes.size(); ++k)
    if (chosen.info().parameter[k].integer) all.parameter_slopes[k].clear();
  return all;
}

}  // namespace limen::cli
