// Part of limen. SPDX-License-Identifier: MIT
//
// Activations of the normal law. GELU with a location and a scale is Transmission<laws::Normal> itself.
#pragma once

#include <numbers>

#include <array>

#include "limen/activations/transmission.h"
#include "limen/laws/normal.h"

namespace limen::activations {

/// z Phi(z), the exact (erf) form.
struct Gelu : Transmission<laws::Normal, laws::Standard> {
  static constexpr ActivationInfo info{.name = "gelu",
                                       .title = "GELU",
                                       .formula = "z Phi(z)",
                                       .slope = "Phi(z) + z phi(z)",
                                       .law = "normal",
                                       .gate = "Phi(z)",
                                       .loss = "z Phi(z) + phi(z)",
                                       .mean = "0",
                                       .variance = "1",
                                       .entropy = "ln(2 pi e) / 2",
                                       .limit = "0",
                                       .reference = "Hendrycks and Gimpel 2016, arXiv 1606.08415",
                                       .bound = {2, 2}};
};

/// z Phi(lambda z), a GELU of adjustable hardness.
struct LambdaGelu : Transmission<laws::Normal, laws::ByRate> {
  static constexpr ActivationInfo info{
      .name = "lambda_gelu",
      .title = "lambda-GELU",
      .formula = "z Phi(lambda z)",
      .slope = "Phi(lambda z) + lambda z phi(lambda z)",
      .law = "normal",
      .gate = "Phi(lambda z)",
      .loss = "z Phi(lambda z) + phi(lambda z) / lambda",
      .mean = "0",
      .variance = "1 / lambda^2",
      .entropy = "ln(2 pi e / lambda^2) / 2",
      .limit = "0",
      .reference = "Perez-Corral and others 2026, arXiv 2603.21991",
      .bound = {2, 3},
      .parameter_count = 1,
      // Learned as its authors do: at least 1, so that it only hardens, and from raw = 0.
      .parameter = {{.name = "lambda",
                     .initial = 1,
                     .lower = narrowest,
                     .upper = widest,
                     .meaning = "hardness: 1 / standard deviation of the threshold",
                     .learned = Learned::softplus,
                     .lower_learned = 1,
                     .temperature = 0.1,
                     .initial_learned = 1 + std::numbers::ln2}}};
};

/// z Phi(z) + gamma (phi(z) - phi(0)): GELU at gamma = 0, the centred loss of the normal law at gamma = 1, whose slope
/// is the gate Phi itself.
struct Dgelu : private Gelu {
  static constexpr ActivationInfo info{.name = "dgelu",
                                       .title = "DGELU",
                                       .formula = "z Phi(z) + gamma (phi(z) - phi(0))",
                                       .slope = "Phi(z) + (1 - gamma) z phi(z)",
                                       .law = "",
                                       .limit = "-gamma / sqrt(2 pi)",
                                       .reference = "Rossi 2026, arXiv 2607.03664",
                                       .bound = {2, 3},
                                       .parameter_count = 1,
                                       .parameter = {{"gamma", 1, 0, 1, true, "share of the centred loss"}}};

  template <class S>
  struct Constants {
    S gamma;
    Pair<S> rest;  // 1 - gamma
  };
  template <class V>
  using C = Constants<Scalar<V>>;

  template <class S>
  static constexpr Constants<S> prepare(const S* parameters) {
    return {parameters[0], exact_sum(S(1), -parameters[0])};
  }
  template <class V>
  static constexpr V value(V z, const C<V>& c) {
    return fma(V(c.gamma), change(z), Gelu::value(z, {}));
  }
  /// Phi + (1 - gamma) z phi
  template <class V>
  static constexpr V slope(V z, const C<V>& c) {
    const auto at = place(z, {});
    return gate_plus<V>(at, product(-at.t, broadcast<V>(c.rest)));
  }
  /// phi (1 + (1 - gamma) (1 - z^2))
  template <class V>
  static constexpr V curvature(V z, const C<V>& c) {
    const auto at = place(z, {});
    const V factor = multiply_add(broadcast<V>(c.rest), fnma(at.t, at.t, V(1)), V(1));
    return times(factor, laws::Normal::density(at)) * V(unscale<V>);
  }
  template <class V>
  static constexpr std::array<V, 1> parameter_slopes(V z, const C<V>&) {
    return {change(z)};
  }
  /// -z phi
  template <class V>
  static constexpr std::array<V, 1> mixed_curvatures(V z, const C<V>&) {
    const auto at = place(z, {});
    return {times(negative_where(at.open, at.t), laws::Normal::density(at)) * V(unscale<V>)};
  }
  template <class V>
  static constexpr std::array<V, 1> parameter_curvatures(V z, const C<V>&) {
    return {unless_nan(V(0), z)};
  }

 private:
  /// phi(z) - phi(0)
  template <class V>
  static constexpr V change(V z) {
    return laws::Normal::correction_change(place(z, {}));
  }
};

}  // namespace limen::activations
