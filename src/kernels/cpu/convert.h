// Part of limen. SPDX-License-Identifier: MIT
//
// The conversions of limen/narrow.h as loops. They are exact or rounded as the standard says, so what is left after the
// last whole vector gives the same bits in scalar code, and a unit without vectors of its own here may leave it to the
// compiler to make some.
#pragma once

#include <cstddef>

#include "kernels/cpu/loop.h"
#include "kernels/cpu/table.h"
#include "limen/narrow.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace limen::kernels {
namespace {

/// How many numbers a vector converts.
#if defined(__AVX512F__)
inline constexpr std::size_t converted = 16;

inline void widen_vector(const BFloat16* from, float* to) {
  const __m512i wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
  _mm512_storeu_si512(to, _mm512_slli_epi32(wide, 16));
}
inline void widen_vector(const Float16* from, float* to) {
  _mm512_storeu_ps(to, _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))));
}
inline void narrow_vector(const float* from, BFloat16* to) {
  const __m512 x = _mm512_loadu_ps(from);
  const __m512i bits = _mm512_castps_si512(x), upper = _mm512_srli_epi32(bits, 16);
  const __m512i odd = _mm512_and_si512(upper, _mm512_set1_epi32(1));
  const __m512i sum = _mm512_add_epi32(_mm512_add_epi32(bits, odd), _mm512_set1_epi32(0x7FFF));
  const __m512i quiet = _mm512_or_si512(upper, _mm512_set1_epi32(0x40));
  const __mmask16 nan = _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q);
  const __m512i result = _mm512_mask_mov_epi32(_mm512_srli_epi32(sum, 16), nan, quiet);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_cvtepi32_epi16(result));
}
inline void narrow_vector(const float* from, Float16* to) {
  const __m256i result = _mm512_cvtps_ph(_mm512_loadu_ps(from), _MM_FROUND_TO_NEAREST_INT);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), result);
}
#elif defined(__AVX2__)
inline constexpr std::size_t converted = 8;

inline void widen_vector(const BFloat16* from, float* to) {
  const __m256i wide = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_slli_epi32(wide, 16));
}
inline void widen_vector(const Float16* from, float* to) {
  _mm256_storeu_ps(to, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
}
inline void narrow_vector(const float* from, BFloat16* to) {
  const __m256 x = _mm256_loadu_ps(from);
  const __m256i bits = _mm256_castps_si256(x), upper = _mm256_srli_epi32(bits, 16);
  const __m256i odd = _mm256_and_si256(upper, _mm256_set1_epi32(1));
  const __m256i sum = _mm256_add_epi32(_mm256_add_epi32(bits, odd), _mm256_set1_epi32(0x7FFF));
  const __m256i quiet = _mm256_or_si256(upper, _mm256_set1_epi32(0x40));
  const __m256i nan = _mm256_castps_si256(_mm256_cmp_ps(x, x, _CMP_UNORD_Q));
  const __m256i result = _mm256_blendv_epi8(_mm256_srli_epi32(sum, 16), quiet, nan);
  const __m128i low = _mm256_castsi256_si128(result), high = _mm256_extracti128_si256(result, 1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_packus_epi32(low, high));
}
inline void narrow_vector(const float* from, Float16* to) {
  const __m128i result = _mm256_cvtps_ph(_mm256_loadu_ps(from), _MM_FROUND_TO_NEAREST_INT);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), result);
}
#else
inline constexpr std::size_t converted = 1;

template <class T>
void widen_vector(const T* from, float* to) {
  *to = limen::widen(*from);
}
template <class T>
void narrow_vector(const float* from, T* to) {
  *to = limen::narrow<T>(*from);
}
#endif

template <class T>
LIMEN_LOOP void widen_all(const T* __restrict from, float* __restrict to, std::size_t n) {
  std::size_t i = 0;
  for (; i + converted <= n; i += converted) widen_vector(from + i, to + i);
  for (; i < n; ++i) to[i] = limen::widen(from[i]);
}

template <class T>
LIMEN_LOOP void narrow_all(const float* __restrict from, T* __restrict to, std::size_t n) {
  std::size_t i = 0;
  for (; i + converted <= n; i += converted) narrow_vector(from + i, to + i);
  for (; i < n; ++i) to[i] = limen::narrow<T>(from[i]);
}

template <class T>
constexpr Conversion<T> conversion = {widen_all<T>, narrow_all<T>};

constexpr Conversions conversions() { return {conversion<BFloat16>, conversion<Float16>}; }

}  // namespace
}  // namespace limen::kernels
