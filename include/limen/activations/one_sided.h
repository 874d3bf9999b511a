// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include "limen/activations/transmission.h"
#include "limen/laws/exponential.h"
#include "limen/laws/one_sided.h"

namespace limen::activations {

/// The transmission of a law on [0, inf): its mean is not 0, so that around the middle of the law z - mean and the tail
/// would cancel; the law gives the loss itself there. loss(0) is 0.
template <class Law, class PlacementOfLaw = typename Law::Placement>
struct OneSidedTransmission : Transmission<Law, PlacementOfLaw> {
  using Base = Transmission<Law, PlacementOfLaw>;
  using Placement = PlacementOfLaw;
  template <class V>
  using C = typename Base::template C<V>;

  template <class V>
  static constexpr V density(V z, const C<V>& c) {
    const V at_0 = V(Law::density_at_0) * V(c.rate.high);
    return select(z == V(0), at_0, Base::density(z, c));
  }
  template <class V>
  static constexpr V loss(V z, const C<V>& c) {
    const auto at = Base::place(z, c);
    const V tail = times(Placement::template scale<V>(c), Law::loss_tail(at)) * V(Base::template unscale<V>);
    const Pair<V> mean = Placement::template mean_pair<Law, V>(c);
    return select(far<V>(at), (z - mean.high) + (tail - mean.low), loss_near<V>(at, c));
  }
  template <class V>
  static constexpr V correction(V z, const C<V>& c) {
    const auto at = Base::place(z, c);
    const V tail = times(Placement::template scale<V>(c), Law::correction_tail(at)) * V(Base::template unscale<V>);
    const Pair<V> mean = Placement::template mean_pair<Law, V>(c);
    return select(far<V>(at), (tail - mean.high) - mean.low, loss_near<V>(at, c) - Base::value(z, c));
  }
  template <class V>
  static constexpr V centred(V z, const C<V>& c) {
    return loss(z, c);
  }

 private:
  template <class V, class At>
  static constexpr Mask<V> far(At at) {
    return leading(at.t) > V(Law::template near<Scalar<V>>);
  }
  template <class V, class At>
  static constexpr V loss_near(At at, const C<V>& c) {
    return times(Placement::template scale<V>(c), Law::loss_near(at)) * V(Base::template unscale<V>);
  }
};

using Expelu = OneSidedTransmission<laws::Exponential>;

}  // namespace limen::activations
