// Part of limen. SPDX-License-Identifier: MIT
//
// Vec: a Highway vector of floats or doubles that speaks the vocabulary of limen/math/value.h, for the instruction set
// that the including unit is compiled for. Everything is in an unnamed namespace, so that units do not share functions.
#pragma once

// Nothing here encrypts: without this, Highway asks for those instructions too.
#define HWY_DISABLE_PCLMUL_AES
#define HWY_COMPILE_ONLY_STATIC
#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "limen/math/value.h"

namespace limen::kernels {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class S>
using Tag = hn::ScalableTag<S>;
template <class S>
using IntTag = hn::RebindToSigned<Tag<S>>;
template <class S>
using UintTag = hn::RebindToUnsigned<Tag<S>>;

template <class S>
inline constexpr std::size_t vec_width = HWY_MAX_BYTES / sizeof(S);

/// A comparison's result, lane by lane.
template <class S>
struct Mask {
  hn::Mask<Tag<S>> raw;
};
template <class S>
Mask<S> operator&(Mask<S> a, Mask<S> b) {
  return {hn::And(a.raw, b.raw)};
}
template <class S>
Mask<S> operator|(Mask<S> a, Mask<S> b) {
  return {hn::Or(a.raw, b.raw)};
}
template <class S>
Mask<S> operator!(Mask<S> a) {
  return {hn::Not(a.raw)};
}

/// Integers of the width of S, as many as a Vec<S> has lanes. Addition wraps.
template <class S>
struct Ints {
  using Lane = hn::TFromD<IntTag<S>>;
  Ints() = default;
  explicit Ints(Lane all) : raw(hn::Set(IntTag<S>(), all)) {}
  explicit Ints(hn::Vec<IntTag<S>> from) : raw(from) {}
  hn::Vec<IntTag<S>> raw;
};
template <class S>
Ints<S> operator+(Ints<S> a, Ints<S> b) {
  return Ints<S>(hn::Add(a.raw, b.raw));
}
template <class S>
Ints<S> operator-(Ints<S> a, Ints<S> b) {
  return Ints<S>(hn::Sub(a.raw, b.raw));
}
template <class S>
Ints<S> operator&(Ints<S> a, Ints<S> b) {
  return Ints<S>(hn::And(a.raw, b.raw));
}
template <class S>
Ints<S> operator|(Ints<S> a, Ints<S> b) {
  return Ints<S>(hn::Or(a.raw, b.raw));
}
template <class S>
Ints<S> operator^(Ints<S> a, Ints<S> b) {
  return Ints<S>(hn::Xor(a.raw, b.raw));
}
template <int Count, class S>
Ints<S> shift_left(Ints<S> i) {
  return Ints<S>(hn::ShiftLeft<Count>(i.raw));
}
template <int Count, class S>
Ints<S> shift_right(Ints<S> i) {
  return Ints<S>(hn::BitCast(IntTag<S>(), hn::ShiftRight<Count>(hn::BitCast(UintTag<S>(), i.raw))));
}

/// vec_width numbers. Conversions are explicit: `0.5 * z`, which on floats would be computed in double, does not
/// compile.
template <class S>
struct Vec {
  Vec() : raw(hn::Zero(Tag<S>())) {}
  explicit Vec(S all) : raw(hn::Set(Tag<S>(), all)) {}
  explicit Vec(hn::Vec<Tag<S>> from) : raw(from) {}
  hn::Vec<Tag<S>> raw;
};
template <class S>
Vec<S> operator+(Vec<S> a, Vec<S> b) {
  return Vec<S>(hn::Add(a.raw, b.raw));
}
template <class S>
Vec<S> operator-(Vec<S> a, Vec<S> b) {
  return Vec<S>(hn::Sub(a.raw, b.raw));
}
template <class S>
Vec<S> operator*(Vec<S> a, Vec<S> b) {
  return Vec<S>(hn::Mul(a.raw, b.raw));
}
template <class S>
Vec<S> operator/(Vec<S> a, Vec<S> b) {
  return Vec<S>(hn::Div(a.raw, b.raw));
}
template <class S>
Vec<S> operator-(Vec<S> a) {
  return Vec<S>(hn::Neg(a.raw));
}

template <class S>
Mask<S> operator==(Vec<S> a, Vec<S> b) {
  return {hn::Eq(a.raw, b.raw)};
}
// Highway's Ne is false for a NaN.
template <class S>
Mask<S> operator!=(Vec<S> a, Vec<S> b) {
  return {hn::Not(hn::Eq(a.raw, b.raw))};
}
template <class S>
Mask<S> operator<(Vec<S> a, Vec<S> b) {
  return {hn::Lt(a.raw, b.raw)};
}
template <class S>
Mask<S> operator<=(Vec<S> a, Vec<S> b) {
  return {hn::Le(a.raw, b.raw)};
}
template <class S>
Mask<S> operator>(Vec<S> a, Vec<S> b) {
  return {hn::Gt(a.raw, b.raw)};
}
template <class S>
Mask<S> operator>=(Vec<S> a, Vec<S> b) {
  return {hn::Ge(a.raw, b.raw)};
}

#if HWY_NATIVE_FMA
template <class S>
Vec<S> fma(Vec<S> a, Vec<S> b, Vec<S> c) {
  return Vec<S>(hn::MulAdd(a.raw, b.raw, c.raw));
}
// The compiler does not see through the intrinsics that a negation would be part of the product.
template <class S>
Vec<S> fms(Vec<S> a, Vec<S> b, Vec<S> c) {
  return Vec<S>(hn::MulSub(a.raw, b.raw, c.raw));
}
template <class S>
Vec<S> fnma(Vec<S> a, Vec<S> b, Vec<S> c) {
  return Vec<S>(hn::NegMulAdd(a.raw, b.raw, c.raw));
}
#else
/// a b + c for half a vector of floats, exactly rounded. In f64 the product is exact; the sum is rounded to odd, that
/// is towards zero and then, if anything was lost, to an odd last bit, which keeps the final rounding from being a
/// second one (Boldo and Melquiond 2008).
template <class HalfTag>
hn::Vec<HalfTag> fma_half(HalfTag half, hn::Vec<HalfTag> a, hn::Vec<HalfTag> b, hn::Vec<HalfTag> c) {
  constexpr hn::Rebind<double, HalfTag> wide;
  constexpr hn::RebindToUnsigned<hn::Rebind<double, HalfTag>> integer;
  const auto product = hn::Mul(hn::PromoteTo(wide, a), hn::PromoteTo(wide, b));
  const auto addend = hn::PromoteTo(wide, c);
  const auto sum = hn::Add(product, addend);
  const auto back = hn::Sub(sum, product);
  const auto lost = hn::Add(hn::Sub(product, hn::Sub(sum, back)), hn::Sub(addend, back));  // Knuth's exact sum
  const auto away_from_zero = hn::ShiftRight<63>(hn::BitCast(integer, hn::Xor(sum, lost)));
  const auto odd = hn::Or(hn::Sub(hn::BitCast(integer, sum), away_from_zero), hn::Set(integer, 1));
  const auto inexact = hn::Lt(hn::Zero(wide), hn::Abs(lost));
  return hn::DemoteTo(half, hn::IfThenElse(inexact, hn::BitCast(wide, odd), sum));
}

// A call, because a formula that holds this thirty times over takes minutes to compile. Doubles have no wider type: the
// C library rounds their sum.
template <class S>
[[gnu::noinline]] Vec<S> fma(Vec<S> a, Vec<S> b, Vec<S> c) {
  if constexpr (sizeof(S) == sizeof(float)) {
    constexpr hn::Half<Tag<S>> half;
    const auto low = fma_half(half, hn::LowerHalf(half, a.raw), hn::LowerHalf(half, b.raw), hn::LowerHalf(half, c.raw));
    const auto high =
        fma_half(half, hn::UpperHalf(half, a.raw), hn::UpperHalf(half, b.raw), hn::UpperHalf(half, c.raw));
    return Vec<S>(hn::Combine(Tag<S>(), high, low));
  } else {
    alignas(16) S x[vec_width<S>], y[vec_width<S>], z[vec_width<S>];
    hn::Store(a.raw, Tag<S>(), x);
    hn::Store(b.raw, Tag<S>(), y);
    hn::Store(c.raw, Tag<S>(), z);
    for (std::size_t j = 0; j < vec_width<S>; ++j) z[j] = __builtin_fma(x[j], y[j], z[j]);
    return Vec<S>(hn::Load(Tag<S>(), z));
  }
}
#endif

template <class S>
Vec<S> abs(Vec<S> a) {
  return Vec<S>(hn::Abs(a.raw));
}
template <class S>
Vec<S> sqrt(Vec<S> a) {
  return Vec<S>(hn::Sqrt(a.raw));
}
// On x86 these give the second operand when the operands are unordered or equal, as value.h promises.
template <class S>
Vec<S> min(Vec<S> a, Vec<S> b) {
  return Vec<S>(hn::Min(a.raw, b.raw));
}
template <class S>
Vec<S> max(Vec<S> a, Vec<S> b) {
  return Vec<S>(hn::Max(a.raw, b.raw));
}
template <class S>
Vec<S> select(Mask<S> mask, Vec<S> yes, Vec<S> no) {
  return Vec<S>(hn::IfThenElse(mask.raw, yes.raw, no.raw));
}
template <class S>
Vec<S> with_sign_of(Vec<S> a, Vec<S> b) {
  return Vec<S>(hn::CopySignToAbs(a.raw, b.raw));
}
template <class S>
Ints<S> bits(Vec<S> a) {
  return Ints<S>(hn::BitCast(IntTag<S>(), a.raw));
}
template <class S>
Vec<S> from_bits(Ints<S> i, Vec<S>) {
  return Vec<S>(hn::BitCast(Tag<S>(), i.raw));
}

}  // namespace
}  // namespace limen::kernels

template <class S>
struct limen::math::ValueTraits<limen::kernels::Vec<S>> {
  using Scalar = S;
  using Mask = limen::kernels::Mask<S>;
  using Integer = limen::kernels::Ints<S>;
};
