// Part of limen. SPDX-License-Identifier: MIT
#include "operators/learned.h"

#include <ATen/ops/sigmoid.h>
#include <ATen/ops/softplus.h>

#include <cmath>

#include "operators/messages.h"

namespace limen::op {

double raw_from(const Parameter& parameter, double value) {
  switch (parameter.learned) {
    case Learned::softplus: {
      const double rest = value - parameter.lower_learned;
      // ln(expm1(rest)), without its overflow.
      return parameter.temperature * (rest > 30 ? rest + std::log1p(-std::exp(-rest)) : std::log(std::expm1(rest)));
    }
    case Learned::sigmoid:
      return std::log(value) - std::log1p(-value);
    default:
      return value;
  }
}

bool can_start_at(const Parameter& parameter, double value) {
  return parameter.accepts(value) && std::isfinite(raw_from(parameter, value));
}

std::string learned_domain(const Parameter& parameter) {
  const std::string name(parameter.name);
  switch (parameter.learned) {
    case Learned::softplus:
      return name + " > " + text(parameter.lower_learned);
    case Learned::sigmoid:
      return "0 < " + name + " < 1";
    default:
      return domain(parameter);
  }
}

at::Tensor value_from(const Parameter& parameter, const at::Tensor& raw) {
  switch (parameter.learned) {
    case Learned::softplus:
      // Above 40 softplus is its argument to the last bit of either type; libtorch's default, 20, would not do for
      // float64.
      return at::softplus(parameter.temperature == 1 ? raw : raw.div(parameter.temperature), 1, 40)
          .add(parameter.lower_learned);
    case Learned::sigmoid:
      return at::sigmoid(raw);
    default:
      return raw;
  }
}

}  // namespace limen::op
