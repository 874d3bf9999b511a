// Part of limen. SPDX-License-Identifier: MIT
//
// What follows from a law for its activation z F(z): everything here is derived, for every law alike.
//
//   value        z F                         slope      F + z f                 curvature  2 f + z f'
//   loss         E(z - T)+ = integral of F up to z                              correction loss - z F = -E[T 1{T <= z}]
//   centred      loss(z) - loss(0)           slope in a parameter p             z f du/dp
//   d2/dz dp     f du/dp + z d(f du/dz)/dp   d2/dp dq   z (f d2u/dp dq + f' du/dp du/dq)
//
// A law whose losses are infinite or have no closed form leaves their members out; its activation then has none.
//
// A law is a struct of function templates on u = (z - location) / scale (see laws/normal.h), a placement says how the
// parameters make u out of z (see laws/placement.h). Each quantity is a hinge (z or 1 on the open side, 0 on the
// closed) plus a tail, and the two meet in one rounding.
#pragma once

#include <array>
#include <cstddef>

#include "limen/laws/placement.h"
#include "limen/math/exponential.h"

namespace limen::activations {

using namespace math;  // the vocabulary

template <class Law, class PlacementOfLaw = typename Law::Placement>
struct Transmission {
  using Placement = PlacementOfLaw;
  static constexpr const ActivationInfo& info = Law::transmission;
  static constexpr bool has_knees = Law::has_knees;

  template <class S>
  using Constants = typename Placement::template Constants<S>;
  template <class V>
  using C = Constants<Scalar<V>>;
  template <class V>
  using At = decltype(Placement::template at<Law>(V(), C<V>()));

  template <class S>
  static constexpr Constants<S> prepare(const S* parameters) {
    return Placement::template prepare<Law>(parameters);
  }

  /// The threshold's, p in (0, 1).
  static Distribution distribution(const double* parameters) {
    return Placement::location_scale(parameters).of(Law::distribution());
  }
  static double quantile(const double* parameters, double p) {
    return Placement::location_scale(parameters).of(Law::quantile(p));
  }

  template <class V>
  static constexpr V value(V z, const C<V>& c) {
    const auto at = place(z, c);
    if constexpr (Law::has_knees)
      return select(at.open, z, times(at.y, Law::side(at)));
    else
      return fma(times(at.y, Law::side(at)), V(-unscale<V>), hinge(at.open, z));
  }

  template <class V>
  static constexpr V slope(V z, const C<V>& c) {
    const auto at = place(z, c);
    return gate_plus<V>(at, Placement::turned_z_over_scale(at, c));
  }

  template <class V>
  static constexpr V curvature(V z, const C<V>& c) {
    const auto at = place(z, c);
    const V factor = multiply_add(Placement::turned_z_over_scale(at, c), Law::log_density_decay(at), V(2));
    return times(Placement::template rate<V>(c), times(factor, Law::density(at))) * V(unscale<V>);
  }

  template <class V>
  static constexpr auto parameter_slopes(V z, const C<V>& c) {
    const auto at = place(z, c);
    // The scale is taken off in two steps, so that nothing overflows, nor underflows before the factors have met.
    const V z_density = times(at.y, Law::density(at));
    const auto position_slopes = Placement::position_slopes(at, c);
    std::array<V, position_slopes.size()> slopes;
    for (std::size_t i = 0; const auto& slope : position_slopes)
      slopes[i++] = times(z_density, times_power(V(unscale<V> * half_scale<V>), slope)) * V(1 / half_scale<V>);
    return slopes;
  }

  /// d2/dz dp for each parameter p.
  template <class V>
  static constexpr auto mixed_curvatures(V z, const C<V>& c) {
    const auto at = place(z, c);
    return Placement::mixed_curvatures(at, Law::density(at), Law::log_density_decay(at), V(unscale<V>), c);
  }

  /// d2/dp dq for the pairs of parameters p <= q in the order of `pair_index`.
  template <class V>
  static constexpr auto parameter_curvatures(V z, const C<V>& c) {
    const auto at = place(z, c);
    return Placement::parameter_curvatures(at, Law::density(at), Law::log_density_decay(at), V(unscale<V>), c);
  }

  template <class V>
  static constexpr V gate(V z, const C<V>& c) {
    const auto at = place(z, c);
    return from_side(at.open, sum(Law::side(at)));
  }

  template <class V>
  static constexpr V density(V z, const C<V>& c) {
    return times(Placement::template rate<V>(c), Law::density(place(z, c))) * V(unscale<V>);
  }

  /// f'
  template <class V>
  static constexpr V density_slope(V z, const C<V>& c) {
    const auto at = place(z, c);
    const auto rate = Placement::template rate<V>(c);
    const V decay = times(sum(Law::log_density_decay(at)), rate);
    return times(rate, times(select(at.open, -decay, decay), Law::density(at))) * V(unscale<V>);
  }

