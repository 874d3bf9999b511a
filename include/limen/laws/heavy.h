// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include "limen/laws/distribution.h"
#include "limen/laws/info.h"
#include "limen/math/pair.h"

namespace limen::laws {

using namespace math;  // the vocabulary

/// Where z lies in a law whose tails fall like 1 / t, seen from its middle; t is held at the law's reach.
template <class V>
struct HeavyPosition {
  Mask<V> open;  ///< z >= 0
  V y;           ///< |z|, held
  V rate;        ///< t / y
  Pair<V> t;     ///< |u|
};

}  // namespace limen::laws
