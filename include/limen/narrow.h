// Part of limen. SPDX-License-Identifier: MIT
//
// Numbers of 16 bits, to be stored and not to be computed with: bfloat16 and IEEE half precision. In memory they are
// what c10::BFloat16 and c10::Half, __bf16 and _Float16 are.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace limen {

/// The upper half of a float: 8 bits of exponent, 8 digits.
struct BFloat16 {
  std::uint16_t bits;
};

/// IEEE binary16: 5 bits of exponent, 11 digits, 65504 at most.
struct Float16 {
  std::uint16_t bits;
};

template <class T>
inline constexpr bool is_narrow = std::is_same_v<T, BFloat16> || std::is_same_v<T, Float16>;

/// The same number. Written without branches, so that loops over it become vector code.
constexpr float widen(BFloat16 x) { return std::bit_cast<float>(std::uint32_t{x.bits} << 16); }
constexpr float widen(Float16 x) {
  constexpr std::uint32_t one_exponent = 1u << 23, bias = (127 - 15) * one_exponent;
  const std::uint32_t size = (x.bits & 0x7FFFu) << 13, sign = (x.bits & 0x8000u) << 16;
  // A subnormal's digits stand below an implicit 1 that has to go again.
  const float subnormal = std::bit_cast<float>(size + bias + one_exponent) - 0x1p-14f;
  const std::uint32_t finite = size < one_exponent ? std::bit_cast<std::uint32_t>(subnormal) : size + bias;
  return std::bit_cast<float>(sign | (size >= 0x1F * one_exponent ? size | 0x7F800000u : finite));
}

/// The nearest number, of two equally near ones the even: beyond the largest that is infinity. A NaN stays one.
template <class T>
constexpr T narrow(float x);

template <>
constexpr BFloat16 narrow<BFloat16>(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t rounded = (bits + 0x7FFFu + ((bits >> 16) & 1)) >> 16, quiet = (bits >> 16) | 0x40u;
  return {static_cast<std::uint16_t>((bits & 0x7FFFFFFFu) > 0x7F800000u ? quiet : rounded)};
}
template <>
constexpr Float16 narrow<Float16>(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t size = bits & 0x7FFFFFFFu, sign = (bits >> 16) & 0x8000u;
  const std::uint32_t normal = (size - (112u << 23) + 0xFFFu + ((size >> 13) & 1)) >> 13;
  // Next to 1/2 neighbours are as far apart as subnormals of 16 bits: the sum rounds, and leaves them in its low bits.
  const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(std::bit_cast<float>(size) + 0.5f) - 0x3F000000u;
  const std::uint32_t special = size > 0x7F800000u ? 0x7E00u | ((size >> 13) & 0x3FFu) : 0x7C00u;
  const std::uint32_t finite = size < 0x38800000u ? subnormal : normal;
  return {static_cast<std::uint16_t>(sign | (size >= 0x47800000u ? special : finite))};
}

/// A number of any type as one that computes, and back, rounded.
template <class T>
constexpr auto computed(T x) {
  if constexpr (is_narrow<T>)
    return widen(x);
  else
    return x;
}
template <class T, class S>
constexpr T stored(S x) {
  if constexpr (is_narrow<T>)
    return narrow<T>(static_cast<float>(x));
  else
    return static_cast<T>(x);
}

}  // namespace limen
