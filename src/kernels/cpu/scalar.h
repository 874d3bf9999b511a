// Part of limen. SPDX-License-Identifier: MIT
//
// float and double as vectors of one lane, for the loops of body.h.
#pragma once

#include <cstddef>

namespace limen::kernels {
namespace {

/// Reads and writes whole vectors. body.h takes everything it does to memory from here and from First.
template <class V>
struct Whole {
  static constexpr std::size_t width = 1;
  static V load(const V* p) { return *p; }
  static void store(V* p, V v) { *p = v; }
  static V choose(V here, V) { return here; }
};

/// Reads and writes the first `count` lanes; for one lane that is all of them.
template <class V>
struct First : Whole<V> {
  explicit First(std::size_t) {}
};

}  // namespace
}  // namespace limen::kernels
