// Part of limen. SPDX-License-Identifier: MIT
//
// What a backward of backward multiplies, for one element or a vector of them.
#pragma once

#include <array>
#include <cstddef>

#include "limen/laws/info.h"
#include "limen/math/value.h"

namespace limen::kernels {

/// A cotangent, or that there is none.
template <class V>
struct Given {
  bool there;
  V value;
};

/// v direct + sum_k w[k] by_parameter[k]; a v that is not there and a null w drop their terms.
template <class V, std::size_t count>
constexpr V cotangent(Given<V> v, const math::Scalar<V>* w, V direct, const std::array<V, count>& by_parameter) {
  using math::fma;
  V total = v.there ? v.value * direct : V(0);
  if constexpr (count > 0)
    if (w != nullptr)
      for (std::size_t k = 0; k < count; ++k) total = fma(V(w[k]), by_parameter[k], total);
  return total;
}

/// Row p of the symmetric matrix that the pairs hold.
template <std::size_t count, class V, std::size_t pairs>
constexpr std::array<V, count> row(const std::array<V, pairs>& of_pairs, std::size_t p) {
  std::array<V, count> values;
  for (std::size_t q = 0; q < count; ++q)
    values[q] = of_pairs[p < q ? pair_index(p, q, count) : pair_index(q, p, count)];
  return values;
}

}  // namespace limen::kernels
