// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include "limen/laws/placement.h"
#include "limen/math/coefficients/normal.h"
#include "limen/math/exponential.h"
#include "limen/math/normal_quantile.h"
#include "limen/math/piecewise.h"

namespace limen::laws {

/// T ~ N(0, 1): F(u) = erfc(-u / sqrt 2) / 2, f(u) = exp(-u^2 / 2) / sqrt(2 pi), mean 0;
/// E(u - T)+ = u F + f.
struct Normal {
  using Placement = ByLocationAndScale;
  static constexpr ActivationInfo transmission{
      .name = "gelu_mu_sigma",
      .title = "GELU(mu, sigma)",
      .formula = "z Phi((z - mu) / sigma)",
      .slope = "Phi(u) + z phi(u) / sigma; u = (z - mu) / sigma",
      .law = "normal",
      .gate = "Phi((z - mu) / sigma)",
      .loss = "(z - mu) Phi(u) + sigma phi(u); u = (z - mu) / sigma",
      .mean = "mu",
      .variance = "sigma^2",
      .entropy = "ln(2 pi e sigma^2) / 2",
      .limit = "0",
      .reference = "Hendrycks and Gimpel 2016, with the location and scale left free",
      .bound = {2, 3},
      .parameter_count = 2,
      .parameter = {{"mu", 0, -widest, widest, false, "mean of the threshold", Learned::directly},
                    positive("sigma", 1, "standard deviation of the threshold")}};

  static Distribution distribution() {
    return {.mean = 0, .variance = 1, .entropy = 1.4189385332046727418, .maximum_entropy = "the mean and the variance"};
  }
  static double quantile(double p) { return normal_quantile(p); }

  static constexpr bool has_knees = false;
  static constexpr float mean = 0;
  template <class S>
  static constexpr S reach = sizeof(S) == 4 ? S(15.2153) : S(39.9448);  // sqrt(2 tail_reach)

  template <class V, class U>
  static constexpr Decaying<V, Pair<V>> side(Position<V, U> at) {
    return decayed<coefficients::Normal<Scalar<V>>::gate>(at);
  }
  template <class V, class U>
  static constexpr Decaying<V, Pair<V>> density(Position<V, U> at) {
    return {decay(at), broadcast<V>(at_0<Scalar<V>>)};
  }
  /// -f' / f at t
  template <class V, class U>
  static constexpr U log_density_decay(Position<V, U> at) {
    return at.t;
  }
  template <class V, class U>
  static constexpr Decaying<V, Pair<V>> loss_tail(Position<V, U> at) {
    return decayed<coefficients::Normal<Scalar<V>>::loss>(at);
  }
  template <class V, class U>
  static constexpr Decaying<V, Pair<V>> correction_tail(Position<V, U> at) {
    return density(at);
  }
  /// f(u) - f(0)
  template <class V, class U>
  static constexpr V correction_change(Position<V, U> at) {
    const auto [power, rest] = decay(at);
    const V factor = power * V(1 / tail_scale<Scalar<V>>);
    return times(fma(factor, rest, factor - V(1)), broadcast<V>(at_0<Scalar<V>>));
  }

 private:
  /// f(0)
  template <class S>
  static constexpr Pair<S> at_0 = split<S>(0.39894228040143267794L);

  /// exp(-u^2 / 2)
  template <class V, class U>
  static constexpr ScaledExp<V> decay(Position<V, U> at) {
    return exp_negative<V>(half_square(at.t));
  }

  /// exp(-u^2 / 2) times a function of |u|.
  template <const auto& tables, class V, class U>
  static constexpr Decaying<V, Pair<V>> decayed(Position<V, U> at) {
    return {decay(at), piecewise<V, tables>(coefficients::Normal<Scalar<V>>::rate, at.t)};
  }
};

}  // namespace limen::laws
