// Part of limen. SPDX-License-Identifier: MIT
//
// The word `lookup` on vectors: table[i & (N - 1)] in each lane. Where a table fits into few registers it is permuted,
// which reads the low bits of an index alone, the mask: for floats a gather takes three times as long.
#pragma once

#include <cstddef>

#include "kernels/cpu/vec.h"

namespace limen::kernels {
namespace {

/// The general way, one index after the other. On AVX2 it takes two thirds of the time of a gather of doubles.
template <class S, std::size_t N>
Vec<S> lookup_by_lane(const math::Table<S, N>& table, Ints<S> index) {
  alignas(HWY_MAX_BYTES) typename Ints<S>::Lane position[vec_width<S>];
  alignas(HWY_MAX_BYTES) S found[vec_width<S>];
  hn::Store(hn::And(index.raw, hn::Set(IntTag<S>(), static_cast<typename Ints<S>::Lane>(N - 1))), IntTag<S>(),
            position);
  for (std::size_t j = 0; j < vec_width<S>; ++j) found[j] = table.entry[static_cast<std::size_t>(position[j])];
  return Vec<S>(hn::Load(Tag<S>(), found));
}

#if HWY_TARGET == HWY_AVX3
template <std::size_t N>
Vec<float> lookup(const math::Table<float, N>& table, Ints<float> index) {
  static_assert(N == 8 || N == 16, "tables of 8 or 16 floats are supported");
  const float* const entry = table.entry.data();
  const __m512 all = N == 16 ? _mm512_load_ps(entry) : _mm512_broadcast_f32x8(_mm256_load_ps(entry));
  return Vec<float>(hn::Vec<Tag<float>>{_mm512_permutexvar_ps(index.raw.raw, all)});
}
template <std::size_t N>
Vec<double> lookup(const math::Table<double, N>& table, Ints<double> index) {
  static_assert(N == 8 || N == 16 || N == 32, "tables of 8, 16 or 32 doubles are supported");
  const double* const entry = table.entry.data();
  const __m512i i = index.raw.raw;
  const auto of_16 = [&](const double* from) {
    return _mm512_permutex2var_pd(_mm512_load_pd(from), i, _mm512_load_pd(from + 8));
  };
  __m512d found;
  if constexpr (N == 8)
    found = _mm512_permutexvar_pd(i, _mm512_load_pd(entry));
  else if constexpr (N == 16)
    found = of_16(entry);
  else
    found = _mm512_mask_blend_pd(_mm512_test_epi64_mask(i, _mm512_set1_epi64(16)), of_16(entry), of_16(entry + 16));
  return Vec<double>(hn::Vec<Tag<double>>{found});
}
#elif HWY_TARGET == HWY_AVX2
template <std::size_t N>
Vec<float> lookup(const math::Table<float, N>& table, Ints<float> index) {
  static_assert(N == 8 || N == 16, "tables of 8 or 16 floats are supported");
  const float* const entry = table.entry.data();
  const __m256 low = _mm256_permutevar8x32_ps(_mm256_load_ps(entry), index.raw.raw);
  if constexpr (N == 8) return Vec<float>(hn::Vec<Tag<float>>{low});
  const __m256 high = _mm256_permutevar8x32_ps(_mm256_load_ps(entry + N / 2), index.raw.raw);
  // The blend reads the sign bit, to which bit 3 of the index is shifted.
  const __m256 upper = _mm256_castsi256_ps(_mm256_slli_epi32(index.raw.raw, 28));
  return Vec<float>(hn::Vec<Tag<float>>{_mm256_blendv_ps(low, high, upper)});
}
template <std::size_t N>
Vec<double> lookup(const math::Table<double, N>& table, Ints<double> index) {
  return lookup_by_lane(table, index);
}
#else
template <class S, std::size_t N>
Vec<S> lookup(const math::Table<S, N>& table, Ints<S> index) {
  return lookup_by_lane(table, index);
}
#endif

}  // namespace
}  // namespace limen::kernels
