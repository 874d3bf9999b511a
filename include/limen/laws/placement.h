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

/// Where z lies. Both numbers are finite (or NaN): the tails of a law are zero beyond its reach, and inf * 0 cannot
/// form.
template <class V, class U>
struct Position {
  V z;  ///< z as it enters products with a tail: 0 beyond the reach
  U u;  ///< held within the reach
};

/// F = [open] + tail / tail_scale: on the open side (z has cleared most thresholds) the tail is F - 1, below it is F.
template <class V, class Tail>
struct Gate {
  Mask<V> open;
  Tail tail;
};

/// Tails are kept multiplied by this power of two, so that they are rounded once when they end among the subnormals.
template <class S>
inline constexpr S tail_scale = S(0x1p40);
template <>
inline constexpr double tail_scale<double> = 0x1p128;

/// The law as it stands: u = z.
struct Standard {
  static constexpr bool has_location = false;
  template <class S>
  struct Constants {
    static constexpr S rate = 1, scale = 1;
  };
  template <class Law, class S>
  static Constants<S> prepare(const S*) {
    return {};
  }
  template <class Law, class V>
  static Position<V, V> at(V z, const Constants<Scalar<V>>&) {
    const V reach = V(Law::template reach<Scalar<V>>);
    return {select(abs(z) >= reach, V(0), z), clamp(z, -reach, reach)};
  }
  template <class Law, class V>
  static V mean(const Constants<Scalar<V>>&) {
    return V(Law::mean);
  }
  template <class V>
  static std::array<V, 0> position_slopes(Position<V, V>, const Constants<Scalar<V>>&) {
    return {};
  }
};

/// A rounded u, held within the reach of the law.
template <class Law, class V>
Position<V, Pair<V>> hold(V z, Pair<V> u) {
  const V reach = V(Law::template reach<Scalar<V>>);
  const Mask<V> beyond = abs(u.high) >= reach;
  return {select(beyond, V(0), z), {clamp(u.high, -reach, reach), select(beyond, V(0), u.low)}};
}

/// One parameter, a rate k = 1 / scale: u = k z.
struct ByRate {
  static constexpr bool has_location = false;
  template <class S>
  struct Constants {
    S rate, scale;
  };
  template <class Law, class S>
  static Constants<S> prepare(const S* parameters) {
    return {parameters[0], S(1) / parameters[0]};
  }
  template <class Law, class V>
  static Position<V, Pair<V>> at(V z, const Constants<Scalar<V>>& c) {
    return hold<Law>(z, product(z, V(c.rate)));
  }
  template <class Law, class V>
  static V mean(const Constants<Scalar<V>>& c) {
    return V(c.scale * Scalar<V>(Law::mean));
  }
  template <class V>
  static std::array<V, 1> position_slopes(Position<V, Pair<V>> at, const Constants<Scalar<V>>&) {
    return {at.z};
  }
};

/// One parameter, the scale s: u = z / s.
struct ByScale {
  static constexpr bool has_location = false;
  template <class S>
  struct Constants {
    S rate, rate_low, scale;
  };
  template <class Law, class S>
  static Constants<S> prepare(const S* parameters) {
    const S rate = S(1) / parameters[0];
    return {rate, rate * fma(-rate, parameters[0], S(1)), parameters[0]};
  }
  template <class Law, class V>
  static Position<V, Pair<V>> at(V z, const Constants<Scalar<V>>& c) {
    const Pair<V> u = product(z, V(c.rate));
    return hold<Law>(z, {u.high, fma(z, V(c.rate_low), u.low)});
  }
  template <class Law, class V>
  static V mean(const Constants<Scalar<V>>& c) {
    return V(c.scale * Scalar<V>(Law::mean));
  }
  template <class V>
  static std::array<V, 1> position_slopes(Position<V, Pair<V>> at, const Constants<Scalar<V>>& c) {
    return {-at.u.high * V(c.rate)};
  }
};

/// Two parameters, location m and scale s: u = (z - m) / s.
struct ByLocationAndScale {
  static constexpr bool has_location = true;
  template <class S>
  struct Constants {
    S location, rate, rate_low, scale;
  };
  template <class Law, class S>
  static Constants<S> prepare(const S* parameters) {
    const auto [rate, rate_low, scale] = ByScale::prepare<Law>(parameters + 1);
    return {parameters[0], rate, rate_low, scale};
  }
  template <class Law, class V>
  static Position<V, Pair<V>> at(V z, const Constants<Scalar<V>>& c) {
    const V location = V(c.location), rate = V(c.rate);
    const V x = z - location;
    const V back = x - z;
    const V x_low = (z - (x - back)) - (location + back);  // Knuth's exact sum
    const Pair<V> u = product(x, rate);
    return hold<Law>(z, {u.high, fma(x, V(c.rate_low), fma(x_low, rate, u.low))});
  }
  template <class Law, class V>
  static V mean(const Constants<Scalar<V>>& c) {
    return V(c.location + c.scale * Scalar<V>(Law::mean));
  }
  template <class V>
  static std::array<V, 2> position_slopes(Position<V, Pair<V>> at, const Constants<Scalar<V>>& c) {
    return {V(-c.rate), -at.u.high * V(c.rate)};
  }
};

}  // namespace limen::laws
