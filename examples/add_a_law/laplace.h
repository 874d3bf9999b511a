// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include "limen/laws/placement.h"
#include "limen/math/exponential.h"

namespace limen::laws {

/// T Laplace (double exponential): F(u) = exp(u) / 2 for u < 0 and 1 - exp(-u) / 2 above, f = exp(-|u|) / 2, mean 0;
/// E(u - T)+ = max(u, 0) + exp(-|u|) / 2. Everything is exp(-|u|) times a simple factor.
struct Laplace {
  using Placement = ByScale;
  static constexpr ActivationInfo transmission{
      .name = "laplace",
      .title = "Laplace unit",
      .formula = "z (1 - exp(-u) / 2) for z > 0, else z exp(u) / 2; u = z / scale",
      .slope = "1 - (1 - u) exp(-u) / 2 for z > 0, else (1 + u) exp(u) / 2; u = z / scale",
      .law = "Laplace",
      .gate = "1 - exp(-u) / 2 for z > 0, else exp(u) / 2; u = z / scale",
      .loss = "z + scale exp(-u) / 2 for z > 0, else scale exp(u) / 2; u = z / scale",
      .mean = "0",
      .variance = "2 scale^2",
      .entropy = "1 + ln(2 scale)",
      .limit = "0",
      .reference = "Laplace 1774",
      .bound = {2, 4},
      .parameter_count = 1,
      .parameter = {positive("scale", 1, "mean distance of the threshold from 0")}};

  static Distribution distribution() {
    return {.mean = 0, .variance = 2, .entropy = 1.6931471805599453094, .maximum_entropy = "E |T|"};
  }
  static double quantile(double p) { return p < 0.5 ? std::log(2 * p) : -std::log(2 * (1 - p)); }

  static constexpr bool has_knees = false;
  static constexpr float mean = 0;
  template <class S>
  static constexpr S reach = tail_reach<S>;

  template <class V, class U>
  static constexpr Decaying<V, V> side(Position<V, U> at) {
    return {decay(at), V(0.5f)};
  }
  template <class V, class U>
  static constexpr Decaying<V, V> density(Position<V, U> at) {
    return {decay(at), V(0.5f)};
  }
  /// -f' / f at t
  template <class V, class U>
  static constexpr V log_density_decay(Position<V, U> at) {
    return unless_nan(V(1), leading(at.t));
  }
  template <class V, class U>
  static constexpr Decaying<V, V> loss_tail(Position<V, U> at) {
    return density(at);
  }
  /// exp(-t) (1 + t) / 2
  template <class V, class U>
  static constexpr Decaying<V, Pair<V>> correction_tail(Position<V, U> at) {
    return {decay(at), multiply_add(V(0.5f), at.t, Pair<V>{V(0.5f), V(0)})};
  }
  /// The same less its value at 0, by its change near 0 and by its value elsewhere.
  template <class V, class U>
  static constexpr V correction_change(Position<V, U> at) {
    const auto [power, rest] = decay(at);
    const V t = leading(at.t), factor = power * V(1 / tail_scale<Scalar<V>>);
    const V near = plus_low(fma(fma(factor, rest, factor - V(1)), V(1) + t, t), at.t);
    const V far = fma(fma(factor, rest, factor), V(1) + t, V(-1));
    return V(0.5f) * select(t < V(1), near, far);
  }

 private:
  template <class V, class U>
  static constexpr ScaledExp<V> decay(Position<V, U> at) {
    return exp_negative<V>(at.t);
  }
};

}  // namespace limen::laws
