// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "limen/activations/transmission.h"
#include "limen/laws/logistic.h"

namespace limen::activations {

/// log(1 + exp(slope z)) / slope: the complementary loss of the logistic law, used as an activation. Its slope is the
/// logistic gate, its curvature the density.
struct Softplus : private Transmission<laws::Logistic> {
  static constexpr ActivationInfo info{.name = "softplus",
                                       .title = "softplus",
                                       .formula = "log(1 + exp(slope z)) / slope",
                                       .slope = "1 / (1 + exp(-slope z))",
                                       .law = "",
                                       .limit = "0",
                                       .reference = "Dugas and others 2001",
                                       .bound = {2, 3},
                                       .parameter_count = 1,
                                       .parameter = {positive("slope", 1, "rate at which it bends at 0")}};

  using Silu = Transmission<laws::Logistic>;
  using Silu::Constants;
  using Silu::prepare;
  template <class V>
  using C = Constants<Scalar<V>>;

  template <class V>
  static constexpr V value(V z, const C<V>& c) {
    return Silu::loss(z, c);
  }
  template <class V>
  static constexpr V slope(V z, const C<V>& c) {
    return Silu::gate(z, c);
  }
  template <class V>
  static constexpr V curvature(V z, const C<V>& c) {
    return Silu::density(z, c);
  }
  template <class V>
  static constexpr std::array<V, 1> parameter_slopes(V z, const C<V>& c) {
    const Pair<V> scale = Placement::scale<V>(c);
    const auto entropy = laws::Logistic::correction_tail(place(z, c));
    return {times(times_power(V(-unscale<V>), scale), times(scale, entropy))};
  }
  /// z f, f the density in units of u
  template <class V>
  static constexpr std::array<V, 1> mixed_curvatures(V z, const C<V>& c) {
    const auto at = place(z, c);
    return {turned_closed(at, times(at.y, laws::Logistic::density(at))) * V(unscale<V>)};
  }
  /// (2 correction + u^2 f) / slope^3
  template <class V>
  static constexpr std::array<V, 1> parameter_curvatures(V z, const C<V>& c) {
    const auto at = place(z, c);
    const Pair<V> scale = Placement::scale<V>(c);
    auto twice = laws::Logistic::correction_tail(at);
    twice.factor = times_power(V(2), twice.factor);
    const V total = sum(multiply_add(product(at.t, at.t), laws::Logistic::density(at), twice));
    return {times(times_power(V(unscale<V>), scale), times(scale, times(scale, total)))};
  }
};

}  // namespace limen::activations
