// Part of limen. SPDX-License-Identifier: MIT
//
// What follows from a law for its activation z F(z): everything here is derived, for every law alike.
//
//   value        z F                         slope      F + z f                 curvature  2 f + z f'
//   loss         E(z - T)+ = integral of F up to z                              correction loss - z F = -E[T 1{T <= z}]
//   centred      loss(z) - loss(0)           slope in a parameter p             z f du/dp
//
// A law is a struct of function templates on u = (z - location) / scale (see laws/normal.h), a placement says how the
// parameters make u out of z (see laws/placement.h). Each quantity is a hinge (z or 1 on the open side, 0 on the
// closed) plus a tail, and the two meet in one rounding.
#pragma once

#include <array>
#include <cstddef>

#include "limen/laws/placement.h"

namespace limen::activations {

using namespace math;  // the vocabulary

template <class Law, class PlacementOfLaw = typename Law::Placement>
struct Transmission {
  using Placement = PlacementOfLaw;
  static constexpr const ActivationInfo& info = Law::transmission;

  template <class S>
  using Constants = typename Placement::template Constants<S>;
  template <class V>
  using C = Constants<Scalar<V>>;

  template <class S>
  static Constants<S> prepare(const S* parameters) {
    return Placement::template prepare<Law>(parameters);
  }

  template <class V>
  static V value(V z, const C<V>& c) {
    const auto at = place(z, c);
    const auto gate = Law::gate(at);
    return threshold(gate.open, z, times(at.z, gate.side));
  }

  template <class V>
  static V slope(V z, const C<V>& c) {
    const auto at = place(z, c);
    return gate_plus<V>(at, Placement::z_over_scale(at, c));
  }

  template <class V>
  static V curvature(V z, const C<V>& c) {
    const auto at = place(z, c);
    const V factor = times_plus(Placement::z_over_scale(at, c), Law::log_density_slope(at), V(2));
    return times(Placement::template rate<V>(c), times(factor, Law::density(at))) * V(unscale<V>);
  }

  template <class V>
  static auto parameter_slopes(V z, const C<V>& c) {
    const auto at = place(z, c);
    const V z_density = times(at.z, Law::density(at));
    const auto position_slopes = Placement::position_slopes(at, c);
    std::array<V, position_slopes.size()> slopes;
    for (std::size_t i = 0; i < slopes.size(); ++i)
      slopes[i] = times(z_density, times_power(V(unscale<V>), position_slopes[i]));
    return slopes;
  }

  template <class V>
  static V gate(V z, const C<V>& c) {
    const auto gate = Law::gate(place(z, c));
    return threshold(gate.open, V(1), sum(gate.side));
  }

  template <class V>
  static V density(V z, const C<V>& c) {
    return times(Placement::template rate<V>(c), Law::density(place(z, c))) * V(unscale<V>);
  }

  template <class V>
  static V loss(V z, const C<V>& c) {
    const auto at = place(z, c);
    return meet(Law::gate(at).open, z - Placement::template mean<Law, V>(c),
                times(Placement::template scale<V>(c), Law::loss_tail(at)));
  }

  template <class V>
  static V correction(V z, const C<V>& c) {
    const auto at = place(z, c);
    const auto gate = Law::gate(at);
    V tail = times(Placement::template scale<V>(c), Law::correction_tail(at));
    if constexpr (Placement::has_location) tail = tail - negative_where(gate.open, times(V(c.location), gate.side));
    return meet(gate.open, -Placement::template mean<Law, V>(c), tail);
  }

  template <class V>
  static V centred(V z, const C<V>& c) {
    if constexpr (Placement::has_location)
      return loss(z, c) - loss(V(0), c);
    else
      return times_plus(Placement::template scale<V>(c), Law::correction_change(place(z, c)), value(z, c));
  }

 protected:
  template <class V>
  static constexpr Scalar<V> unscale = 1 / Law::template tail_scale<Scalar<V>>;

  template <class V>
  static auto place(V z, const C<V>& c) {
    return Placement::template at<Law>(z, c);
  }

  template <class At>
  static auto fine_gate(At at) {
    if constexpr (requires { Law::fine_gate(at); })
      return Law::fine_gate(at);
    else
      return Law::gate(at);
  }

  /// F + factor f, f in units of u.
  template <class V, class At, class Factor>
  static V gate_plus(At at, Factor factor) {
    const auto gate = fine_gate(at);
    return threshold(gate.open, V(1), times_plus(negative_where(gate.open, factor), Law::density(at), gate.side));
  }

  /// hinge - side where open, side elsewhere.
  template <class V>
  static V threshold(Mask<V> open, V hinge, V side) {
    if constexpr (Law::has_knees)
      return select(open, hinge, side);
    else
      return fma(side, select(open, V(-unscale<V>), V(unscale<V>)), select(open, hinge, V(0)));
  }

  /// hinge + tail where open, tail elsewhere.
  template <class V>
  static V meet(Mask<V> open, V hinge, V tail) {
    if constexpr (Law::has_knees)
      return select(open, hinge, tail);
    else
      return fma(tail, V(unscale<V>), select(open, hinge, V(0)));
  }
};

}  // namespace limen::activations
