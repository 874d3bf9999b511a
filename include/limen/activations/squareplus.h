// Part of limen. SPDX-License-Identifier: MIT
//
// Activations of Student's law with 2 degrees of freedom: its transmission and its complementary loss.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "limen/laws/student.h"

namespace limen::activations {

using namespace math;  // the vocabulary

/// z (1 + z / sqrt(z^2 + b)) / 2
struct T2Transmission {
  using Law = laws::Student;
  static constexpr Parameter scale{
      "b", 4, narrowest, widest, false, "square of the transition's width", Learned::softplus, 1e-3};
  static constexpr ActivationInfo info{.name = "t2_transmission",
                                       .title = "t2 transmission",
                                       .formula = "z (1 + z / sqrt(z^2 + b)) / 2",
                                       .slope = "(1 + z / r + b z / r^3) / 2; r = sqrt(z^2 + b)",
                                       .law = "Student t, 2 degrees of freedom",
                                       .gate = "(1 + z / sqrt(z^2 + b)) / 2",
                                       .loss = "(z + sqrt(z^2 + b)) / 2",
                                       .mean = "0",
                                       .variance = "inf",
                                       .entropy = "3 - 2 ln 2 + ln(b) / 2",
                                       .limit = "0",
                                       .power_tails = true,
                                       .reference = "the transmission whose complementary loss is squareplus",
                                       .bound = {2, 4},
                                       .parameter_count = 1,
                                       .parameter = {scale}};

  static Distribution distribution(const double* parameters) {
    return laws::LocationScale{0, std::sqrt(parameters[0])}.of(Law::distribution());
  }
  static double quantile(const double* parameters, double p) { return std::sqrt(parameters[0]) * Law::quantile(p); }

  template <class S>
  using Constants = Law::Constants<S>;
  template <class V>
  using C = Constants<Scalar<V>>;

  template <class S>
  static constexpr Constants<S> prepare(const S* parameters) {
    return Law::prepare(parameters);
  }
  template <class V>
  static constexpr V value(V z, const C<V>& c) {
    return max(V(0), z) - Law::z_side(Law::place(z, c), c);
  }
  template <class V>
  static constexpr V slope(V z, const C<V>& c) {
    const auto at = Law::place(z, c);
    return from_side(at.open, Law::slope_side(at));
  }
  /// f (2 - 3 z^2 / r^2), r^2 = z^2 + b
  template <class V>
  static constexpr V curvature(V z, const C<V>& c) {
    const auto [at, inverse, cosine] = angle(z, c);
    return inverse.template power<3>(V(Scalar<V>(0.5) * c.b)) *
           fma(V(-3) * cosine, fma(cosine, inverse.missed, cosine), V(2));
  }
  /// -z^2 / (4 r^3)
  template <class V>
  static constexpr std::array<V, 1> parameter_slopes(V z, const C<V>& c) {
    const auto [at, inverse, cosine] = angle(z, c);
    const V size = V(0.25f) * cosine * inverse.rounded * cosine;
    return {-fma(size, V(1.5f) * inverse.missed, size)};
  }
  /// z / (4 r^3) (3 z^2 / r^2 - 2)
  template <class V>
  static constexpr std::array<V, 1> mixed_curvatures(V z, const C<V>& c) {
    const auto [open, inverse, cosine] = lifted_angle(z, c);
    const Pair<V> plain = times_power(V(1 / lift<V>), cosine);
    const V factor = multiply_add(product(plain, plain), V(3), V(-2));
    const V size = times(product(cosine, inverse), inverse) * factor * V(Scalar<V>(0.25) / lift<V>);
    return {select(open, size, -size)};
  }
  /// 3 z^2 / (8 r^5)
  template <class V>
  static constexpr std::array<V, 1> parameter_curvatures(V z, const C<V>& c) {
    const auto [open, inverse, cosine] = lifted_angle(z, c);
    const V size = times(product(product(cosine, inverse), product(inverse, inverse)), cosine);
    return {size * V(Scalar<V>(0.375) / (lift<V> * lift<V>))};
  }
  template <class V>
  static constexpr V gate(V z, const C<V>& c) {
    const auto at = Law::place(z, c);
    return from_side(at.open, Law::side(at));
  }
  /// b / (2 r^3)
  template <class V>
  static constexpr V density(V z, const C<V>& c) {
    return angle(z, c).inverse.template power<3>(V(Scalar<V>(0.5) * c.b));
  }
  /// -3 b z / (2 r^5)
  template <class V>
  static constexpr V density_slope(V z, const C<V>& c) {
    const auto [at, inverse, cosine] = angle(z, c);
    const V size = inverse.template power<3>(V(Scalar<V>(1.5) * c.b)) * (cosine * inverse.rounded);
    return select(at.open, -size, size);
  }
  template <class V>
  static constexpr V loss(V z, const C<V>& c) {
    return max(V(0), z) + Law::loss_side(Law::place(z, c), c);
  }
  template <class V>
  static constexpr V correction(V z, const C<V>& c) {
    return Law::correction(Law::place(z, c), c);
  }
  template <class V>
  static constexpr V centred(V z, const C<V>& c) {
    return value(z, c) + Law::correction_change(Law::place(z, c), c);
  }

