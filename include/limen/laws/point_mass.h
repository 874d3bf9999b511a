// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include "limen/laws/distribution.h"
#include "limen/math/value.h"

namespace limen::laws {

using namespace math;  // the vocabulary

/// A threshold that is 0 for certain: F = 1 for z >= 0, else 0. No density; mean 0.
/// E(z - T)+ = max(z, 0). Exact.
struct PointMass {
  static Distribution distribution() {
    return {.mean = 0, .variance = 0, .entropy = -std::numeric_limits<double>::infinity(), .lower = 0, .upper = 0};
  }
  static double quantile(double) { return 0; }

  template <class V>
  static constexpr V gate(V z) {
    return unless_nan(select(z >= V(0), V(1), V(0)), z);
  }
  template <class V>
  static constexpr V loss(V z) {
    return max(V(0), z);
  }
};

}  // namespace limen::laws
