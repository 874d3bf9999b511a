// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "limen/laws/info.h"
#include "limen/math/exponential.h"

namespace limen::activations {

using namespace math;  // the vocabulary

/// z above 0, alpha (exp(z) - 1) below, with a kink between them unless alpha is 1. At 0 the slope is alpha.
struct Elu {
  static constexpr ActivationInfo info{.name = "elu",
                                       .title = "ELU",
                                       .formula = "z for z > 0, else alpha (exp(z) - 1)",
                                       .slope = "1 for z > 0, else alpha exp(z)",
                                       .law = "",
                                       .limit = "-alpha",
                                       .reference = "Clevert, Unterthiner and Hochreiter 2015, arXiv 1511.07289",
                                       .bound = {2, 2},
                                       .parameter_count = 1,
                                       .parameter = {positive("alpha", 1, "depth of the plateau below 0")},
                                       .meets_at_0 = true};

  template <class S>
  struct Constants {
    S alpha;
  };
  template <class V>
  using C = Constants<Scalar<V>>;

  template <class S>
  static constexpr Constants<S> prepare(const S* parameters) {
    return {parameters[0]};
  }
  template <class V>
  static constexpr V value(V z, const C<V>& c) {
    return select(z > V(0), z, times(V(c.alpha), drop(z)));
  }
  template <class V>
  static constexpr V slope(V z, const C<V>& c) {
    return select(z > V(0), V(1), bend(z, c));
  }
  template <class V>
  static constexpr V curvature(V z, const C<V>& c) {
    return select(z > V(0), V(0), bend(z, c));
  }
  template <class V>
  static constexpr std::array<V, 1> parameter_slopes(V z, const C<V>&) {
    return {select(z > V(0), V(0), sum(drop(z)))};
  }
  template <class V>
  static constexpr std::array<V, 1> mixed_curvatures(V z, const C<V>&) {
    return {select(z > V(0), V(0), bend(z, C<V>{1}))};
  }
  template <class V>
  static constexpr std::array<V, 1> parameter_curvatures(V z, const C<V>&) {
    return {unless_nan(V(0), z)};
  }

 private:
  /// tail_scale exp(z) for z <= 0
  template <class V>
  static constexpr ScaledExp<V> decay(V z) {
    return exp_negative<V>(max(V(0), min(V(tail_reach<Scalar<V>>), -z)));
  }
  /// exp(z) - 1 for z <= 0: near 0 the power of two is 1, so that nothing cancels.
  template <class V>
  static constexpr Pair<V> drop(V z) {
    const auto [power, rest] = decay(z);
    const V factor = power * V(1 / tail_scale<Scalar<V>>);
    return {factor - V(1), factor * rest};
  }
  /// alpha exp(z)
  template <class V>
  static constexpr V bend(V z, const C<V>& c) {
    return times(V(c.alpha), Decaying<V, V>{decay(z), V(1)}) * V(1 / tail_scale<Scalar<V>>);
  }
};

}  // namespace limen::activations
