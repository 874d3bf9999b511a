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
  /// Between the two, evenly.
  double between(double lower, double upper) {
    return lower + (upper - lower) * static_cast<double>((*this)() >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_ = 1;
};

/// Whether negative numbers of any size pass, only smaller: the value has no bound below.
inline bool leaks(const ActivationInfo& info) { return info.limit == "-inf" || info.limit.ends_with(" z"); }

/// How many points `for_stratified` takes from an octave: where the activation is 0 or z, where it is neither, and
/// within a factor of 2^12 around 1.
struct Samples {
  int plain, bent, central;
};

/// Calls f(z) for bit patterns of both signs and every exponent.
template <class S, class F>
void for_stratified(ActivationId id, const Parameters& parameters, Samples samples, F&& f) {
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
      const int count = !bends ? samples.plain : central ? samples.central : samples.bent;
      for (int i = 0; i < count; ++i)
        f(std::bit_cast<S>(
            static_cast<Bits>(leading | (static_cast<Bits>(random()) >> (8 * sizeof(S) - mantissa_bits)))));
    }
}

/// Calls f(z) for the two zeros, the smallest and largest numbers, and both sides of 0, of the law's middle and of the
/// ends of its support.
template <class S, class F>
void for_edges(ActivationId id, const Parameters& parameters, F&& f) {
  using Limits = std::numeric_limits<S>;
  for (const S z : {S(0), Limits::denorm_min(), 3 * Limits::denorm_min(), Limits::min(), Limits::max()}) f(z), f(-z);
  const auto law = distribution(id, parameters.data());
  if (!law) return;
  for (const double place : {law->lower, law->upper, *quantile(id, parameters.data(), 0.5)}) {
    if (!std::isfinite(place) || place == 0) continue;
    S below = static_cast<S>(place), above = below;
    for (int i = 0; i < 3; ++i) {
      f(below), f(above);
      below = std::nextafter(below, -Limits::infinity()), above = std::nextafter(above, Limits::infinity());
    }
  }
}

/// Calls f(z) `count` times each for quantiles of the law (or powers of ten, without one), for numbers between -30 and
/// 30, and for bit patterns.
template <class S, class F>
void for_random(ActivationId id, const Parameters& parameters, int count, Random& random, F&& f) {
  using Bits = std::conditional_t<sizeof(S) == 4, std::uint32_t, std::uint64_t>;
  for (int i = 0; i < count; ++i) {
    const double exponent = random.between(-30, 30);
    const auto threshold = quantile(id, parameters.data(), 1 / (1 + std::exp(exponent)));
    f(static_cast<S>(threshold.value_or(std::pow(10, exponent) * (i % 2 == 0 ? 1 : -1))));
    f(static_cast<S>(random.between(-30, 30)));
    const S pattern = std::bit_cast<S>(static_cast<Bits>(random()));
    if (std::isfinite(pattern)) f(pattern);
  }
}

/// Parameters from all of their domains: scales and locations by their logarithms, at most so many decades away from
/// the defaults.
inline Parameters random_parameters(const ActivationInfo& info, double decades, Random& random) {
  Parameters set{};
  for (std::size_t k = 0; k < info.parameter_count; ++k) {
    const Parameter& p = info.parameter[k];
    const double factor = std::pow(10, random.between(-decades, decades));
    if (p.integer)
      set[k] = std::floor(random.between(p.lower, p.upper + 1));
    else if (p.upper < widest)
      set[k] = random.between(p.lower, p.upper);
    else if (p.lower >= 0)
      set[k] = std::min(0.999 * widest, std::max(1.001 * narrowest, p.initial * factor));
    else
      set[k] = random() % 2 == 0 ? factor : -factor;
  }
  return set;
}

}  // namespace limen::test