  template <class V>
  static constexpr V loss(V z, const C<V>& c) requires requires(At<V> at) {
    Law::loss_tail(at);
  }
  {
    const auto at = place(z, c);
    const V tail = times(Placement::template scale<V>(c), Law::loss_tail(at));
    if constexpr (mean_is_0)
      return meet(at.open, z, tail);
    else
      return meet(at.open, z - Placement::template mean<Law, V>(c), tail);
  }

  template <class V>
  static constexpr V correction(V z, const C<V>& c) requires requires(At<V> at) {
    Law::correction_tail(at);
  }
  {
    const auto at = place(z, c);
    V tail = times(Placement::template scale<V>(c), Law::correction_tail(at));
    if constexpr (Placement::has_location) tail = tail - negative_where(at.open, times(V(c.location), Law::side(at)));
    return meet(at.open, -Placement::template mean<Law, V>(c), tail);
  }

  template <class V>
  static constexpr V centred(V z, const C<V>& c) requires requires(At<V> at) {
    Law::correction_change(at);
  }
  {
    if constexpr (Placement::has_location)
      return loss_change(z, c);
    else
      return multiply_add(Placement::template scale<V>(c), Law::correction_change(place(z, c)), value(z, c));
  }

 protected:
  template <class V>
  static constexpr Scalar<V> unscale = Law::has_knees ? 1 : 1 / tail_scale<Scalar<V>>;
  template <class V>
  static constexpr Scalar<V> half_scale = Law::has_knees ? 1 : root_of_tail_scale<Scalar<V>>;
  static constexpr bool mean_is_0 = Placement::template mean_is_0<Law>;

  template <class V>
  static constexpr auto place(V z, const C<V>& c) {
    return Placement::template at<Law>(z, c);
  }

  /// loss(z) - loss(0) where loss(0) is not the law's own: hinges and tails are subtracted apart. Next to 0 that
  /// cancels, and the loss changes by the integral of F.
  template <class V>
  static constexpr V loss_change(V z, const C<V>& c) {
    const auto at = place(z, c), at_0 = place(V(0), c);
    const V mean = Placement::template mean<Law, V>(c);
    const V open_hinge = select(at_0.open, z, z - mean), closed_hinge = select(at_0.open, mean, V(0));
    const Pair<V> scale = Placement::template scale<V>(c);
    const V tails = times(scale, Law::loss_tail(at)) - times(scale, Law::loss_tail(at_0));
    const V far = fma(tails, V(unscale<V>), select(at.open, open_hinge, closed_hinge));
    const V near = V(Scalar<V>(0.5)) * scale.high / (V(1) + leading(at_0.t));
    return select(abs(z) < near, integral_of_gate(z, c), far);
  }
  /// From 0 to z, by Gauss' rule with 8 nodes.
  template <class V>
  static constexpr V integral_of_gate(V z, const C<V>& c) {
    using S = Scalar<V>;
    constexpr S half_node[] = {S(0.0917173212478249), S(0.2627662049581645), S(0.39833323870681335),
                               S(0.48014492824876815)};
    constexpr S half_weight[] = {S(0.181341891689181), S(0.15685332293894365), S(0.11119051722668725),
                                 S(0.05061426814518815)};
    V total = V(0);
    for (int i = 3; i >= 0; --i) {
      const V pair = gate(V(S(0.5) - half_node[i]) * z, c) + gate(V(S(0.5) + half_node[i]) * z, c);
      total = fma(V(half_weight[i]), pair, total);
    }
    return z * total;
  }

  /// F + factor f, f in units of u, the factor's sign turned on the open side.
  template <class V, class At, class Factor>
  static constexpr V gate_plus(At at, Factor factor) {
    if constexpr (requires { Law::side_plus(at, factor); })
      return from_side(at.open, sum(Law::side_plus(at, factor)));
    else
      return from_side(at.open, sum(multiply_add(factor, Law::density(at), Law::side(at))));
  }

  /// 1 - side where open, side elsewhere.
  template <class V>
  static constexpr V from_side(Mask<V> open, V side) {
    if constexpr (Law::has_knees)
      return select(open, V(1), side);
    else
      return fma(side, select(open, V(-unscale<V>), V(unscale<V>)), select(open, V(1), V(0)));
  }

  /// asymptote + tail where open, tail elsewhere.
  template <class V>
  static constexpr V meet(Mask<V> open, V asymptote, V tail) {
    if constexpr (Law::has_knees)
      return select(open, asymptote, tail);
    else
      return fma(tail, V(unscale<V>), mean_is_0 ? hinge(open, asymptote) : select(open, asymptote, V(0)));
  }

  /// z where open, 0 elsewhere.
  template <class V>
  static constexpr V hinge(Mask<V> open, V z) {
    if constexpr (mean_is_0)
      return max(V(0), z);
    else
      return select(open, z, V(0));
  }
};

}  // namespace limen::activations
