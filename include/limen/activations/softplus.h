// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "limen/activations/transmission.h"
#include "limen/laws/logistic.h"

namespace limen::activations {

/// log(1 + exp(slope z)) / slope: the complementary loss of the logistic law, used as an activation. Its slope is the
/// logistic gate, its curvature the density.
struct Softplus {
  static constexpr ActivationInfo info{
      .name = "softplus",
      .formula = "log(1 + exp(slope z)) / slope",
      .law = "",
      .limit = "0",
      .reference = "Dugas and others 2001",
      .bound = {2, 2, 4, 4},
      .parameter_count = 1,
      .parameter = {{"slope", 1, 1 / widest, widest, false, "rate at which it bends at 0", Learned::softplus, 1e-3}}};

  using Silu = Transmission<laws::Logistic>;
  template <class S>
  using Constants = Silu::Constants<S>;
  template <class V>
  using C = Constants<Scalar<V>>;

  template <class S>
  static Constants<S> prepare(const S* parameters) {
    return Silu::prepare(parameters);
  }
  template <class V>
  static V value(V z, const C<V>& c) {
    return Silu::loss(z, c);
  }
  template <class V>
  static V slope(V z, const C<V>& c) {
    return Silu::gate(z, c);
  }
  template <class V>
  static V curvature(V z, const C<V>& c) {
    return Silu::density(z, c);
  }
  template <class V>
  static std::array<V, 1> parameter_slopes(V z, const C<V>& c) {
    return {Silu::correction(z, c) * V(-c.scale)};
  }
};

}  // namespace limen::activations
