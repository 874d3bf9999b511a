// Part of limen. SPDX-License-Identifier: MIT
//
// Counter-based random numbers, `rng = 1` in a run's settings: the recipes below never change under that number.
// Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011) is a keyed bijection of 128-bit counters in ten rounds. A draw is a
// function of (seed, purpose, site, step, position) alone, so it does not depend on threads, on order, or on an
// interruption.
//
//   key      = {low, high 32 bits of the seed}
//   counter  = {low 32 bits of the block, bits 32 to 55 of the block + purpose * 2^24, site, step}
//
// Seed, purpose, site, step and block (below 2^56) have bits of their own, so no two of them ever meet in the same
// counter. The four words of a block serve draws as follows; draw i of a kind with k draws a block uses block i / k,
// and of its words the part i % k. A stream (one seed, purpose, site, step) is for one kind of draw: different kinds
// would share words.
//
//   word         k = 4  the words in order
//   uniform      k = 4  (word >> 8) * 2^-24, in [0, 1)
//   level        k = 4  (word + 1/2) * 2^-32, in (0, 1), f64
//   normal       k = 4  the normal quantile (normal_quantile.h, f64) at the level, so within +-6.34
//   below(n)     k = 2  the high 64 bits of n * (even word + 2^32 * odd word); no value's probability is off by more
//                       than 2^-64
//   keep(rate)   k = 8  16 bits: the low, then the high half of each word; kept when not below the rate's n of 65536
//   permutation         Fisher and Yates from the end: for i = n - 1 ... 1 swap entries i and below(i + 1), draw i
//
// Initial weights: site and step are the low and high 32 bits of the parameter name's hash (64-bit FNV-1a of its
// bytes), so a parameter's weights depend on the seed and its name alone, not on which other parameters a model has.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "limen/math/normal_quantile.h"

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

/// What a stream is for, below 256. Values are part of rng = 1.
enum class Purpose : std::uint32_t {
  weights = 1,
  train_batches = 2,
  evaluation_batches = 3,
  dropout = 4,
  augmentation = 5,
  shuffle = 6,
  final_evaluation = 7,
  occupancy = 8,
  threshold = 9,
};

/// 64-bit FNV-1a (Fowler, Noll, Vo).
constexpr std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return hash;
}

/// The high 64 bits of a * b.
constexpr std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t low = 0xFFFFFFFF;
  const std::uint64_t low_low = (a & low) * (b & low);
  const std::uint64_t middle = (a >> 32) * (b & low) + (low_low >> 32);
  const std::uint64_t other = (a & low) * (b >> 32) + (middle & low);
  return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
}

/// A dropout probability p in [0, 1], rounded to n/65536 (to nearest, half up).
class DropoutRate {
 public:
  explicit constexpr DropoutRate(double p) : n_(static_cast<std::uint32_t>(p * 65536 + 0.5)) {
    assert(p >= 0 && p <= 1);
  }
  constexpr std::uint32_t n() const { return n_; }
  /// 1 / (1 - n/65536), what kept values are multiplied by so that means stay; 0 when nothing is kept.
  constexpr float scale() const { return n_ < 65536 ? static_cast<float>(65536.0 / (65536 - n_)) : 0.0F; }

 private:
  std::uint32_t n_;
};

/// The draws of one (seed, purpose, site, step); a plain value, safe to use from any number of threads.
class Stream {
 public:
  constexpr Stream(std::uint64_t seed, Purpose purpose, std::uint32_t site = 0, std::uint32_t step = 0)
      : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
        purpose_(static_cast<std::uint32_t>(purpose) << 24),
        site_(site),
        step_(step) {}

  /// The stream of a parameter's initial weights.
  static constexpr Stream weights(std::uint64_t seed, std::string_view parameter_name) {
    const std::uint64_t hash = fnv1a(parameter_name);
    return {seed, Purpose::weights, static_cast<std::uint32_t>(hash), static_cast<std::uint32_t>(hash >> 32)};
  }

