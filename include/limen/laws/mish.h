// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include "limen/laws/placement.h"
#include "limen/math/exponential.h"

namespace limen::laws {

/// The law whose gate is tanh(softplus(u)) = e (e + 2) / (e^2 + 2 e + 2) with e = exp(u): F(0) = 3/5, not symmetric;
/// f = 4 e (e + 1) / (e^2 + 2 e + 2)^2. Its losses have no closed form. Written with w = exp(-|u|).
struct Mish {
  using Placement = Standard;
  static constexpr ActivationInfo transmission{.name = "mish",
                                               .title = "Mish",
                                               .formula = "z tanh(log(1 + exp(z)))",
                                               .slope = "t + z (1 - t^2) / (1 + exp(-z)); t = tanh(log(1 + exp(z)))",
                                               .law = "tanh of softplus",
                                               .gate = "tanh(log(1 + exp(z)))",
                                               .mean = "-0.438825",
                                               .variance = "2.05617",
                                               .entropy = "1.74568",
                                               .limit = "0",
                                               .reference = "Misra 2019, arXiv 1908.08681",
                                               .bound = {2, 3}};

  static Distribution distribution() {
    return {.mean = -0.43882457311747565491, .variance = 2.0561675835602830456, .entropy = 1.7456773925575303455};
  }
  /// exp(u) = sqrt((1 + p) / (1 - p)) - 1
  static double quantile(double p) { return std::log(std::expm1(0.5 * std::log1p(2 * p / (1 - p)))); }

  static constexpr bool has_knees = false;
  static constexpr float mean = 0;
  template <class S>
  static constexpr S reach = tail_reach<S>;

  /// Closed: w (w + 2) / (w^2 + 2 w + 2). Open: 2 w^2 / (2 w^2 + 2 w + 1).
  template <class V>
  static constexpr Decaying<V, Pair<V>> side(Position<V, V> at) {
    const auto [exponential, w] = decay(at.t);
    return {exponential, product(select(at.open, V(2) * w, w + V(2)), reciprocal(at, w))};
  }
  /// Closed: 4 w (w + 1) / (w^2 + 2 w + 2)^2. Open: 4 w^2 (w + 1) / (2 w^2 + 2 w + 1)^2.
  template <class V>
  static constexpr Decaying<V, Pair<V>> density(Position<V, V> at) {
    const auto [exponential, w] = decay(at.t);
    const Pair<V> r = reciprocal(at, w), square = product(r.high, r.high);
    const V numerator = select(at.open, w, V(1)) * fma(V(4), w, V(4));
    return {exponential, product(numerator, Pair<V>{square.high, fma(V(2) * r.high, r.low, square.low)})};
  }
  /// -f' / f where open, f' / f where closed.
  template <class V>
  static constexpr V log_density_decay(Position<V, V> at) {
    const V w = decay(at.t).w, part = select(at.open, fma(V(2), w, V(1)), w + V(1));
    const V change = w / (w + V(1)) - V(4) * w * part * reciprocal(at, w).high;
    return select(at.open, V(2), V(1)) + change;
  }

 private:
  template <class V>
  struct Decay {
    ScaledExp<V> exponential;
    V w;  ///< exp(-t), rounded
  };
  template <class V>
  static constexpr Decay<V> decay(V t) {
    const ScaledExp<V> e = exp_negative<V>(t);
    return {e, fma(e.power, e.rest, e.power) * V(1 / tail_scale<Scalar<V>>)};
  }
  /// 1 / (w^2 + 2 w + 2) or 1 / (2 w^2 + 2 w + 1)
  template <class V>
  static constexpr Pair<V> reciprocal(Position<V, V> at, V w) {
    const Pair<V> bent = product(w, fma(select(at.open, V(2), V(1)), w, V(2)));
    const V least = select(at.open, V(1), V(2)), high = least + bent.high,
            low = ((least - high) + bent.high) + bent.low;
    const V rough = V(1) / high;
    return {rough, rough * fnma(rough, low, fnma(rough, high, V(1)))};
  }
};

}  // namespace limen::laws
