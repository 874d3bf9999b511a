// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <numbers>

#include "limen/laws/placement.h"
#include "limen/math/coefficients/entropy.h"
#include "limen/math/exponential.h"

namespace limen::laws {

/// exp(-x) / denominator
template <class V>
struct Quotient {
  ScaledExp<V> exponential;
  V denominator;
};
template <class V>
constexpr V times(V x, Quotient<V> a) {
  const V lifted = x * a.exponential.power;
  return fma(lifted, a.exponential.rest, lifted) / a.denominator;
}
template <class V>
constexpr V sum(Quotient<V> a) {
  return times(V(1), a);
}

/// T logistic: F(u) = 1 / (1 + exp(-u)), f = F (1 - F), mean 0; E(u - T)+ = log(1 + exp(u)), the softplus.
struct Logistic {
  using Placement = ByRate;
  static constexpr ActivationInfo transmission{
      .name = "silu",
      .title = "SiLU",
      .formula = "z / (1 + exp(-slope z))",
      .slope = "s + slope z s (1 - s); s = 1 / (1 + exp(-slope z))",
      .law = "logistic",
      .gate = "1 / (1 + exp(-slope z))",
      .loss = "log(1 + exp(slope z)) / slope",
      .mean = "0",
      .variance = "pi^2 / (3 slope^2)",
      .entropy = "2 - ln slope",
      .limit = "0",
      .reference = "Elfwing, Uchibe and Doya 2017; Ramachandran, Zoph and Le 2017",
      .bound = {3, 3},
      .parameter_count = 1,
      .parameter = {positive("slope", 1, "four times the gate's slope at 0")}};

  static Distribution distribution() {
    return {.mean = 0,
            .variance = 3.2898681336964528729,
            .entropy = 2,
            .maximum_entropy = "E ln cosh(slope T / 2) = 1 - ln 2"};
  }
  static double quantile(double p) { return std::log(p) - std::log1p(-p); }

  static constexpr bool has_knees = false;
  static constexpr float mean = 0;
  template <class S>
  static constexpr S reach = tail_reach<S>;

  template <class V, class U>
  static constexpr Quotient<V> side(Position<V, U> at) {
    return {decay(at), V(1) + odds(at)};
  }
  /// With w = exp(-t), w (1 + w + factor) / (1 + w)^2: where side and density cancel, only the rounding of w shows.
  template <class V, class U, class Factor>
  static constexpr Decaying<V, V> side_plus(Position<V, U> at, Factor factor) {
    const V w = odds(at), sum = V(1) + w, missed = w - (sum - V(1));
    const V over = (V(1) + leading(factor)) + plus_low(w, factor), under = fma(sum, sum, V(2) * sum * missed);
    return {decay(at), over / under};
  }
  template <class V, class U>
  static constexpr Decaying<V, Pair<V>> density(Position<V, U> at) {
    const Pair<V> side = other_side(at), square = product(side.high, side.high);
    return {decay(at), {square.high, fma(V(2) * side.high, side.low, square.low)}};
  }
  /// -f' / f at t: tanh(t / 2) = (1 - exp(-t)) / (1 + exp(-t)); near 0 the power of two is 1, so that nothing cancels.
  template <class V, class U>
  static constexpr Pair<V> log_density_decay(Position<V, U> at) {
    const auto [power, rest] = decay(at);
    const V factor = power * V(1 / tail_scale<Scalar<V>>);
    return product(exact_sum(V(1) - factor, -factor * rest), other_side(at));
  }
  /// log(1 + exp(-t))
  template <class V, class U>
  static constexpr Decaying<V, Pair<V>> loss_tail(Position<V, U> at) {
    return {decay(at), {V(log1p_middle), log1p_rest(odds(at))}};
  }
  /// The entropy of a coin with odds exp(t), in nats.
  template <class V, class U>
  static constexpr Decaying<V, Pair<V>> correction_tail(Position<V, U> at) {
    return multiply_add(at.t, Decaying<V, Pair<V>>{decay(at), other_side(at)}, loss_tail(at));
  }
  /// That entropy less ln 2.
  template <class V, class U>
  static constexpr V correction_change(Position<V, U> at) {
    const V square = leading(at.t) * leading(at.t);
    const V near = -square * polynomial<coefficients::Entropy<Scalar<V>>::s>(min(V(4), square));
    const V entropy = sum(correction_tail(at)) * V(1 / tail_scale<Scalar<V>>);
    const V far = entropy - V(Scalar<V>(std::numbers::ln2));
    return select(square > V(4), far, near);
  }

 private:
  /// exp(-t)
  template <class V, class U>
  static constexpr ScaledExp<V> decay(Position<V, U> at) {
    return exp_negative<V>(at.t);
  }

  /// exp(-t), rounded.
  template <class V, class U>
  static constexpr V odds(Position<V, U> at) {
    const auto [power, rest] = decay(at);
    return fma(power, rest, power) * V(1 / tail_scale<Scalar<V>>);
  }

  /// The greater of F and 1 - F: 1 / (1 + exp(-t)).
  template <class V, class U>
  static constexpr Pair<V> other_side(Position<V, U> at) {
    const V w = odds(at), denominator = V(1) + w, denominator_low = (V(1) - denominator) + w;
    const V rough = V(1) / denominator;
    return {rough, rough * fnma(rough, denominator_low, fnma(rough, denominator, V(1)))};
  }
};

}  // namespace limen::laws
