// Part of limen. SPDX-License-Identifier: MIT
//
// The conversions of limen/narrow.h as loops. They are exact or rounded as the standard says, so a unit may leave it to
// the compiler to make vectors of them; what is left at the end gives the same bits in scalar code.
#pragma once

#include <cstddef>

#include "kernels/cpu/loop.h"
#include "kernels/cpu/table.h"
#include "limen/narrow.h"

namespace limen::kernels {
namespace {

template <class T>
LIMEN_LOOP void widen_all(const T* __restrict from, float* __restrict to, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) to[i] = limen::widen(from[i]);
}

template <class T>
LIMEN_LOOP void narrow_all(const float* __restrict from, T* __restrict to, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) to[i] = limen::narrow<T>(from[i]);
}

template <class T>
constexpr Conversion<T> conversion = {widen_all<T>, narrow_all<T>};

constexpr Conversions conversions() { return {conversion<BFloat16>, conversion<Float16>}; }

}  // namespace
}  // namespace limen::kernels
