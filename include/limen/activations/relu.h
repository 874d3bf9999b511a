// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "limen/laws/info.h"
#include "limen/laws/point_mass.h"

namespace limen::activations {

using namespace math;  // the vocabulary

/// max(z, 0): the threshold is 0 for certain.
struct Relu {
  static constexpr ActivationInfo info{.name = "relu",
                                       .title = "ReLU",
                                       .formula = "max(z, 0)",
                                       .slope = "1 for z > 0, else 0",
                                       .law = "point mass",
                                       .gate = "1 for z >= 0, else 0",
                                       .loss = "max(z, 0)",
                                       .mean = "0",
                                       .variance = "0",
                                       .entropy = "-inf",
                                       .limit = "0",
                                       .reference = "Nair and Hinton 2010",
                                       .bound = {0, 0}};

  static Distribution distribution(const double*) { return laws::PointMass::distribution(); }
  static double quantile(const double*, double p) { return laws::PointMass::quantile(p); }

  template <class S>
  struct Constants {};
  template <class V>
  using C = Constants<Scalar<V>>;

  template <class S>
  static constexpr Constants<S> prepare(const S*) {
    return {};
  }
  template <class V>
  static constexpr V value(V z, const C<V>&) {
    return max(V(0), z);
  }
  /// 0 at the kink, the usual convention (the gate is 1 there).
  template <class V>
  static constexpr V slope(V z, const C<V>&) {
    return unless_nan(select(z > V(0), V(1), V(0)), z);
  }
  template <class V>
  static constexpr V curvature(V z, const C<V>&) {
    return unless_nan(V(0), z);
  }
  template <class V>
  static constexpr std::array<V, 0> parameter_slopes(V, const C<V>&) {
    return {};
  }
  template <class V>
  static constexpr std::array<V, 0> mixed_curvatures(V, const C<V>&) {
    return {};
  }
  template <class V>
  static constexpr std::array<V, 0> parameter_curvatures(V, const C<V>&) {
    return {};
  }
  template <class V>
  static constexpr V gate(V z, const C<V>&) {
    return laws::PointMass::gate(z);
  }
  template <class V>
  static constexpr V loss(V z, const C<V>&) {
    return laws::PointMass::loss(z);
  }
  template <class V>
  static constexpr V centred(V z, const C<V>&) {
    return laws::PointMass::loss(z);
  }
  template <class V>
  static constexpr V correction(V z, const C<V>&) {
    return unless_nan(V(0), z);
  }
};

}  // namespace limen::activations
