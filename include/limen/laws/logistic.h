// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include "limen/laws/placement.h"
#include "limen/math/coefficients/entropy.h"
#include "limen/math/exponential.h"

namespace limen::laws {

/// exp(-x) / denominator
template <class V>
struct Quotient {
  Exponential<V> exponential;
  V denominator;
};
template <class V>
V times(V x, Quotient<V> a) {
  return fma(x, a.exponential.rest, x) * a.exponential.power / a.denominator;
}
template <class V>
V sum(Quotient<V> a) {
  return times(V(1), a);
}

/// T logistic: F(u) = 1 / (1 + exp(-u)), f = F (1 - F), mean 0; E(u - T)+ = log(1 + exp(u)), the softplus.
struct Logistic {
  using Placement = ByRate;
  static constexpr ActivationInfo transmission{
      .name = "silu",
      .formula = "z / (1 + exp(-slope z))",
      .law = "logistic",
      .limit = "0",
      .reference = "Elfwing, Uchibe and Doya 2017; Ramachandran, Zoph and Le 2017",
      .bound = {3, 3, 3, 3},
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
  static Gate<V, Quotient<V>> gate(Position<V, U> at) {
    return {leading(at.u) >= V(0), quotient(at)};
  }
  /// The gate to more digits, for slopes: their terms cancel.
  template <class V, class U>
  static Gate<V, Pair<V>> fine_gate(Position<V, U> at) {
    const Side<V> side = lesser(at);
    return {leading(at.u) >= V(0), {side.rounded, side.missed}};
  }
  template <class V, class U>
  static Pair<V> density(Position<V, U> at) {
    const Side<V> side = lesser(at);
    return {side.rounded * side.other, fma(V(-2), side.unscaled, V(1)) * side.missed};
  }
  /// f' / f = 1 - 2 F = -tanh(u / 2)
  template <class V, class U>
  static V log_density_slope(Position<V, U> at) {
    return with_sign_of(fma(V(-2), lesser(at).unscaled, V(1)), -leading(at.u));
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
    const Side<V> side = lesser(at);
    return pair_times_plus(abs(at.u), Pair<V>{side.rounded, side.missed}, loss_tail(at));
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
  template <class V>
  struct Side {
    V rounded;   ///< scaled
    V missed;    ///< what rounding took from it, scaled
    V unscaled;  ///< rounded / tail_scale
    V other;     ///< the greater side
  };

  template <class V, class U>
  static Quotient<V> quotient(Position<V, U> at) {
    const auto [power, rest] = decay(at);
    return {{power, rest}, V(1) + fma(power, rest, power) * V(1 / tail_scale<Scalar<V>>)};
  }

  template <class V, class U>
  static Side<V> lesser(Position<V, U> at) {
    const V unscale = V(1 / tail_scale<Scalar<V>>);
    const auto [power, rest] = decay(at);
    const V w = fma(power, rest, power), w_low = fma(power, rest, power - w);
    const V denominator = fma(w, unscale, V(1)), denominator_low = fma(w, unscale, V(1) - denominator);
    const V rounded = w / denominator, unscaled = rounded * unscale;
    const V other = V(1) - unscaled;  // 1 / denominator, nearly
    const V residual = fma(-rounded, denominator, w) + fma(-rounded, denominator_low, w_low);
    return {rounded, residual * other, unscaled, other};
  }
};

}  // namespace limen::laws
