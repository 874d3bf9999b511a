// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include "limen/laws/placement.h"

namespace limen::laws {

/// T ~ N(0, 1): F(u) = erfc(-u / sqrt 2) / 2, f(u) = exp(-u^2 / 2) / sqrt(2 pi), mean 0;
/// E(u - T)+ = u F + f.
struct Normal {
  using Placement = ByLocationAndScale;
  static constexpr ActivationInfo transmission{
      .name = "gelu_mu_sigma",
      .formula = "z Phi((z - mu) / sigma)",
      .law = "normal",
      .limit = "0",
      .reference = "Hendrycks and Gimpel 2016, with the location and scale left free",
      .bound = {2, 2, 4, 4},
      .parameter_count = 2,
      .parameter = {
          {"mu", 0, -widest, widest, false, "mean of the threshold", Learned::directly},
          {"sigma", 1, 1 / widest, widest, false, "standard deviation of the threshold", Learned::softplus, 1e-3}}};

  static constexpr bool piecewise = false;
  static constexpr float mean = 0;
  template <class S>
  static constexpr S tail_scale = laws::tail_scale<S>;
  template <class S>
  static constexpr S reach = sizeof(S) == 4 ? 14.9 : 39;

  template <class V, class U>
  static Gate<V, V> gate(Position<V, U> at) {
    const V u = leading(at.u), t = abs(u);
    const Mask<V> open = u >= V(0);
    const V tail = V(0.5 * tail_scale<V>) * std::erfc(t * V(0.70710678118654752440));
    return {open, negative_where(open, tail)};
  }
  template <class V, class U>
  static V density(Position<V, U> at) {
    const V u = leading(at.u);
    return V(tail_scale<V> * 0.39894228040143267794) * std::exp(V(-0.5) * u * u);
  }
  template <class V, class U>
  static V density_slope(Position<V, U> at) {
    return -leading(at.u) * density(at);
  }
  template <class V, class U>
  static V loss_tail(Position<V, U> at) {
    const V t = abs(leading(at.u));
    return density(at) - t * abs(gate(at).tail);
  }
  template <class V, class U>
  static V correction_tail(Position<V, U> at) {
    return density(at);
  }
  /// f(u) - f(0)
  template <class V, class U>
  static V correction_change(Position<V, U> at) {
    const V u = leading(at.u);
    return V(0.39894228040143267794) * std::expm1(V(-0.5) * u * u);
  }
};

}  // namespace limen::laws
