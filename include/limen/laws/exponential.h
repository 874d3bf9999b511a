// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <numbers>

#include "limen/laws/one_sided.h"
#include "limen/math/exponential.h"

namespace limen::laws {

/// T exponential: F(u) = 1 - exp(-u) for u > 0, f = exp(-u), mean 1; E(u - T)+ = u - 1 + exp(-u).
struct Exponential {
  using Placement = OneSidedByRate;
  static constexpr ActivationInfo transmission{.name = "expelu",
                                               .title = "ExpELU",
                                               .formula = "z (1 - exp(-lambda z)) for z > 0, else 0",
                                               .slope = "1 - (1 - lambda z) exp(-lambda z) for z > 0, else 0",
                                               .law = "exponential",
                                               .gate = "1 - exp(-lambda z) for z > 0, else 0",
                                               .loss = "z - (1 - exp(-lambda z)) / lambda for z > 0, else 0",
                                               .mean = "1 / lambda",
                                               .variance = "1 / lambda^2",
                                               .entropy = "1 - ln lambda",
                                               .limit = "0",
                                               .reference = "Rossi 2026, arXiv 2607.03664",
                                               .bound = {3, 3},
                                               .parameter_count = 1,
                                               .parameter = {positive("lambda", 1, "1 / mean of the threshold")}};

  static Distribution distribution() {
    return {.mean = 1, .variance = 1, .entropy = 1, .lower = 0, .maximum_entropy = "the mean, on [0, inf)"};
  }
  static double quantile(double p) { return -std::log1p(-p); }

  static constexpr bool has_knees = false;
  static constexpr float mean = 1;
  template <class S>
  static constexpr S reach = tail_reach<S>;
  template <class S>
  static constexpr S middle = S(std::numbers::ln2);

  /// exp_negative gives exp(-u) = 1 + rest near 0 and (1 + rest) / 2 around the middle, so that F needs no difference
  /// that cancels.
  template <class V, class U>
  static constexpr Pair<V> side(OneSidedPosition<V, U> at) {
    const auto [power, rest] = decay(at);
    return {select(at.open, power, V(tail_scale<Scalar<V>>) - power), turned_closed(at, power * rest)};
  }
  /// 0 up to 0: second derivatives there are those of the piece below.
  template <class V, class U>
  static constexpr Pair<V> density(OneSidedPosition<V, U> at) {
    const auto [power, rest] = decay(at);
    return {select(begun(at), power, V(0)), power * rest};
  }
  /// -f' / f, its sign turned on the closed side.
  template <class V, class U>
  static constexpr V log_density_decay(OneSidedPosition<V, U> at) {
    return turned_closed(at, V(1));
  }

  /// The density at 0 itself, seen from above.
  static constexpr float density_at_0 = 1;

  /// Up to here what follows is more accurate than its asymptote and a tail.
  template <class S>
  static constexpr S near = 1;
  /// exp(-u) - 1 + u
  template <class V, class U>
  static constexpr V loss_near(OneSidedPosition<V, U> at) {
    constexpr int terms = sizeof(Scalar<V>) == 4 ? 11 : 19;  // 2 / terms! is below an ulp
    const V u = min(V(near<Scalar<V>>), leading(at.t));
    V sum = V(1);
    for (int n = terms; n > 2; --n) sum = fnma(u / V(Scalar<V>(n)), sum, V(1));
    return times(times(V(tail_scale<Scalar<V>> / 2) * sum, at.t), at.t);
  }
  template <class V, class U>
  static constexpr Pair<V> loss_tail(OneSidedPosition<V, U> at) {
    return density(at);
  }
  /// exp(-u) (1 + u)
  template <class V, class U>
  static constexpr Pair<V> correction_tail(OneSidedPosition<V, U> at) {
    return multiply_add(at.t, density(at), density(at));
  }

 private:
  /// exp(-u)
  template <class V, class U>
  static constexpr ScaledExp<V> decay(OneSidedPosition<V, U> at) {
    return exp_negative<V>(at.t);
  }
};

}  // namespace limen::laws
