// Part of limen. SPDX-License-Identifier: MIT
//
// Where the tests look: points chosen from what an activation says of itself, so that a new one is covered.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "limen/evaluate.h"
#include "parameters.h"

namespace limen::test {

/// A fixed sequence of random 64-bit numbers (SplitMix64).
class Random {
 public:
  std::uint64_t operator()() {
    std::uint64_t x = state_ += 0x9E3779B97F4A7C15;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
  }

 private:
  std::uint64_t state_ = 1;
};

/// Whether negative numbers of any size pass, only smaller: the value has no bound below.
inline bool leaks(const ActivationInfo& info) { return info.limit == "-inf" || info.limit.ends_with(" z"); }

/// Calls f(z) for bit patterns of both signs and every exponent: `per_octave` of them where the activation is neither 0
/// nor z, a few elsewhere, four times as many within a factor of 2^12 around 1.
template <class S, class F>
void for_stratified(ActivationId id, const Parameters& parameters, int per_octave, F&& f) {
  using Bits = std::conditional_t<sizeof(S) == 4, std::uint32_t, std::uint64_t>;
  constexpr int mantissa_bits = std::numeric_limits<S>::digits - 1;
  constexpr int octaves = 1 << (8 * sizeof(S) - 2 - mantissa_bits + 1);
  Random random;
  for (int sign = 0; sign < 2; ++sign)
    for (int octave = 0; octave < octaves - 1; ++octave) {
      const Bits leading =
          (static_cast<Bits>(sign) << (8 * sizeof(S) - 1)) | (static_cast<Bits>(octave) << mantissa_bits);
      const double middle = std::bit_cast<S>(static_cast<Bits>(leading | (Bits(1) << (mantissa_bits - 1))));
      const double value = evaluate(id, parameters.data(), middle).value;
      const bool bends = value != 0 && value != middle;
      const bool central = std::abs(octave - octaves / 2) < 12;
      const int count = !bends ? 4 : central ? 4 * per_octave : per_octave;
      for (int i = 0; i < count; ++i)
        f(std::bit_cast<S>(
            static_cast<Bits>(leading | (static_cast<Bits>(random()) >> (8 * sizeof(S) - mantissa_bits)))));
    }
}

}  // namespace limen::test
