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
  static constexpr S reach = sizeof(S) == 4 ? 114 : 770;

  template <class V, class U>
  static Gate<V, V> gate(Position<V, U> at) {
    const Mask<V> open = leading(at.u) >= V(0);
    return {open, negative_where(open, parts(at).tail)};
  }
  template <class V, class U>
  static V density(Position<V, U> at) {
    const auto [odds, tail] = parts(at);
    return tail / (V(1) + odds);
  }
  /// f' = f (1 - 2 F)
  template <class V, class U>
  static V density_slope(Position<V, U> at) {
    const auto [odds, tail] = parts(at);
    const V towards_0 = with_sign_of((V(1) - odds) / (V(1) + odds), -leading(at.u));
    return density(at) * towards_0;
  }
  /// log(1 + exp(-|u|))
  template <class V, class U>
  static Pair<V> loss_tail(Position<V, U> at) {
    const auto [power, rest] = decay(at);
    const V ratio = log1p_ratio(fma(power, rest, power) * V(1 / tail_scale<Scalar<V>>));
    return {power, fma(rest, ratio, rest + ratio) * power};
  }
  /// The entropy of a coin with odds exp(u), in nats.
  template <class V, class U>
  static V correction_tail(Position<V, U> at) {
    return fma(abs(leading(at.u)), parts(at).tail, sum(loss_tail(at)));
  }
  /// That entropy less ln 2.
  template <class V, class U>
  static V correction_change(Position<V, U> at) {
    const V square = leading(at.u) * leading(at.u);
    const V near = -square * polynomial(coefficients::Entropy<Scalar<V>>::s, min(V(4), square));
    const V far = fma(correction_tail(at), V(1 / tail_scale<Scalar<V>>), V(Scalar<V>(-0.69314718055994530942)));
    return select(square > V(4), far, near);
  }

 private:
  template <class V>
  struct Parts {
    V odds;  ///< exp(-|u|)
    V tail;  ///< the lesser of F and 1 - F, scaled
  };

  template <class V, class U>
  static Exponential<V> decay(Position<V, U> at) {
    return exp_negative<V>(tail_scale<Scalar<V>>, negative_where(leading(at.u) < V(0), at.u));
  }
  template <class V, class U>
  static Parts<V> parts(Position<V, U> at) {
    const auto [power, rest] = decay(at);
    const V scaled = fma(power, rest, power);
    const V odds = scaled * V(1 / tail_scale<Scalar<V>>);
    return {odds, scaled / (V(1) + odds)};
  }
};

}  // namespace limen::laws
