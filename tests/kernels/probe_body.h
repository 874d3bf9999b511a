// Part of limen. SPDX-License-Identifier: MIT
//
// The made-up activations of probes.h, instantiated by the including unit for its value type.
#pragma once

#include "kernels/cpu/body.h"
#include "kernels/probes.h"

namespace limen::kernels {
namespace {

namespace words {

using namespace math;

inline constexpr Table<float, 8> table8 = {{1, 2, 3, 4, 5, 6, 7, 8}};
inline constexpr Table<float, 16> table16 = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}};

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
  WORD(Lookup8, lookup(table8, shift_right<18>(i))) \
  WORD(Lookup16, lookup(table16, shift_right<18>(i)))
// clang-format on

#define LIMEN_WORD(NAME, ...)                                                      \
  struct NAME {                                                                    \
    template <class S>                                                             \
    using Constants = Operand<S>;                                                  \
    template <class V>                                                             \
    static V value(V z, const Operand<Scalar<V>>& operand) {                       \
      const V p(operand.value);                                                    \
      [[maybe_unused]] const Integer<V> i = bits(z), j = bits(p), low(0x00FFFFFF); \
      return __VA_ARGS__;                                                          \
    }                                                                              \
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

#define LIMEN_WORD(NAME, ...) Word{#NAME, forward<words::NAME, V>},
template <class V>
constexpr Word word_list[] = {LIMEN_WORDS(LIMEN_WORD)};
#undef LIMEN_WORD

template <class V>
constexpr Probes probes() {
  constexpr auto sums = kernels<V>(TypeList<SumProbe<false>, SumProbe<true>>{});
  return {word_list<V>, sums[0], sums[1]};
}

}  // namespace
}  // namespace limen::kernels
