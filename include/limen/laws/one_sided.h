// Part of limen. SPDX-License-Identifier: MIT
//
// A law on [0, inf): no threshold is below 0, so that everything is exactly 0 up to there. The law's middle, at which
// `side` changes from F to 1 - F, is its median.
#pragma once

#include <array>

#include "limen/laws/placement.h"

namespace limen::laws {

/// Where z lies in a law on [0, inf). As Position, but u is not turned, and held at 0 too.
template <class V, class U>
struct OneSidedPosition {
  Mask<V> open;  ///< u >= the middle
  V y;           ///< z on the open side, -z on the other; 0 where no threshold is
  U t;           ///< u
};

/// x, its sign turned on the closed side.
template <class V, class U>
constexpr V turned_closed(OneSidedPosition<V, U> at, V x) {
  return select(at.open, x, -x);
}
/// Whether z is above 0: the density may jump there. A NaN is.
template <class V, class U>
constexpr Mask<V> begun(OneSidedPosition<V, U> at) {
  return at.y != V(0);
}

/// One parameter, a rate k: u = k z.
struct OneSidedByRate : Scaled {
  static LocationScale location_scale(const double* parameters) { return ByRate::location_scale(parameters); }
  template <class Law>
  static constexpr bool mean_is_0 = false;

  template <class Law, class S>
  static constexpr Constants<S> prepare(const S* parameters) {
    return ByRate::prepare<Law>(parameters);
  }
  template <class Law, class V>
  static constexpr OneSidedPosition<V, Pair<V>> at(V z, const Constants<Scalar<V>>& c) {
    const V held = min(V(c.limit), max(V(0), z));
    const Pair<V> u = product(held, V(c.rate.high));
    const Mask<V> open = u.high >= V(Law::template middle<Scalar<V>>);
    return {open, select(open, held, -held), u};
  }
  /// To twice the precision.
  template <class Law, class V>
  static constexpr Pair<V> mean_pair(const Constants<Scalar<V>>& c) {
    return product(V(Law::mean), scale<V>(c));
  }
  template <class V>
  static constexpr Pair<V> turned_z_over_scale(OneSidedPosition<V, Pair<V>> at, const Constants<Scalar<V>>&) {
    return negative_where(at.open, at.t);
  }
  template <class V>
  static constexpr std::array<V, 1> position_slopes(OneSidedPosition<V, Pair<V>> at, const Constants<Scalar<V>>&) {
    return {at.y};
  }
  /// z f (2 - E)
  template <class V, class Density, class Decay>
  static constexpr std::array<V, 1> mixed_curvatures(OneSidedPosition<V, Pair<V>> at, Density f, Decay decay, V unscale,
                                                     const Constants<Scalar<V>>&) {
    const V factor = multiply_add(negative_where(at.open, at.t), decay, V(2));
    return {turned_closed(at, times(at.y * factor, f) * unscale)};
  }
  /// z^3 f'
  template <class V, class Density, class Decay>
  static constexpr std::array<V, 1> parameter_curvatures(OneSidedPosition<V, Pair<V>> at, Density f, Decay decay,
                                                         V unscale, const Constants<Scalar<V>>&) {
    return {-times(product(at.y, at.y * unscale), times(product(at.y, decay), f))};
  }
};

}  // namespace limen::laws
