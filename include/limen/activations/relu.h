// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "limen/activations/info.h"
#include "limen/math/value.h"

namespace limen::activations {

/// max(z, 0): the threshold is 0 for certain.
struct Relu {
  static constexpr ActivationInfo info{.name = "relu",
                                       .formula = "max(z, 0)",
                                       .law = "point mass",
                                       .limit = "0",
                                       .reference = "Nair and Hinton 2010",
                                       .bound = {0, 0, 0, 0}};

  template <class S>
  struct Constants {};
  template <class S>
  static Constants<S> prepare(const S*) {
    return {};
  }
  template <class V>
  static V value(V z, const Constants<math::Scalar<V>>&) {
    return max(V(0), z);
  }
  template <class V>
  static V slope(V z, const Constants<math::Scalar<V>>&) {
    return select(z > V(0), V(1), select(z == z, V(0), z));
  }
  template <class V>
  static std::array<V, 0> parameter_slopes(V, const Constants<math::Scalar<V>>&) {
    return {};
  }
};

}  // namespace limen::activations
