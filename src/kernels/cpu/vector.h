// Part of limen. SPDX-License-Identifier: MIT
//
// Vectors and how they meet memory, for the loops of body.h.
#pragma once

#include <cstddef>
#include <cstring>

#include "kernels/cpu/lookup.h"
#include "kernels/cpu/vec.h"

namespace limen::kernels {
namespace {

/// Reads and writes whole vectors at any alignment.
template <class V>
struct Whole {
  using S = math::Scalar<V>;
  static constexpr std::size_t width = vec_width<S>;
  static V load(const S* p) { return V(hn::LoadU(Tag<S>(), p)); }
  static void store(S* p, V v) { hn::StoreU(v.raw, Tag<S>(), p); }
  static V choose(V here, V) { return here; }
};

/// Reads and writes the first `count` lanes (all, when there are fewer) and touches no memory behind them; the others
/// read as 0.
template <class V>
class First {
  using S = math::Scalar<V>;
  static constexpr std::size_t width = vec_width<S>;

 public:
  explicit First(std::size_t count) : count_(count < width ? count : width) {}
  /// `here` in the first lanes, `elsewhere` in the others.
  V choose(V here, V elsewhere) const { return V(hn::IfThenElse(mask(), here.raw, elsewhere.raw)); }
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  V load(const S* p) const { return V(hn::MaskedLoad(mask(), Tag<S>(), p)); }
  void store(S* p, V v) const { hn::BlendedStore(v.raw, mask(), Tag<S>(), p); }
#else
  // Without masked moves Highway would read and write whole vectors.
  V load(const S* p) const {
    alignas(16) S lanes[width] = {};
    std::memcpy(lanes, p, count_ * sizeof(S));
    return V(hn::Load(Tag<S>(), lanes));
  }
  void store(S* p, V v) const {
    alignas(16) S lanes[width];
    hn::Store(v.raw, Tag<S>(), lanes);
    std::memcpy(p, lanes, count_ * sizeof(S));
  }
#endif

 private:
  hn::Mask<Tag<S>> mask() const { return hn::FirstN(Tag<S>(), count_); }
  std::size_t count_;
};

}  // namespace
}  // namespace limen::kernels