  constexpr Words block(std::uint64_t index) const {
    return philox({static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32) | purpose_, site_, step_},
                  key_);
  }
  constexpr std::uint32_t word(std::uint64_t position) const { return block(position / 4)[position % 4]; }
  constexpr float uniform(std::uint64_t position) const { return uniform_of(word(position)); }
  /// Uniform on (0, 1), never an end: (word + 1/2) / 2^32.
  constexpr double level(std::uint64_t position) const { return level_of(word(position)); }
  double normal(std::uint64_t position) const { return normal_of(word(position)); }

  /// Uniform on {0, ..., n - 1}, n > 0.
  constexpr std::uint64_t below(std::uint64_t n, std::uint64_t position) const {
    const Words words = block(position / 2);
    const std::size_t even = position % 2 * 2;
    return multiply_high(n, words[even] | std::uint64_t{words[even + 1]} << 32);
  }
  constexpr bool keep(DropoutRate rate, std::uint64_t position) const {
    return (block(position / 8)[position % 8 / 2] >> (position % 2 * 16) & 0xFFFF) >= rate.n();
  }

  /// out[i] = mean + deviation * normal(i), computed in f64 and rounded once.
  void fill_normal(std::span<float> out, double mean, double deviation) const {
    fill(out, [=](std::uint32_t word) { return mean + deviation * normal_of(word); });
  }
  /// out[i] = low + (high - low) * uniform(i), computed in f64 and rounded once (which may reach `high`).
  void fill_uniform(std::span<float> out, double low, double high) const {
    fill(out, [=](std::uint32_t word) { return low + (high - low) * static_cast<double>(uniform_of(word)); });
  }
  /// out[i] = level(first + i), `first` a multiple of 4.
  void fill_levels(std::span<double> out, std::uint64_t first) const {
    for (std::size_t i = 0; i < out.size(); i += 4) {
      const Words words = block((first + i) / 4);
      for (std::size_t j = 0; j < std::min<std::size_t>(4, out.size() - i); ++j) out[i + j] = level_of(words[j]);
    }
  }
  /// out[i] = kept where keep(rate, first + i), else 0. For a byte mask `kept` is 1, for a factor rate.scale().
  /// Large arrays may be cut into pieces anywhere; multiples of 256 positions are fastest (below 1 ns a decision).
  template <class T>
  void fill_kept(std::span<T> out, DropoutRate rate, T kept, std::uint64_t first = 0) const;

  /// out = {0, ..., out.size() - 1} in random order.
  void fill_permutation(std::span<std::int64_t> out) const {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::int64_t>(i);
    for (std::size_t i = out.size(); i-- > 1;) std::swap(out[i], out[below(i + 1, i)]);
  }

 private:
  static constexpr float uniform_of(std::uint32_t word) { return static_cast<float>(word >> 8) * 0x1p-24F; }
  static constexpr double level_of(std::uint32_t word) { return (word + 0.5) * 0x1p-32; }
  static double normal_of(std::uint32_t word) { return normal_quantile(level_of(word)); }

  template <class FromWord>
  void fill(std::span<float> out, FromWord from_word) const {
    for (std::size_t i = 0; i < out.size(); i += 4) {
      const Words words = block(i / 4);
      for (std::size_t j = 0; j < std::min<std::size_t>(4, out.size() - i); ++j)
        out[i + j] = static_cast<float>(from_word(words[j]));
    }
  }

  Key key_;
  std::uint32_t purpose_, site_, step_;
};

template <class T>
void Stream::fill_kept(std::span<T> out, DropoutRate rate, T kept, std::uint64_t first) const {
  // 32 blocks at a time in plain loops, which compilers turn into vector code.
  constexpr std::size_t lanes = 32;
  std::array<std::uint16_t, 8 * lanes> halves;
  for (std::size_t done = 0; done < out.size();) {
    const std::uint64_t position = first + done;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const Words words = block(position / 8 + lane);
      for (std::size_t j = 0; j < 4; ++j) {
        halves[8 * lane + 2 * j] = static_cast<std::uint16_t>(words[j]);
        halves[8 * lane + 2 * j + 1] = static_cast<std::uint16_t>(words[j] >> 16);
      }
    }
    const std::size_t skip = position % 8;
    const std::size_t count = std::min(halves.size() - skip, out.size() - done);
    for (std::size_t i = 0; i < count; ++i) out[done + i] = halves[skip + i] >= rate.n() ? kept : T{0};
    done += count;
  }
}

}  // namespace limen::math
