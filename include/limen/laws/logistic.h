// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include "limen/laws/placement.h"

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

  static constexpr bool piecewise = false;
  static constexpr float mean = 0;
  template <class S>
  static constexpr S tail_scale = laws::tail_scale<S>;
  template <class S>
  static constexpr S reach = sizeof(S) == 4 ? 114 : 770;

  template <class V, class U>
  static Gate<V, V> gate(Position<V, U> at) {
    const V u = leading(at.u);
    const Mask<V> open = u >= V(0);
    const V e = std::exp(-abs(u));
    return {open, negative_where(open, e * V(tail_scale<V>) / (V(1) + e))};
  }
  template <class V, class U>
  static V density(Position<V, U> at) {
    const V e = std::exp(-abs(leading(at.u)));
    return e * V(tail_scale<V>) / ((V(1) + e) * (V(1) + e));
  }
  /// f' = f (1 - 2 F)
  template <class V, class U>
  static V density_slope(Position<V, U> at) {
    return -density(at) * std::tanh(V(0.5) * leading(at.u));
  }
  template <class V, class U>
  static V loss_tail(Position<V, U> at) {
    return V(tail_scale<V>) * std::log1p(std::exp(-abs(leading(at.u))));
  }
  template <class V, class U>
  static V correction_tail(Position<V, U> at) {
    return loss_tail(at) + abs(leading(at.u)) * abs(gate(at).tail);
  }
  template <class V, class U>
  static V correction_change(Position<V, U> at) {
    return correction_tail(at) * V(1 / tail_scale<V>) - V(0.69314718055994530942);
  }
};

}  // namespace limen::laws
