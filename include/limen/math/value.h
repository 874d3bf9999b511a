// Part of limen. SPDX-License-Identifier: MIT
//
// The vocabulary that formulas are written in. A value type V is `float`, `double`, or a vector of floats
// (src/kernels/cpu/vector.h); each offers infix + - * / and the functions below, found by argument lookup.
// A formula is a constexpr template on V written with these words alone, so every path runs the same lines and,
// built with -ffp-contract=off, yields the same bits wherever fused multiply-add is fused. Being constexpr, it runs on
// GPUs too: nvcc --expt-relaxed-constexpr -fmad=false.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace limen::math {

/// What belongs to a value type: its scalar, its mask and its integers of the same width.
template <class V>
struct ValueTraits;

template <>
struct ValueTraits<float> {
  using Scalar = float;
  using Mask = bool;
  using Integer = std::int32_t;
};

template <>
struct ValueTraits<double> {
  using Scalar = double;
  using Mask = bool;
  using Integer = std::int64_t;
};

template <class V>
using Scalar = typename ValueTraits<V>::Scalar;
template <class V>
using Mask = typename ValueTraits<V>::Mask;
template <class V>
using Integer = typename ValueTraits<V>::Integer;

/// True for the value types of one element.
template <class V>
inline constexpr bool is_scalar = std::is_floating_point_v<V>;

/// A table for `lookup`: aligned so that a vector load of all entries never splits a cache line.
template <class S, std::size_t N>
struct Table {
  alignas(64) std::array<S, N> entry;
};

/// Where code can read a constant: what runs on a GPU has no access to those of the host and reads a copy there. Only
/// what is looked up with an index of run time needs this.
#ifdef __CUDACC__
template <const auto& constant>
__device__ constexpr auto device_copy = constant;
#endif
template <const auto& constant>
constexpr const auto& resident() {
#ifdef __CUDA_ARCH__
  return device_copy<constant>;
#else
  return constant;
#endif
}

template <std::floating_point S>
constexpr S fma(S a, S b, S c) {
  return std::fma(a, b, c);
}
template <std::floating_point S>
constexpr S abs(S a) {
  return std::fabs(a);
}
template <std::floating_point S>
constexpr S sqrt(S a) {
  return std::sqrt(a);
}
/// As the x86 instructions: the second operand when unordered or equal, so max(0, z) keeps a NaN z.
template <std::floating_point S>
constexpr S min(S a, S b) {
  return a < b ? a : b;
}
template <std::floating_point S>
constexpr S max(S a, S b) {
  return a > b ? a : b;
}
template <std::floating_point S>
constexpr S select(bool mask, S yes, S no) {
  return mask ? yes : no;
}
/// The magnitude of a (which must not be negative) with the sign of b.
template <std::floating_point S>
constexpr S with_sign_of(S a, S b) {
  return std::copysign(a, b);
}
template <std::floating_point S>
constexpr Integer<S> bits(S a) {
  return std::bit_cast<Integer<S>>(a);
}
template <std::floating_point S>
constexpr S from_bits(Integer<S> i, S) {
  return std::bit_cast<S>(i);
}
template <std::floating_point S, std::size_t N>
constexpr S lookup(const Table<S, N>& table, Integer<S> index) {
  return table.entry[static_cast<std::size_t>(index) & (N - 1)];
}

/// Integers of a value type: addition and bitwise operators are infix; shifts carry their count as a template argument.
template <int Count>
constexpr std::int32_t shift_left(std::int32_t i) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(i) << Count);
}
template <int Count>
constexpr std::int64_t shift_left(std::int64_t i) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(i) << Count);
}
/// Logical: zeros come in from the left.
template <int Count>
constexpr std::int32_t shift_right(std::int32_t i) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(i) >> Count);
}
template <int Count>
constexpr std::int64_t shift_right(std::int64_t i) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(i) >> Count);
}

/// a b - c and c - a b, fused as fma is. A vector may have its own: an instruction instead of two.
template <class V>
constexpr V fms(V a, V b, V c) {
  return fma(a, b, -c);
}
template <class V>
constexpr V fnma(V a, V b, V c) {
  return fma(-a, b, c);
}

/// `value`, or z where z is a NaN: for pieces that are constant.
template <class V>
constexpr V unless_nan(V value, V z) {
  return select(z == z, value, z);
}

/// z held in [lower, upper]; a NaN passes.
template <class V>
constexpr V clamp(V z, V lower, V upper) {
  return min(upper, max(lower, z));
}

}  // namespace limen::math
