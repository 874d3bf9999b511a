// Part of limen. SPDX-License-Identifier: MIT
//
// Counter-based random numbers, `rng = 1` in a run's settings: the recipes below never change under that number.
// Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011): a keyed bijection of 128-bit counters; ten rounds. A draw is a function of
// (seed, purpose, step, site, position) alone, so it does not depend on threads, on order, or on an interruption.
//
//   key      = {low 32 bits of seed, high 32 bits of seed ^ purpose << 24}
//   counter  = {low and high 32 bits of position, site, step}
//   uniform  = (word >> 8) * 2^-24           in [0, 1), one 32-bit word each
//   normal   = the normal quantile (Wichura 1988, AS 241, f64) at (word + 0.5) * 2^-32
//   below(n) = high 64 bits of (64-bit draw * n); the bias is below n / 2^64
//   permutation: Fisher and Yates from the end, draw i of below(i + 1)
#pragma once

#include <array>
#include <cstdint>

namespace limen::math {

using Words = std::array<std::uint32_t, 4>;
using Key = std::array<std::uint32_t, 2>;

constexpr Words philox(Words counter, Key key) {
  constexpr std::uint64_t multiplier0 = 0xD2511F53, multiplier1 = 0xCD9E8D57;
  constexpr std::uint32_t weyl0 = 0x9E3779B9, weyl1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = multiplier0 * counter[0];
    const std::uint64_t product1 = multiplier1 * counter[2];
    counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(product1),
               static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(product0)};
    key = {key[0] + weyl0, key[1] + weyl1};
  }
  return counter;
}

/// What a stream is for. Values are part of rng = 1.
enum class Purpose : std::uint32_t {
  weights = 1,
  train_batches = 2,
  evaluation_batches = 3,
  dropout = 4,
  augmentation = 5,
  shuffle = 6,
  final_evaluation = 7,
  occupancy = 8,
};

}  // namespace limen::math
