// Part of limen. SPDX-License-Identifier: MIT
//
// What follows from a law whose tails fall like 1 / t: z F tends to a limit that is not 0, and there is no mean, so no
// loss and no correction; their changes from 0, which exist, make the centred loss. Such tails span the whole range of
// the type: they need no scaling to be rounded once, and wherever z is large, products with it come before 1 / t^2
// underflows. Transmission (transmission.h) does the same for laws with a mean.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>

#include "limen/laws/heavy.h"

namespace limen::activations {

using namespace math;  // the vocabulary

/// One parameter, a rate k: u = k z.
template <class Law>
struct Heavy {
  static constexpr const ActivationInfo& info = Law::transmission;

  static Distribution distribution(const double* parameters) {
    return laws::LocationScale{0, 1 / parameters[0]}.of(Law::distribution());
  }
  static double quantile(const double* parameters, double p) { return Law::quantile(p) / parameters[0]; }

  template <class S>
  struct Constants {
    S rate, scale;
    S limit;  // the law's reach in units of z
  };
  template <class V>
  using C = Constants<Scalar<V>>;

  template <class S>
  static constexpr Constants<S> prepare(const S* parameters) {
    const S scale = S(1) / parameters[0], limit = Law::template reach<S> * scale;
    return {parameters[0], scale, std::min(std::numeric_limits<S>::max(), limit)};
  }

  template <class V>
  static constexpr V value(V z, const C<V>& c) {
    return max(V(0), z) - Law::z_side(place(z, c), V(c.scale));
  }
  template <class V>
  static constexpr V slope(V z, const C<V>& c) {
    const auto at = place(z, c);
    return from_side(at.open, Law::slope_side(at));
  }
  template <class V>
  static constexpr V curvature(V z, const C<V>& c) {
    return Law::curvature(place(z, c), V(c.rate));
  }
  template <class V>
  static constexpr std::array<V, 1> parameter_slopes(V z, const C<V>& c) {
    return {Law::rate_slope(place(z, c))};
  }
  template <class V>
  static constexpr std::array<V, 1> mixed_curvatures(V z, const C<V>& c) {
    const auto at = place(z, c);
    return {Law::curvature(at, select(at.open, at.y, -at.y))};
  }
  template <class V>
  static constexpr std::array<V, 1> parameter_curvatures(V z, const C<V>& c) {
    return {Law::rate_curvature(place(z, c))};
  }
  template <class V>
  static constexpr V gate(V z, const C<V>& c) {
    const auto at = place(z, c);
    return from_side(at.open, Law::side(at) * thinning(z, at));
  }
  template <class V>
  static constexpr V density(V z, const C<V>& c) {
    const auto at = place(z, c);
    const V thin = thinning(z, at);
    return Law::density(at, V(c.rate) * thin) * thin;
  }
  template <class V>
  static constexpr V density_slope(V z, const C<V>& c) {
    const auto at = place(z, c);
    const V thin = thinning(z, at), slope = Law::density_slope(at, V(c.rate) * thin) * thin;
    return select(at.open, -slope, slope);
  }
  template <class V>
  static constexpr V centred(V z, const C<V>& c) {
    const auto at = place(z, c);
    // Held above, where z itself gives inf; 2^-32 keeps the quotient finite for every rate.
    const V size = abs(min(V(std::numeric_limits<Scalar<V>>::max()), z));
    const V excess = log(size * V(0x1p-32f) / at.y) + V(Scalar<V>(32 * std::numbers::ln2));
    const V beyond = select(size > at.y, excess, V(0));
    return fma(V(c.scale), Law::correction_change(at, beyond), value(z, c));
  }

 private:
  template <class V>
  static constexpr laws::HeavyPosition<V> place(V z, const C<V>& c) {
    const V y = min(V(c.limit), abs(z));
    return {z >= V(0), y, V(c.rate), product(y, V(c.rate))};
  }
  /// What a tail of order 1 / t has lost from the reach to z.
  template <class V>
  static constexpr V thinning(V z, laws::HeavyPosition<V> at) {
    return select(abs(z) > at.y, at.y / abs(z), V(1));
  }
  template <class V>
  static constexpr V from_side(Mask<V> open, V side) {
    return select(open, V(1) - side, side);
  }
};

}  // namespace limen::activations