 protected:
  template <class V>
  struct Angle {
    laws::StudentPosition<V> at;
    Law::InverseRoot<V> inverse;
    V cosine;  ///< |z| / r, but for what `inverse` missed
  };
  template <class V>
  static constexpr Angle<V> angle(V z, const C<V>& c) {
    const auto at = Law::place(z, c);
    const auto inverse = Law::inverse_root(at, c);
    return {at, inverse, select(at.far, V(1), at.y * inverse.rounded)};
  }

  /// What a subnormal z is multiplied by while digits would be lost.
  template <class V>
  static constexpr Scalar<V> lift = 1 / std::numeric_limits<Scalar<V>>::epsilon();
  template <class V>
  struct LiftedAngle {
    Mask<V> open;
    Pair<V> inverse;  ///< 1 / r
    Pair<V> cosine;   ///< lift |z| / r
  };
  template <class V>
  static constexpr LiftedAngle<V> lifted_angle(V z, const C<V>& c) {
    const auto [at, root, cosine] = angle(z, c);
    const Pair<V> inverse = {root.rounded, V(0.5f) * root.missed * root.rounded};
    return {at.open, inverse, select(at.far, Pair<V>{V(lift<V>), V(0)}, product(V(lift<V>) * at.y, inverse))};
  }

 private:
  template <class V>
  static constexpr V from_side(Mask<V> open, V side) {
    return select(open, V(1) - side, side);
  }
};

/// (z + sqrt(z^2 + b)) / 2: the complementary loss of Student's law, used as an activation. Its slope is the gate, its
/// curvature the density.
struct Squareplus : private T2Transmission {
  static constexpr ActivationInfo info{.name = "squareplus",
                                       .title = "squareplus",
                                       .formula = "(z + sqrt(z^2 + b)) / 2",
                                       .slope = "(1 + z / sqrt(z^2 + b)) / 2",
                                       .law = "",
                                       .limit = "0",
                                       .power_tails = true,
                                       .reference = "Barron 2021, arXiv 2112.11687",
                                       .bound = {2, 4},
                                       .parameter_count = 1,
                                       .parameter = {scale}};

  using T2Transmission::Constants;
  using T2Transmission::prepare;
  template <class V>
  using C = Constants<Scalar<V>>;

  template <class V>
  static constexpr V value(V z, const C<V>& c) {
    return loss(z, c);
  }
  template <class V>
  static constexpr V slope(V z, const C<V>& c) {
    return gate(z, c);
  }
  template <class V>
  static constexpr V curvature(V z, const C<V>& c) {
    return density(z, c);
  }
  /// 1 / (4 r), r^2 = z^2 + b
  template <class V>
  static constexpr std::array<V, 1> parameter_slopes(V z, const C<V>& c) {
    return {angle(z, c).inverse.template power<1>(V(0.25f))};
  }
  /// -z / (4 r^3)
  template <class V>
  static constexpr std::array<V, 1> mixed_curvatures(V z, const C<V>& c) {
    const auto [open, inverse, cosine] = lifted_angle(z, c);
    const V size = times(product(cosine, inverse), inverse) * V(Scalar<V>(0.25) / lift<V>);
    return {select(open, -size, size)};
  }
  /// -1 / (8 r^3)
  template <class V>
  static constexpr std::array<V, 1> parameter_curvatures(V z, const C<V>& c) {
    return {angle(z, c).inverse.template power<3>(V(-0.125f))};
  }
};

}  // namespace limen::activations
