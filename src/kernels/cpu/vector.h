// Part of limen. SPDX-License-Identifier: MIT
//
// Vec: a Highway vector of floats that speaks the vocabulary of limen/math/value.h, for the instruction set that the
// including unit is compiled for. Everything is in an unnamed namespace, so that units do not share functions.
#pragma once

// Nothing here encrypts or converts to half precision: without these, Highway asks for those instructions too.
#define HWY_DISABLE_PCLMUL_AES
#define HWY_DISABLE_F16C
#define HWY_COMPILE_ONLY_STATIC
#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "limen/math/value.h"

namespace limen::kernels {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::ScalableTag<float>;
using IntTag = hn::RebindToSigned<FloatTag>;
using UintTag = hn::RebindToUnsigned<FloatTag>;

inline constexpr std::size_t vec_width = HWY_MAX_BYTES / sizeof(float);

/// A comparison's result, lane by lane.
struct Mask {
  hn::Mask<FloatTag> raw;
};
inline Mask operator&(Mask a, Mask b) { return {hn::And(a.raw, b.raw)}; }
inline Mask operator|(Mask a, Mask b) { return {hn::Or(a.raw, b.raw)}; }
inline Mask operator!(Mask a) { return {hn::Not(a.raw)}; }

/// 32-bit integers, as many as a Vec has lanes. Addition wraps.
struct Ints {
  Ints() = default;
  explicit Ints(std::int32_t all) : raw(hn::Set(IntTag(), all)) {}
  explicit Ints(hn::Vec<IntTag> from) : raw(from) {}
  hn::Vec<IntTag> raw;
};
inline Ints operator+(Ints a, Ints b) { return Ints(hn::Add(a.raw, b.raw)); }
inline Ints operator-(Ints a, Ints b) { return Ints(hn::Sub(a.raw, b.raw)); }
inline Ints operator&(Ints a, Ints b) { return Ints(hn::And(a.raw, b.raw)); }
inline Ints operator|(Ints a, Ints b) { return Ints(hn::Or(a.raw, b.raw)); }
inline Ints operator^(Ints a, Ints b) { return Ints(hn::Xor(a.raw, b.raw)); }

template <int Count>
Ints shift_left(Ints i) {
  return Ints(hn::ShiftLeft<Count>(i.raw));
}
template <int Count>
Ints shift_right(Ints i) {
  return Ints(hn::BitCast(IntTag(), hn::ShiftRight<Count>(hn::BitCast(UintTag(), i.raw))));
}

/// vec_width floats. Conversions are explicit: `0.5 * z`, which on floats would be computed in double, does not
/// compile.
struct Vec {
  Vec() : raw(hn::Zero(FloatTag())) {}
  explicit Vec(float all) : raw(hn::Set(FloatTag(), all)) {}
  explicit Vec(hn::Vec<FloatTag> from) : raw(from) {}
  hn::Vec<FloatTag> raw;
};
inline Vec operator+(Vec a, Vec b) { return Vec(hn::Add(a.raw, b.raw)); }
inline Vec operator-(Vec a, Vec b) { return Vec(hn::Sub(a.raw, b.raw)); }
inline Vec operator*(Vec a, Vec b) { return Vec(hn::Mul(a.raw, b.raw)); }
inline Vec operator/(Vec a, Vec b) { return Vec(hn::Div(a.raw, b.raw)); }
inline Vec operator-(Vec a) { return Vec(hn::Neg(a.raw)); }

inline Mask operator==(Vec a, Vec b) { return {hn::Eq(a.raw, b.raw)}; }
// Highway's Ne is false for a NaN.
inline Mask operator!=(Vec a, Vec b) { return {hn::Not(hn::Eq(a.raw, b.raw))}; }
inline Mask operator<(Vec a, Vec b) { return {hn::Lt(a.raw, b.raw)}; }
inline Mask operator<=(Vec a, Vec b) { return {hn::Le(a.raw, b.raw)}; }
inline Mask operator>(Vec a, Vec b) { return {hn::Gt(a.raw, b.raw)}; }
inline Mask operator>=(Vec a, Vec b) { return {hn::Ge(a.raw, b.raw)}; }

#if HWY_NATIVE_FMA
inline Vec fma(Vec a, Vec b, Vec c) { return Vec(hn::MulAdd(a.raw, b.raw, c.raw)); }
#else
using HalfTag = hn::Half<FloatTag>;
using WideTag = hn::Rebind<double, HalfTag>;

/// a b + c for half a vector, exactly rounded. In f64 the product is exact; the sum is rounded to odd, that is towards
/// zero and then, if anything was lost, to an odd last bit, which keeps the final rounding from being a second one
/// (Boldo and Melquiond 2008).
inline hn::Vec<HalfTag> fma_half(hn::Vec<HalfTag> a, hn::Vec<HalfTag> b, hn::Vec<HalfTag> c) {
  constexpr WideTag wide;
  constexpr hn::RebindToUnsigned<WideTag> integer;
  const auto product = hn::Mul(hn::PromoteTo(wide, a), hn::PromoteTo(wide, b));
  const auto addend = hn::PromoteTo(wide, c);
  const auto sum = hn::Add(product, addend);
  const auto back = hn::Sub(sum, product);
  const auto lost = hn::Add(hn::Sub(product, hn::Sub(sum, back)), hn::Sub(addend, back));  // Knuth's exact sum
  const auto away_from_zero = hn::ShiftRight<63>(hn::BitCast(integer, hn::Xor(sum, lost)));
  const auto odd = hn::Or(hn::Sub(hn::BitCast(integer, sum), away_from_zero), hn::Set(integer, 1));
  const auto inexact = hn::Lt(hn::Zero(wide), hn::Abs(lost));
  return hn::DemoteTo(HalfTag(), hn::IfThenElse(inexact, hn::BitCast(wide, odd), sum));
}

// A call, because a formula that holds this thirty times over takes minutes to compile.
[[gnu::noinline]] Vec fma(Vec a, Vec b, Vec c) {
  constexpr HalfTag half;
  const auto low = fma_half(hn::LowerHalf(half, a.raw), hn::LowerHalf(half, b.raw), hn::LowerHalf(half, c.raw));
  const auto high = fma_half(hn::UpperHalf(half, a.raw), hn::UpperHalf(half, b.raw), hn::UpperHalf(half, c.raw));
  return Vec(hn::Combine(FloatTag(), high, low));
}
#endif

inline Vec abs(Vec a) { return Vec(hn::Abs(a.raw)); }
inline Vec sqrt(Vec a) { return Vec(hn::Sqrt(a.raw)); }
// On x86 these give the second operand when the operands are unordered or equal, as value.h promises.
inline Vec min(Vec a, Vec b) { return Vec(hn::Min(a.raw, b.raw)); }
inline Vec max(Vec a, Vec b) { return Vec(hn::Max(a.raw, b.raw)); }
inline Vec select(Mask mask, Vec yes, Vec no) { return Vec(hn::IfThenElse(mask.raw, yes.raw, no.raw)); }
inline Vec with_sign_of(Vec a, Vec b) { return Vec(hn::CopySignToAbs(a.raw, b.raw)); }
inline Ints bits(Vec a) { return Ints(hn::BitCast(IntTag(), a.raw)); }
inline Vec from_bits(Ints i, Vec) { return Vec(hn::BitCast(FloatTag(), i.raw)); }

/// table[i & (N - 1)], from registers: a gather takes three times as long. The permute instructions read the low bits
/// of an index alone, which is the mask.
template <std::size_t N>
Vec lookup(const math::Table<float, N>& table, Ints index) {
  static_assert(N == 8 || N == 16, "tables of 8 or 16 fit the registers of every instruction set");
  const float* const entry = table.entry.data();
#if HWY_TARGET == HWY_AVX3
  const __m512 all = N == 16 ? _mm512_load_ps(entry) : _mm512_broadcast_f32x8(_mm256_load_ps(entry));
  return Vec(hn::Vec<FloatTag>{_mm512_permutexvar_ps(index.raw.raw, all)});
#elif HWY_TARGET == HWY_AVX2
  const __m256 low = _mm256_permutevar8x32_ps(_mm256_load_ps(entry), index.raw.raw);
  if constexpr (N == 8) return Vec(hn::Vec<FloatTag>{low});
  const __m256 high = _mm256_permutevar8x32_ps(_mm256_load_ps(entry + N / 2), index.raw.raw);
  // The blend reads the sign bit, to which bit 3 of the index is shifted.
  return Vec(hn::Vec<FloatTag>{_mm256_blendv_ps(low, high, _mm256_castsi256_ps(_mm256_slli_epi32(index.raw.raw, 28)))});
#else
  alignas(16) std::int32_t position[vec_width];
  alignas(16) float found[vec_width];
  hn::Store(hn::And(index.raw, hn::Set(IntTag(), static_cast<std::int32_t>(N - 1))), IntTag(), position);
  for (std::size_t j = 0; j < vec_width; ++j) found[j] = entry[position[j]];
  return Vec(hn::Load(FloatTag(), found));
#endif
}

/// Reads and writes whole vectors at any alignment.
template <class V>
struct Whole {
  static constexpr std::size_t width = vec_width;
  static Vec load(const float* p) { return Vec(hn::LoadU(FloatTag(), p)); }
  static void store(float* p, Vec v) { hn::StoreU(v.raw, FloatTag(), p); }
  static Vec choose(Vec here, Vec) { return here; }
};

/// Reads and writes the first `count` lanes (all, when there are fewer) and touches no memory behind them; the others
/// read as 0.
template <class V>
class First {
 public:
  explicit First(std::size_t count) : count_(count < vec_width ? count : vec_width) {}
  /// `here` in the first lanes, `elsewhere` in the others.
  Vec choose(Vec here, Vec elsewhere) const { return Vec(hn::IfThenElse(mask(), here.raw, elsewhere.raw)); }
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  Vec load(const float* p) const { return Vec(hn::MaskedLoad(mask(), FloatTag(), p)); }
  void store(float* p, Vec v) const { hn::BlendedStore(v.raw, mask(), FloatTag(), p); }
#else
  // Without masked moves Highway would read and write whole vectors.
  Vec load(const float* p) const {
    alignas(16) float lanes[vec_width] = {};
    std::memcpy(lanes, p, count_ * sizeof(float));
    return Vec(hn::Load(FloatTag(), lanes));
  }
  void store(float* p, Vec v) const {
    alignas(16) float lanes[vec_width];
    hn::Store(v.raw, FloatTag(), lanes);
    std::memcpy(p, lanes, count_ * sizeof(float));
  }
#endif

 private:
  hn::Mask<FloatTag> mask() const { return hn::FirstN(FloatTag(), count_); }
  std::size_t count_;
};

}  // namespace
}  // namespace limen::kernels

template <>
struct limen::math::ValueTraits<limen::kernels::Vec> {
  using Scalar = float;
  using Mask = limen::kernels::Mask;
  using Integer = limen::kernels::Ints;
};
