// Part of limen. SPDX-License-Identifier: MIT
//
// How an activation's parameters place a standard law on the z axis: F(z) = F0(u) with u = (z - location) / scale. A
// law is written once, for u; what depends on the parameters is here.
//
// u is kept as a Pair where it was rounded, so that the error bounds of a law hold for every location and scale.
#pragma once

#include <array>

#include "limen/laws/info.h"
#include "limen/math/pair.h"

namespace limen::laws {

using namespace math;  // the vocabulary

/// Where z lies. Both numbers are finite (or NaN), so that inf * 0 cannot form: the tails of a law are zero where they
/// are held.
template <class V, class U>
struct Position {
  V z;
  U u;  ///< held within the reach of the law
};

/// F = 1 - side on the open side (z has cleared most thresholds), F = side on the other; side is scaled by tail_scale.
template <class V, class Side>
struct Gate {
  Mask<V> open;
  Side side;
};

/// Tails are kept multiplied by this power of two, so that they are rounded once when they end among the subnormals.
template <class S>
inline constexpr S tail_scale = S(0x1p40);
template <>
inline constexpr double tail_scale<double> = 0x1p128;

/// tail_scale exp(-tail_reach) is where exp_negative has left the normal numbers and is exactly 0.
template <class S>
inline constexpr S tail_reach = S(167 * 0.69314718055994530942);
template <>
inline constexpr double tail_reach<double> = 1151 * 0.69314718055994530942;

/// The law as it stands: u = z.
struct Standard {
  static constexpr bool has_location = false;
  template <class S>
  struct Constants {};

  template <class Law, class S>
  static Constants<S> prepare(const S*) {
    return {};
  }
  template <class Law, class V>
  static Position<V, V> at(V z, const Constants<Scalar<V>>&) {
    const V reach = V(Law::template reach<Scalar<V>>);
    const V u = clamp(z, -reach, reach);
    return {u, u};
  }
  template <class V>
  static V scale(const Constants<Scalar<V>>&) {
    return V(1);
  }
  template <class V>
  static V rate(const Constants<Scalar<V>>&) {
    return V(1);
  }
  template <class Law, class V>
  static V mean(const Constants<Scalar<V>>&) {
    return V(Law::mean);
  }
  template <class V>
  static V z_over_scale(Position<V, V> at, const Constants<Scalar<V>>&) {
    return at.u;
  }
  template <class V>
  static std::array<V, 0> position_slopes(Position<V, V>, const Constants<Scalar<V>>&) {
    return {};
  }
};

/// What placements with a scale share.
struct Scaled {
  static constexpr bool has_location = false;
  template <class S>
  struct Constants {
    Pair<S> rate, scale;
    S limit;  // the reach in units of z
  };

  template <class V>
  static Pair<V> scale(const Constants<Scalar<V>>& c) {
    return broadcast<V>(c.scale);
  }
  template <class V>
  static Pair<V> rate(const Constants<Scalar<V>>& c) {
    return broadcast<V>(c.rate);
  }
  template <class Law, class V>
  static V mean(const Constants<Scalar<V>>& c) {
    if constexpr (Law::mean == 0)
      return V(0);
    else
      return V(c.scale.high) * V(Law::mean);
  }
  template <class V>
  static Pair<V> z_over_scale(Position<V, Pair<V>> at, const Constants<Scalar<V>>&) {
    return at.u;
  }

 protected:
  template <class V>
  static V hold(V z, const Constants<Scalar<V>>& c) {
    return clamp(z, V(-c.limit), V(c.limit));
  }
};

/// One parameter, a rate k = 1 / scale: u = k z.
struct ByRate : Scaled {
  template <class Law, class S>
  static Constants<S> prepare(const S* parameters) {
    const Pair<S> scale = reciprocal(parameters[0]);
    return {{parameters[0], 0}, scale, Law::template reach<S> * scale.high};
  }
  template <class Law, class V>
  static Position<V, Pair<V>> at(V z, const Constants<Scalar<V>>& c) {
    const V held = hold(z, c);
    return {held, product(held, V(c.rate.high))};
  }
  template <class V>
  static std::array<V, 1> position_slopes(Position<V, Pair<V>> at, const Constants<Scalar<V>>&) {
    return {at.z};
  }
};

/// One parameter, the scale s: u = z / s.
struct ByScale : Scaled {
  template <class Law, class S>
  static Constants<S> prepare(const S* parameters) {
    return {reciprocal(parameters[0]), {parameters[0], 0}, Law::template reach<S> * parameters[0]};
  }
  template <class Law, class V>
  static Position<V, Pair<V>> at(V z, const Constants<Scalar<V>>& c) {
    const V held = hold(z, c);
    return {held, product(held, rate<V>(c))};
  }
  template <class V>
  static std::array<Pair<V>, 1> position_slopes(Position<V, Pair<V>> at, const Constants<Scalar<V>>& c) {
    return {product(negative(at.u), rate<V>(c))};
  }
};

/// Two parameters, location m and scale s: u = (z - m) / s.
struct ByLocationAndScale : Scaled {
  static constexpr bool has_location = true;
  template <class S>
  struct Constants : Scaled::Constants<S> {
    S location;
  };

  template <class Law, class S>
  static Constants<S> prepare(const S* parameters) {
    return {ByScale::prepare<Law>(parameters + 1), parameters[0]};
  }
  template <class Law, class V>
  static Position<V, Pair<V>> at(V z, const Constants<Scalar<V>>& c) {
    const Pair<V> u = product(exact_sum(z, V(-c.location)), rate<V>(c));
    const V reach = V(Law::template reach<Scalar<V>>);
    const Mask<V> beyond = abs(u.high) >= reach;
    return {select(beyond, V(0), z), {clamp(u.high, -reach, reach), select(beyond, V(0), u.low)}};
  }
  template <class Law, class V>
  static V mean(const Constants<Scalar<V>>& c) {
    return V(c.location) + Scaled::mean<Law, V>(c);
  }
  template <class V>
  static Pair<V> z_over_scale(Position<V, Pair<V>> at, const Constants<Scalar<V>>& c) {
    return product(at.z, rate<V>(c));
  }
  template <class V>
  static std::array<Pair<V>, 2> position_slopes(Position<V, Pair<V>> at, const Constants<Scalar<V>>& c) {
    return {negative(rate<V>(c)), product(negative(at.u), rate<V>(c))};
  }
};

}  // namespace limen::laws
