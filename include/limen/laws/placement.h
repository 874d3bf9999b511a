// Part of limen. SPDX-License-Identifier: MIT
//
// How an activation's parameters place a standard law on the z axis: F(z) = F0(u) with u = (z - location) / scale. A
// law is written once, for u; what depends on the parameters is here.
//
// The second derivatives of z F(u) take the law's density f, still to be multiplied by `unscale`, and `decay`, -f' / f
// at u on the open side and f' / f on the closed; E is -z f' / f in units of z.
//
// u is kept as a Pair where it was rounded, so that the error bounds of a law hold for every location and scale.
#pragma once

#include <array>
#include <limits>

#include "limen/laws/distribution.h"
#include "limen/laws/info.h"
#include "limen/math/pair.h"

namespace limen::laws {

using namespace math;  // the vocabulary

/// Where z lies in a law, seen from its middle: `side` is F where z is below it, 1 - F where it is above (`open`: z has
/// cleared most thresholds). Numbers are held where the tails are zero, so that inf * 0 cannot form; a NaN stays one.
template <class V, class U>
struct Position {
  Mask<V> open;  ///< u >= 0
  V y;           ///< z on the open side, -z on the other
  U t;           ///< |u|
};

/// x, its sign turned on the closed side.
template <class V, class U>
constexpr V turned_closed(Position<V, U> at, V x) {
  return select(at.open, x, -x);
}

/// The law as it stands: u = z.
struct Standard {
  static constexpr bool has_location = false;
  template <class Law>
  static constexpr bool mean_is_0 = Law::mean == 0;
  template <class S>
  struct Constants {};

  static LocationScale location_scale(const double*) { return {}; }
  template <class Law, class S>
  static constexpr Constants<S> prepare(const S*) {
    return {};
  }
  template <class Law, class V>
  static constexpr Position<V, V> at(V z, const Constants<Scalar<V>>&) {
    const V t = min(V(Law::template reach<Scalar<V>>), abs(z));
    return {z >= V(0), t, t};
  }
  template <class V>
  static constexpr V scale(const Constants<Scalar<V>>&) {
    return V(1);
  }
  template <class V>
  static constexpr V rate(const Constants<Scalar<V>>&) {
    return V(1);
  }
  template <class Law, class V>
  static constexpr V mean(const Constants<Scalar<V>>&) {
    return V(Law::mean);
  }
  /// z / scale, its sign turned on the open side.
  template <class V>
  static constexpr V turned_z_over_scale(Position<V, V> at, const Constants<Scalar<V>>&) {
    return -at.t;
  }
  template <class V>
  static constexpr std::array<V, 0> position_slopes(Position<V, V>, const Constants<Scalar<V>>&) {
    return {};
  }
  template <class V, class Density, class Decay>
  static constexpr std::array<V, 0> mixed_curvatures(Position<V, V>, Density, Decay, V, const Constants<Scalar<V>>&) {
    return {};
  }
  template <class V, class Density, class Decay>
  static constexpr std::array<V, 0> parameter_curvatures(Position<V, V>, Density, Decay, V,
                                                         const Constants<Scalar<V>>&) {
    return {};
  }
};

/// What placements with a scale share.
struct Scaled {
  static constexpr bool has_location = false;
  template <class Law>
  static constexpr bool mean_is_0 = Law::mean == 0;
  template <class S>
  struct Constants {
    Pair<S> rate, scale;
    S limit;  // the reach in units of z
  };

  template <class V>
  static constexpr Pair<V> scale(const Constants<Scalar<V>>& c) {
    return broadcast<V>(c.scale);
  }
  template <class V>
  static constexpr Pair<V> rate(const Constants<Scalar<V>>& c) {
    return broadcast<V>(c.rate);
  }
  template <class Law, class V>
  static constexpr V mean(const Constants<Scalar<V>>& c) {
    return V(c.scale.high) * V(Law::mean);
  }
  template <class V>
  static constexpr Pair<V> turned_z_over_scale(Position<V, Pair<V>> at, const Constants<Scalar<V>>&) {
    return negative(at.t);
  }

