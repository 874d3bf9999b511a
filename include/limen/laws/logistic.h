// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include "limen/laws/placement.h"
#include "limen/math/coefficients/entropy.h"
#include "limen/math/exponential.h"

namespace limen::laws {

/// T logistic: F(u) = 1 / (1 + exp(-u)), f = F (1 - F), mean 0; E(u - T)+ = log(1 + exp(u)), the softplus.
struct Logistic {
  using Placement = ByRate;
  static constexpr ActivationInfo transmission{
      .name = "silu",
      .formula = "z / (1 + exp(-slope z))",
      .law = "logistic",
      .limit = "0",
      .reference = "Elfwing, Uchibe and Doya 2017; Ramachandran, Zoph and Le 2017",
      .bound = {3, 3, 4, 4},
      .parameter_count = 1,
      .parameter = {
          {"slope", 1, 1 / widest, widest, false, "rate of the gate at 0, times 4", Learned::softplus, 1e-3}}};

  static constexpr bool has_knees = false;
  static constexpr float mean = 0;
  template <class S>
  static constexpr S tail_scale = laws::tail_scale<S>;
  template <class S>
  static constexpr S reach = tail_reach<S>;

  template <class V, class U>
  static Gate<V, Pair<V>> gate(Position<V, U> at) {
    const Mask<V> open = leading(at.u) >= V(0);
    return {open, negative_where(open, lesser_side(at))};
  }
  template <class V, class U>
  static Pair<V> density(Position<V, U> at) {
    const Pair<V> side = lesser_side(at);
    const V tail = sum(side), tail_low = (side.high - tail) + side.low;
    const V unscaled = tail * V(1 / tail_scale<Scalar<V>>);
    return {fma(-unscaled, tail, tail), fma(unscaled, V(-2), V(1)) * tail_low};
  }
  /// f' / f = 1 - 2 F = -tanh(u / 2)
  template <class V, class U>
  static V log_density_slope(Position<V, U> at) {
    const V tail = sum(lesser_side(at));
    return with_sign_of(fma(tail, V(-2 / tail_scale<Scalar<V>>), V(1)), -leading(at.u));
  }
  /// log(1 + exp(-|u|))
  template <class V, class U>
  static Pair<V> loss_tail(Position<V, U> at) {
    const auto [power, rest] = decay(at);
    const V ratio = log1p_rest(fma(power, rest, power) * V(1 / tail_scale<Scalar<V>>));
    const V middle = V(log1p_middle);
    return {middle * power, fma(ratio, V(1) + rest, middle * rest) * power};
  }
  /// The entropy of a coin with odds exp(u), in nats.
  template <class V, class U>
  static Pair<V> correction_tail(Position<V, U> at) {
    return pair_times_plus(abs(at.u), lesser_side(at), loss_tail(at));
  }
  /// That entropy less ln 2.
  template <class V, class U>
  static V correction_change(Position<V, U> at) {
    const V square = leading(at.u) * leading(at.u);
    const V near = -square * polynomial(coefficients::Entropy<Scalar<V>>::s, min(V(4), square));
    const V entropy = sum(correction_tail(at)) * V(1 / tail_scale<Scalar<V>>);
    const V far = entropy - V(Scalar<V>(0.69314718055994530942));
    return select(square > V(4), far, near);
  }

 private:
  /// exp(-|u|)
  template <class V, class U>
  static Exponential<V> decay(Position<V, U> at) {
    return exp_negative<V>(tail_scale<Scalar<V>>, abs(at.u));
  }

  /// The lesser of F and 1 - F: w / (1 + w) with w = exp(-|u|).
  template <class V, class U>
  static Pair<V> lesser_side(Position<V, U> at) {
    const auto [power, rest] = decay(at);
    const V w = fma(power, rest, power) * V(1 / tail_scale<Scalar<V>>);
    const V denominator = V(1) + w;
    const V denominator_low = (V(1) - denominator) + w;
    const V rough = V(1) / denominator;
    const V rate = fma(rough, fma(-denominator, rough, V(1)) - denominator_low * rough, rough);
    const V high = rate * power;
    return {high, high * rest};
  }
};

}  // namespace limen::laws
