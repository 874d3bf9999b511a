// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include "limen/math/value.h"

namespace limen::laws {

using namespace math;  // the vocabulary

/// A threshold that is 0 for certain: F = 1 for z >= 0, else 0. No density; mean 0.
/// E(z - T)+ = max(z, 0). Exact.
struct PointMass {
  template <class V>
  static V gate(V z) {
    return unless_nan(select(z >= V(0), V(1), V(0)), z);
  }
  template <class V>
  static V loss(V z) {
    return max(V(0), z);
  }
};

}  // namespace limen::laws
