// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include "limen/laws/logistic.h"

namespace limen::laws {

/// The law near the normal whose gate is logistic in x = 2 sqrt(2 / pi) (u + 0.044715 u^3): F(u) = 1 / (1 + exp(-x)),
/// f = F (1 - F) dx/du, mean 0. Its losses have no closed form.
struct TanhNormal {
  using Placement = Standard;
  static constexpr ActivationInfo transmission{
      .name = "gelu_tanh",
      .title = "GELU (tanh)",
      .formula = "z (1 + tanh(sqrt(2 / pi) (z + 0.044715 z^3))) / 2",
      .slope = "(1 + t + z (1 - t^2) sqrt(2 / pi) (1 + 0.134145 z^2)) / 2; t = tanh(sqrt(2 / pi) (z + 0.044715 z^3))",
      .law = "tanh-normal",
      .gate = "(1 + tanh(sqrt(2 / pi) (z + 0.044715 z^3))) / 2",
      .mean = "0",
      .variance = "0.998343",
      .entropy = "1.41808",
      .limit = "0",
      .reference = "Hendrycks and Gimpel 2016, arXiv 1606.08415",
      .bound = {2, 3}};

  static Distribution distribution() {
    return {.mean = 0, .variance = 0.99834307107370680199, .entropy = 1.4180815943021050512};
  }
  /// The root of x(u) = logit(p), a cubic with one real root.
  static double quantile(double p) {
    const double x = Logistic::quantile(p), root = std::sqrt(3 * double(cubic));
    return 2 / root * std::sinh(std::asinh(1.5 * root * x / double(linear)) / 3);
  }

  static constexpr bool has_knees = false;
  static constexpr float mean = 0;
  /// Where x = tail_reach.
  template <class S>
  static constexpr S reach = sizeof(S) == 4 ? S(11.1162) : S(22.0277);

  template <class V>
  static constexpr Quotient<V> side(Position<V, V> at) {
    return Logistic::side(stretched(at));
  }
  template <class V>
  static constexpr Decaying<V, V> side_plus(Position<V, V> at, V factor) {
    return Logistic::side_plus(stretched(at), product(factor, stretch(at.t)));
  }
  template <class V>
  static constexpr Decaying<V, Pair<V>> density(Position<V, V> at) {
    const auto logistic = Logistic::density(stretched(at));
    return {logistic.exponential, product(stretch(at.t), logistic.factor)};
  }
  /// -f' / f at t: tanh(x / 2) dx/du - (d2x/du2) / (dx/du)
  template <class V>
  static constexpr V log_density_decay(Position<V, V> at) {
    const Pair<V> slope = stretch(at.t);
    constexpr S<V> bend_rate = S<V>(6 * cubic * linear);
    const V bend = V(bend_rate) * at.t;
    return times(Logistic::log_density_decay(stretched(at)), slope) - bend / slope.high;
  }

 private:
  template <class V>
  using S = Scalar<V>;
  static constexpr long double linear = 1.59576912160573071175978423973753L;  // 2 sqrt(2 / pi)
  static constexpr long double cubic = 0.044715L;

  /// dx/du
  template <class V>
  static constexpr Pair<V> stretch(V t) {
    constexpr Pair<S<V>> factor = split<S<V>>(3 * cubic * linear);
    return linear_plus(broadcast<V>(factor), t);
  }

  /// The place in the logistic law.
  template <class V>
  static constexpr Position<V, Pair<V>> stretched(Position<V, V> at) {
    constexpr Pair<S<V>> factor = split<S<V>>(cubic * linear);
    return {at.open, at.y, product(at.t, linear_plus(broadcast<V>(factor), at.t))};
  }

  /// linear + factor t^2
  template <class V>
  static constexpr Pair<V> linear_plus(Pair<V> factor, V t) {
    constexpr Pair<S<V>> constant = split<S<V>>(linear);
    const Pair<V> bent = product(product(t, t), factor);
    const Pair<V> total = exact_sum(V(constant.high), bent.high);
    return {total.high, total.low + (bent.low + V(constant.low))};
  }
};

}  // namespace limen::laws
