// Part of limen. SPDX-License-Identifier: MIT
//
// What the modules of Python ask of those of C++: which numbers a new module stores.
#include <torch/library.h>

#include <algorithm>

#include "limen/torch.h"
#include "operators/learned.h"
#include "operators/messages.h"

namespace limen::op {
namespace {

/// One number a parameter, in the registry's order: raw where it is learned. Checks all names and domains.
std::vector<double> stored_numbers(std::string_view name, const c10::List<std::string>& parameters,
                                   const std::vector<double>& values, const c10::List<std::string>& learned) {
  if (parameters.size() != values.size())
    throw Error("limen::stored_numbers: expected a value for each of " + std::to_string(parameters.size()) +
                " parameters, got " + std::to_string(values.size()));
  ActivationOptions options{.name = std::string(name), .learned = learned.vec()};
  for (std::size_t k = 0; k < values.size(); ++k) options.parameters[parameters.get(k)] = values[k];
  options = resolve(std::move(options));
  const ActivationInfo& about = *find_info(options.name);
  std::vector<double> stored;
  for (const Parameter& parameter : std::span(about.parameter, about.parameter_count)) {
    const std::string own(parameter.name);
    const bool is_learned = std::ranges::find(options.learned, own) != options.learned.end();
    const double value = options.parameters.at(own);
    stored.push_back(is_learned ? raw_from(parameter, value) : value);
  }
  return stored;
}

TORCH_LIBRARY_FRAGMENT(limen, m) {
  m.def("stored_numbers(str name, str[] parameters, float[] values, str[] learned) -> float[]", stored_numbers);
}

}  // namespace
}  // namespace limen::op
