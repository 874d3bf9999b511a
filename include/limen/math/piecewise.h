// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <limits>

#include "limen/math/pair.h"

namespace limen::math {

/// A function of t >= 0 given by polynomials in t - node, as the sum of its value at the node and the rest. `tables`
/// holds the nodes, then the coefficients, lowest first; the piece is picked by the leading bits of 1 + rate t, from 1
/// to 16. t is a V or a Pair<V>.
template <class V, const auto& tables, class T>
constexpr Pair<V> piecewise(Scalar<V> rate, T t) {
  // Of the pieces, 1 + rate t has four octaves, which leaves so many bits of its mantissa to the index.
  constexpr int index_bits = std::countr_zero(tables[0].entry.size()) - 2;
  constexpr int shift = std::numeric_limits<Scalar<V>>::digits - 1 - index_bits;
  const Integer<V> piece = shift_right<shift>(bits(fma(leading(t), V(rate), V(1))));
  const auto& rows = resident<tables>();
  const V d = plus_low(leading(t) - lookup(rows[0], piece), t);
  V rest = lookup(rows[tables.size() - 1], piece);
  for (std::size_t i = tables.size() - 1; --i > 1;) rest = fma(rest, d, lookup(rows[i], piece));
  return {lookup(rows[1], piece), d * rest};
}

}  // namespace limen::math
