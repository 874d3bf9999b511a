// Part of limen. SPDX-License-Identifier: MIT
//
// The made-up activations of probes.h, instantiated by the including unit for its value type.
#pragma once

#include <limits>
#include <type_traits>

#include "kernels/cpu/body.h"
#include "kernels/probes.h"

namespace limen::kernels {
namespace {

namespace words {

using namespace math;

/// 1, 2, ..., N
template <class S, std::size_t N>
constexpr Table<S, N> counted() {
  Table<S, N> table = {};
  for (std::size_t i = 0; i < N; ++i) table.entry[i] = static_cast<S>(i + 1);
  return table;
}
template <class S, std::size_t N>
inline constexpr Table<S, N> table = counted<S, N>();

/// The tables that are in use: up to 16 floats, up to 32 doubles.
template <class S>
inline constexpr std::size_t most = sizeof(S) == 4 ? 16 : 32;
/// Leaves six bits: the lowest of the exponent and the upper ones of the mantissa.
template <class S>
inline constexpr int all_but_six = std::numeric_limits<S>::digits - 6;
template <class S>
using Bits = std::conditional_t<sizeof(S) == 4, std::int32_t, std::int64_t>;
template <class S>
inline constexpr Bits<S> lowest_bits = sizeof(S) == 4 ? 0x00FFFFFF : static_cast<Bits<S>>(0x001FFFFFFFFFFFFF);

// A word applied to z and an operand p, with the integers i of z's bits and j of p's.
// clang-format off
#define LIMEN_WORDS(WORD) \
  WORD(Add, z + p) \
  WORD(Subtract, z - p) \
  WORD(Multiply, z * p) \
  WORD(Divide, z / p) \
  WORD(Negate, -z) \
  WORD(Fma, fma(z, p, V(1))) \
  WORD(FmaOfSquare, fma(z, z, p)) \
  WORD(FmaResidual, fma(z, p, -(z * p))) \
  WORD(Abs, abs(z)) \
  WORD(Sqrt, sqrt(z)) \
  WORD(MinFirst, min(z, p)) \
  WORD(MinSecond, min(p, z)) \
  WORD(MaxFirst, max(z, p)) \
  WORD(MaxSecond, max(p, z)) \
  WORD(Clamp, clamp(z, V(-3), V(2))) \
  WORD(Less, select(z < p, V(1), V(2))) \
  WORD(LessEqual, select(z <= p, V(1), V(2))) \
  WORD(Greater, select(z > p, V(1), V(2))) \
  WORD(GreaterEqual, select(z >= p, V(1), V(2))) \
  WORD(Equal, select(z == p, V(1), V(2))) \
  WORD(NotEqual, select(z != p, V(1), V(2))) \
  WORD(IsNan, select(z != z, V(1), V(2))) \
  WORD(Both, select((z < p) & (z > V(1)), V(1), V(2))) \
  WORD(Either, select((z < p) | (z > V(1)), V(1), V(2))) \
  WORD(Not, select(!(z < p), V(1), V(2))) \
  WORD(Select, select(z < p, z, p)) \
  WORD(WithSignOf, with_sign_of(abs(p), z)) \
  WORD(IntegerAdd, from_bits((i & low) + (j & low), z)) \
  WORD(IntegerSubtract, from_bits((i & low) - (j & low), z)) \
  WORD(IntegerOr, from_bits(i | j, z)) \
  WORD(IntegerXor, from_bits(i ^ low, z)) \
  WORD(ShiftLeft, from_bits(shift_left<5>(i), z)) \
  WORD(ShiftRight, from_bits(shift_right<5>(i), z)) \
  WORD(Lookup8, lookup(table<Scalar<V>, 8>, shift_right<all_but_six<Scalar<V>>>(i))) \
  WORD(Lookup16, lookup(table<Scalar<V>, 16>, shift_right<all_but_six<Scalar<V>>>(i))) \
  WORD(LookupMost, lookup(table<Scalar<V>, most<Scalar<V>>>, shift_right<all_but_six<Scalar<V>>>(i)))
// clang-format on

#define LIMEN_WORD(NAME, ...)                                                                  \
  struct NAME {                                                                                \
    template <class S>                                                                         \
    using Constants = Operand<S>;                                                              \
    template <class V>                                                                         \
    static V value(V z, const Operand<Scalar<V>>& operand) {                                   \
      const V p(operand.value);                                                                \
      [[maybe_unused]] const Integer<V> i = bits(z), j = bits(p), low(lowest_bits<Scalar<V>>); \
      return __VA_ARGS__;                                                                      \
    }                                                                                          \
  };
LIMEN_WORDS(LIMEN_WORD)
#undef LIMEN_WORD

}  // namespace words

/// The slope in its parameter is z or 1.
template <bool Identity>
struct SumProbe {
  static constexpr struct { std::size_t parameter_count = 1; } info = {};
  template <class S>
  using Constants = Operand<S>;
  template <class V>
  static V value(V z, const Operand<math::Scalar<V>>&) {
    return z;
  }
  template <class V>
  static V slope(V, const Operand<math::Scalar<V>>&) {
    return V(1);
  }
  template <class V>
  static V curvature(V, const Operand<math::Scalar<V>>&) {
    return V(0);
  }
  template <class V>
  static std::array<V, 1> parameter_slopes(V z, const Operand<math::Scalar<V>>&) {
    return {Identity ? z : V(1)};
  }
  template <class V>
  static std::array<V, 1> mixed_curvatures(V, const Operand<math::Scalar<V>>&) {
    return {V(Identity ? 1 : 0)};
  }
  template <class V>
  static std::array<V, 1> parameter_curvatures(V, const Operand<math::Scalar<V>>&) {
    return {V(0)};
  }
};

#define LIMEN_WORD(NAME, ...) Word<math::Scalar<V>>{#NAME, forward<words::NAME, V>},
template <class V>
constexpr Word<math::Scalar<V>> word_list[] = {LIMEN_WORDS(LIMEN_WORD)};
#undef LIMEN_WORD

template <class V>
constexpr Probes<math::Scalar<V>> probes() {
  constexpr auto sums = kernels<V>(TypeList<SumProbe<false>, SumProbe<true>>{});
  return {word_list<V>, sums[0], sums[1]};
}

}  // namespace
}  // namespace limen::kernels