 protected:
  /// |z|, held.
  template <class V>
  static constexpr V size(V z, const Constants<Scalar<V>>& c) {
    return min(V(c.limit), abs(z));
  }
};

/// One parameter, a rate k = 1 / scale: u = k z.
struct ByRate : Scaled {
  static LocationScale location_scale(const double* parameters) { return {0, 1 / parameters[0]}; }
  template <class Law, class S>
  static constexpr Constants<S> prepare(const S* parameters) {
    const Pair<S> scale = reciprocal(parameters[0]);
    return {{parameters[0], 0}, scale, Law::template reach<S> * scale.high};
  }
  template <class Law, class V>
  static constexpr Position<V, Pair<V>> at(V z, const Constants<Scalar<V>>& c) {
    const V y = size(z, c);
    return {z >= V(0), y, product(y, V(c.rate.high))};
  }
  template <class V>
  static constexpr std::array<V, 1> position_slopes(Position<V, Pair<V>> at, const Constants<Scalar<V>>&) {
    return {at.y};
  }
  /// z f (2 - E)
  template <class V, class Density, class Decay>
  static constexpr std::array<V, 1> mixed_curvatures(Position<V, Pair<V>> at, Density f, Decay decay, V unscale,
                                                     const Constants<Scalar<V>>&) {
    const V factor = multiply_add(negative(at.t), decay, V(2));
    return {turned_closed(at, times(at.y * factor, f) * unscale)};
  }
  /// z^3 f'
  template <class V, class Density, class Decay>
  static constexpr std::array<V, 1> parameter_curvatures(Position<V, Pair<V>> at, Density f, Decay decay, V unscale,
                                                         const Constants<Scalar<V>>&) {
    return {-times(product(at.y, at.y * unscale), times(product(at.y, decay), f))};
  }
};

/// One parameter, the scale s: u = z / s.
struct ByScale : Scaled {
  static LocationScale location_scale(const double* parameters) { return {0, parameters[0]}; }
  template <class Law, class S>
  static constexpr Constants<S> prepare(const S* parameters) {
    return {reciprocal(parameters[0]), {parameters[0], 0}, Law::template reach<S> * parameters[0]};
  }
  template <class Law, class V>
  static constexpr Position<V, Pair<V>> at(V z, const Constants<Scalar<V>>& c) {
    const V y = size(z, c);
    return {z >= V(0), y, product(y, rate<V>(c))};
  }
  template <class V>
  static constexpr std::array<Pair<V>, 1> position_slopes(Position<V, Pair<V>> at, const Constants<Scalar<V>>& c) {
    return {product(negative(at.t), rate<V>(c))};
  }
  /// -z f (2 - E) / s^2
  template <class V, class Density, class Decay>
  static constexpr std::array<V, 1> mixed_curvatures(Position<V, Pair<V>> at, Density f, Decay decay, V unscale,
                                                     const Constants<Scalar<V>>& c) {
    return {turned_closed(at, -times(times_power(unscale, rate<V>(c)), times(rate<V>(c), bent(at, f, decay))))};
  }
  /// z u f (2 - E) / s^2
  template <class V, class Density, class Decay>
  static constexpr std::array<V, 1> parameter_curvatures(Position<V, Pair<V>> at, Density f, Decay decay, V unscale,
                                                         const Constants<Scalar<V>>& c) {
    return {times(times_power(unscale, rate<V>(c)), times(product(at.t, rate<V>(c)), bent(at, f, decay)))};
  }

 private:
  /// |z| f (2 - E)
  template <class V, class Density, class Decay>
  static constexpr V bent(Position<V, Pair<V>> at, Density f, Decay decay) {
    return times(at.y * multiply_add(negative(at.t), decay, V(2)), f);
  }
};

/// Two parameters, location m and scale s: u = (z - m) / s.
struct ByLocationAndScale : Scaled {
  static constexpr bool has_location = true;
  static LocationScale location_scale(const double* parameters) { return {parameters[0], parameters[1]}; }
  template <class Law>
  static constexpr bool mean_is_0 = false;
  template <class S>
  struct Constants : Scaled::Constants<S> {
    S location;
  };

  template <class Law, class S>
  static constexpr Constants<S> prepare(const S* parameters) {
    return {ByScale::prepare<Law>(parameters + 1), parameters[0]};
  }
  template <class Law, class V>
  static constexpr Position<V, Pair<V>> at(V z, const Constants<Scalar<V>>& c) {
    const Pair<V> u = product(exact_sum(z, V(-c.location)), rate<V>(c)), t = abs(u);
    const V reach = V(Law::template reach<Scalar<V>>);
    const Mask<V> open = u.high >= V(0), beyond = t.high >= reach;
    return {open, select(beyond, V(0), select(open, z, -z)), {min(reach, t.high), select(beyond, V(0), t.low)}};
  }
  template <class Law, class V>
  static constexpr V mean(const Constants<Scalar<V>>& c) {
    return V(c.location) + Scaled::mean<Law, V>(c);
  }
  template <class V>
  static constexpr Pair<V> turned_z_over_scale(Position<V, Pair<V>> at, const Constants<Scalar<V>>& c) {
    return product(-at.y, rate<V>(c));
  }
  template <class V>
  static constexpr std::array<Pair<V>, 2> position_slopes(Position<V, Pair<V>> at, const Constants<Scalar<V>>& c) {
    return {negative_where(at.open, rate<V>(c)), product(negative(at.t), rate<V>(c))};
  }
  /// -f (1 - E) / s in m, -f (u (1 - E) + z / s) / s in s
  template <class V, class Density, class Decay>
  static constexpr std::array<V, 2> mixed_curvatures(Position<V, Pair<V>> at, Density f, Decay decay, V unscale,
                                                     const Constants<Scalar<V>>& c) {
    const Pair<V> minus_rate = times_power(-unscale, rate<V>(c)), z = product(at.y, rate<V>(c));
    const V in_location = multiply_add(negative(z), decay, V(1));
    const V in_scale = sum(multiply_add(negative(product(at.t, z)), decay, sum_of_pairs(at.t, z)));
    return {times(minus_rate, times(in_location, f)), turned_closed(at, times(minus_rate, times(in_scale, f)))};
  }
  /// z f' / s^2 in m, -z (u f)' / s^2 in m and s, z (u^2 f)' / s^2 in s (' is d/du)
  template <class V, class Density, class Decay>
  static constexpr std::array<V, 3> parameter_curvatures(Position<V, Pair<V>> at, Density f, Decay decay, V unscale,
                                                         const Constants<Scalar<V>>& c) {
    // A subnormal z is lifted while digits are lost.
    constexpr Scalar<V> lift = 1 / std::numeric_limits<Scalar<V>>::epsilon();
    const Pair<V> z = product(V(lift) * at.y, rate<V>(c)), z_u = product(z, at.t);
    const Pair<V> rate_left = times_power(V(1 / lift) * unscale, rate<V>(c));
    const V once = multiply_add(negative(at.t), decay, V(1)), twice = multiply_add(negative(at.t), decay, V(2));
    return {-times(rate_left, times(product(z, decay), f)),
            turned_closed(at, times(rate_left, times(times(once, z), f))),
            times(rate_left, times(times(twice, z_u), f))};
  }
};

}  // namespace limen::laws
