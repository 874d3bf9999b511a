// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/reference.h"
#include "limen/evaluate.h"

namespace limen::test {

/// Calls f(name, got, want) for every quantity that exists; those in parameters are named "d/dbeta", "d2/dz dbeta",
/// "d2/dbeta dbeta".
template <class S, class R, class F>
void for_quantities(const Quantities<S>& got, const Reference<R>& want, const ActivationInfo& info, F&& f) {
  f("value", got.value, want.value);
  f("slope", got.slope, want.slope);
  f("curvature", got.curvature, want.curvature);
  if (got.gate) f("gate", *got.gate, *want.gate);
  if (got.density) f("density", *got.density, *want.density);
  if (got.density_slope) f("density slope", *got.density_slope, *want.density_slope);
  if (got.loss) f("loss", *got.loss, *want.loss);
  if (got.centred) f("centred", *got.centred, *want.centred);
  if (got.correction) f("correction", *got.correction, *want.correction);
  const std::size_t n = got.parameter_count;
  for (std::size_t p = 0; p < n; ++p) {
    const std::string d_p = std::string("d").append(info.parameter[p].name);
    f("d/" + d_p, got.parameter_slopes[p], want.parameter_slopes[p]);
    f("d2/dz " + d_p, got.mixed_curvatures[p], want.mixed_curvatures[p]);
    for (std::size_t q = p, i; q < n; ++q) {
      i = pair_index(p, q, n);
      f("d2/" + d_p + " d" + std::string(info.parameter[q].name), got.parameter_curvatures[i],
        want.parameter_curvatures[i]);
    }
  }
}

}  // namespace limen::test
