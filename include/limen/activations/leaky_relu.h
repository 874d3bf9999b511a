// Part of limen. SPDX-License-Identifier: MIT
//
// Two straight pieces that meet at 0: below it everything passes, only smaller. No law gives that: mass alpha would
// have to lie at -inf.
#pragma once

#include <array>
#include <limits>

#include "limen/laws/info.h"
#include "limen/math/value.h"

namespace limen::activations {

using namespace math;  // the vocabulary

/// z, for comparisons without an activation.
struct Identity {
  static constexpr ActivationInfo info{.name = "identity",
                                       .title = "identity",
                                       .formula = "z",
                                       .slope = "1",
                                       .law = "",
                                       .limit = "-inf",
                                       .reference = "no activation",
                                       .bound = {0, 0}};

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
    return z;
  }
  template <class V>
  static constexpr V slope(V z, const C<V>&) {
    return unless_nan(V(1), z);
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
};

/// z above 0, alpha z below. At 0 the slope is alpha.
struct LeakyRelu {
  static constexpr ActivationInfo info{
      .name = "leaky_relu",
      .title = "leaky ReLU",
      .formula = "z for z > 0, else alpha z",
      .slope = "1 for z > 0, else alpha",
      .law = "",
      .limit = "alpha z",
      .reference = "Maas, Hannun and Ng 2013",
      .bound = {1, 1},
      .parameter_count = 1,
      .parameter = {{"alpha", 0.01, -widest, widest, false, "slope below 0", Learned::directly}},
      .meets_at_0 = true};

  template <class S>
  struct Constants {
    S alpha;
    S lowest;  // where z is held below
  };
  template <class V>
  using C = Constants<Scalar<V>>;

  template <class S>
  static constexpr Constants<S> prepare(const S* parameters) {
    // 0 times -inf must not form.
    const S infinity = std::numeric_limits<S>::infinity(), largest = std::numeric_limits<S>::max();
    return {parameters[0], parameters[0] == 0 ? -largest : -infinity};
  }
  template <class V>
  static constexpr V value(V z, const C<V>& c) {
    return select(z > V(0), z, V(c.alpha) * max(V(c.lowest), z));
  }
  template <class V>
  static constexpr V slope(V z, const C<V>& c) {
    return unless_nan(select(z > V(0), V(1), V(c.alpha)), z);
  }
  template <class V>
  static constexpr V curvature(V z, const C<V>&) {
    return unless_nan(V(0), z);
  }
  template <class V>
  static constexpr std::array<V, 1> parameter_slopes(V z, const C<V>&) {
    return {min(V(0), z)};
  }
  template <class V>
  static constexpr std::array<V, 1> mixed_curvatures(V z, const C<V>&) {
    return {unless_nan(select(z > V(0), V(0), V(1)), z)};
  }
  template <class V>
  static constexpr std::array<V, 1> parameter_curvatures(V z, const C<V>&) {
    return {unless_nan(V(0), z)};
  }
};

/// The same, its slope below 0 meant to be learned.
struct Prelu : LeakyRelu {
  static constexpr ActivationInfo info{
      .name = "prelu",
      .title = "PReLU",
      .formula = "z for z > 0, else alpha z",
      .slope = "1 for z > 0, else alpha",
      .law = "",
      .limit = "alpha z",
      .reference = "He, Zhang, Ren and Sun 2015, arXiv 1502.01852",
      .bound = {1, 1},
      .parameter_count = 1,
      .parameter = {{"alpha", 0.25, -widest, widest, false, "slope below 0", Learned::directly}},
      .meets_at_0 = true};
};

}  // namespace limen::activations
