// Part of limen. SPDX-License-Identifier: MIT
//
// Everything there is to know about an activation at one point.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include "limen/registry.h"

namespace limen {

/// What does not exist for an activation (a gate without a law, a density of a point mass) is empty; what is infinite
/// by mathematics is inf.
template <class S>
struct Quantities {
  S value{};
  S slope{};
  S curvature{};
  std::optional<S> gate;
  std::optional<S> density;
  std::optional<S> density_slope;  ///< of the density in z
  std::optional<S> loss;
  std::optional<S> centred;
  std::optional<S> correction;
  std::array<S, max_parameters> parameter_slopes{};  ///< the first parameter_count count
  std::array<S, max_parameters> mixed_curvatures{};  ///< d2/dz dp, the first parameter_count count
  /// d2/dp dq for the pairs p <= q of parameters, see pair_index
  std::array<S, pair_count(max_parameters)> parameter_curvatures{};
  std::size_t parameter_count = 0;
};

/// The quantities of activation A (a type of the registry) at z; S is float or double. `parameters` holds
/// A::info.parameter_count numbers inside their domains. Any z: NaN gives NaN, infinities give limits.
template <class A, class S>
Quantities<S> evaluate(const S* parameters, S z) {
  const auto c = A::prepare(parameters);
  Quantities<S> q;
  q.value = A::value(z, c);
  q.slope = A::slope(z, c);
  q.curvature = A::curvature(z, c);
  const auto slopes = A::parameter_slopes(z, c);
  q.parameter_count = slopes.size();
  std::ranges::copy(slopes, q.parameter_slopes.begin());
  std::ranges::copy(A::mixed_curvatures(z, c), q.mixed_curvatures.begin());
  std::ranges::copy(A::parameter_curvatures(z, c), q.parameter_curvatures.begin());
  if constexpr (requires { A::gate(z, c); }) q.gate = A::gate(z, c);
  if constexpr (requires { A::density(z, c); }) q.density = A::density(z, c);
  if constexpr (requires { A::density_slope(z, c); }) q.density_slope = A::density_slope(z, c);
  if constexpr (requires { A::loss(z, c); }) q.loss = A::loss(z, c);
  if constexpr (requires { A::centred(z, c); }) q.centred = A::centred(z, c);
  if constexpr (requires { A::correction(z, c); }) q.correction = A::correction(z, c);
  return q;
}

/// The same for an activation known at run time.
template <class S>
Quantities<S> evaluate(ActivationId id, const S* parameters, S z) {
  Quantities<S> q;
  visit(id, [&]<class A>() { q = evaluate<A>(parameters, z); });
  return q;
}

/// The law of the threshold, or none for an activation without one.
inline std::optional<Distribution> distribution(ActivationId id, const double* parameters) {
  std::optional<Distribution> law;
  visit(id, [&]<class A>() {
    if constexpr (requires { A::distribution(parameters); }) law = A::distribution(parameters);
  });
  return law;
}

/// The least z with F(z) >= p, for p in (0, 1): a threshold drawn from a uniform p. None without a law.
inline std::optional<double> quantile(ActivationId id, const double* parameters, double p) {
  std::optional<double> z;
  visit(id, [&]<class A>() {
    if constexpr (requires { A::quantile(parameters, p); }) z = A::quantile(parameters, p);
  });
  return z;
}

}  // namespace limen
