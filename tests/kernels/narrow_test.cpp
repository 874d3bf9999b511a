// Part of limen. SPDX-License-Identifier: MIT
//
// Numbers of 16 bits: their conversions, and kernels on them, over all 65,536 patterns.
#include <gtest/gtest.h>

#include <cstdio>

#include "kernels/cases.h"
#include "kernels/runs.h"
#include "limen/evaluate.h"

namespace limen::kernels {
namespace {

constexpr std::size_t pattern_count = 65536;

template <class T>
struct Format;
template <>
struct Format<BFloat16> {
  static constexpr int digits = 8, least_exponent = -126;
  static constexpr const char* name = "bf16";
};
template <>
struct Format<Float16> {
  static constexpr int digits = 11, least_exponent = -14;
  static constexpr const char* name = "f16";
};

template <class T>
std::vector<T> all_patterns() {
  std::vector<T> all(pattern_count);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = T{static_cast<std::uint16_t>(i)};
  return all;
}

/// The distance of T's neighbours at x.
template <class T>
double ulp(double x) {
  const int exponent = x == 0 ? Format<T>::least_exponent : std::max(std::ilogb(x), Format<T>::least_exponent);
  return std::ldexp(1.0, exponent - Format<T>::digits + 1);
}

/// What a pattern says, by the definition of the formats.
template <class T>
double meaning(std::uint16_t bits) {
  constexpr int stored = Format<T>::digits - 1, exponents = (1 << (15 - stored)) - 1;
  const int field = (bits & 0x7FFF) >> stored, mantissa = bits & ((1 << stored) - 1);
  const double sign = bits >> 15 == 0 ? 1 : -1;
  if (field == exponents) return mantissa == 0 ? sign * HUGE_VAL : std::numeric_limits<double>::quiet_NaN();
  const int whole = field == 0 ? mantissa : mantissa + (1 << stored);
  return sign * std::ldexp(whole, std::max(field, 1) - 1 + Format<T>::least_exponent - stored);
}

class Narrow : public testing::TestWithParam<Isa> {};

template <class T>
void compare_widening(Isa isa) {
  const std::vector<T> all = all_patterns<T>();
  std::vector<float> wide(all.size());
  widen(all.data(), wide.data(), all.size(), isa);
  for (std::size_t i = 0; i < all.size(); ++i)
    ASSERT_TRUE(same(static_cast<double>(wide[i]), meaning<T>(all[i].bits))) << Format<T>::name << " " << i;
}

TEST_P(Narrow, EveryPatternIsWidenedExactly) {
  compare_widening<BFloat16>(GetParam());
  compare_widening<Float16>(GetParam());
}

/// The numbers themselves, the middles of neighbours, and the floats next to all of them.
template <class T>
std::vector<float> numbers_and_middles() {
  std::vector<float> numbers;
  const double infinity = HUGE_VAL;
  for (std::size_t i = 0; i < pattern_count; ++i) {
    const double x = meaning<T>(static_cast<std::uint16_t>(i));
    if (!std::isfinite(x)) continue;
    for (const double y : {x, x + std::copysign(ulp<T>(x) / 2, x)}) {
      const auto f = static_cast<float>(y);
      numbers.insert(numbers.end(), {f, std::nextafter(f, static_cast<float>(infinity)),
                                     std::nextafter(f, static_cast<float>(-infinity))});
    }
  }
  for (const std::uint32_t bits : {0x7F800000u, 0xFF800000u, 0x7FC00000u, 0x7F800001u, 0xFFFFFFFFu, 0x7F7FFFFFu, 1u})
    numbers.push_back(std::bit_cast<float>(bits));
  const std::vector<float> mixed = mixed_inputs(20000, 31);
  numbers.insert(numbers.end(), mixed.begin(), mixed.end());
  return numbers;
}

/// To the nearest multiple of the ulp, ties to even, infinity from half an ulp beyond the largest.
template <class T>
double rounded(float x) {
  if (!std::isfinite(x)) return static_cast<double>(x);
  const double unit = ulp<T>(static_cast<double>(x)), nearest = std::nearbyint(static_cast<double>(x) / unit) * unit;
  const double beyond = std::ldexp(1.0, 2 - Format<T>::least_exponent);
  return std::copysign(std::abs(nearest) >= beyond ? HUGE_VAL : std::abs(nearest), static_cast<double>(x));
}

template <class T>
void compare_narrowing(Isa isa) {
  const std::vector<float> numbers = numbers_and_middles<T>();
  std::vector<T> narrowed(numbers.size());
  narrow(numbers.data(), narrowed.data(), numbers.size(), isa);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    ASSERT_TRUE(same(meaning<T>(narrowed[i].bits), rounded<T>(numbers[i])))
        << Format<T>::name << " of " << numbers[i] << ": " << meaning<T>(narrowed[i].bits);
}

TEST_P(Narrow, FloatsAreRoundedToNearestEven) {
  compare_narrowing<BFloat16>(GetParam());
  compare_narrowing<Float16>(GetParam());
}

template <class T>
void convert_at_every_size(Isa isa) {
  const std::vector<T> from = mixed_inputs<T>(Buffer<T>::max_size, 32);
  Buffer<T> narrow_buffer;
  Buffer<float> wide_buffer;
  for (std::size_t n = 0; n <= Buffer<T>::max_size; ++n) {
    const std::size_t offset = n % Buffer<T>::offsets, other = (3 * n + 1) % Buffer<T>::offsets;
    wide_buffer.clear();
    widen(narrow_buffer.fill(offset, from, n), wide_buffer.at(other), n, isa);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(static_cast<double>(wide_buffer.at(other)[i]), number(from[i]));
    ASSERT_TRUE(wide_buffer.guards_untouched(other, n));
    narrow_buffer.clear();
    narrow(wide_buffer.at(other), narrow_buffer.at(offset), n, isa);
    ASSERT_EQ(first_difference(narrow_buffer.at(offset), from.data(), n), n);
    ASSERT_TRUE(narrow_buffer.guards_untouched(offset, n));
  }
}

TEST_P(Narrow, ConversionsStayInsideTheirArrays) {
  convert_at_every_size<BFloat16>(GetParam());
  convert_at_every_size<Float16>(GetParam());
}

/// The f32 loop on the widened numbers, its results rounded; the same sums.
template <class T>
void compare_with_f32(Isa isa, Loop loop, const Case& c) {
  const std::size_t n = 3 * sum_block + 517;
  const std::vector<T> z = mixed_inputs<T>(n, 33), grad = gradients<T>(n, 34), v = gradients<T>(n, 35);
  const auto wide_z = all_as<float>(z), wide_grad = all_as<float>(grad), wide_v = all_as<float>(v);
  std::vector<T> first(n), second(n);
  std::vector<float> wide_first(n), wide_second(n);
  const auto sums = run<T>(loop, c, {z.data(), grad.data(), v.data(), first.data(), second.data(), n}, isa);
  const auto wide_sums = run<float>(
      loop, c, {wide_z.data(), wide_grad.data(), wide_v.data(), wide_first.data(), wide_second.data(), n}, isa);
  ASSERT_EQ(first_difference(first.data(), all_as<T>(wide_first).data(), n), n) << c.name();
  ASSERT_EQ(first_difference(second.data(), all_as<T>(wide_second).data(), n), n) << c.name();
  ASSERT_EQ(first_difference(sums.data(), wide_sums.data(), max_parameters), max_parameters) << c.name();
}

TEST_P(Narrow, KernelsAreThoseOfF32RoundedOnce) {
  for (const Case& c : all_cases())
    for (const Loop loop : all_loops) {
      compare_with_f32<BFloat16>(GetParam(), loop, c);
      compare_with_f32<Float16>(GetParam(), loop, c);
    }
}

INSTANTIATE_TEST_SUITE_P(Isa, Narrow, testing::ValuesIn(supported_isas()),
                         [](const auto& test) { return std::string(name(test.param)); });

struct Count {
  std::size_t off = 0;  ///< not the nearest number
  double worst = 0;     ///< in ulp
};

/// Counts one result; an exact one beyond the largest number is infinity. terms() is the largest term of a sum.
template <class T, class Terms>
void judge(T got, double exact, Count& count, const Terms& terms) {
  if (std::isnan(exact)) {
    ASSERT_TRUE(std::isnan(number(got)));
    return;
  }
  const double beyond = std::ldexp(1.0, 2 - Format<T>::least_exponent), held = std::clamp(exact, -beyond, beyond);
  const double error = std::abs(std::clamp(number(got), -beyond, beyond) - held);
  const auto unit = [&](double size) { return ulp<T>(std::min(size, beyond / 2)); };
  const bool off = error > unit(std::abs(held)) / 2;
  count.off += off;
  count.worst = std::max(count.worst, error / unit(off ? std::max(std::abs(held), terms()) : std::abs(held)));
}

/// The larger of F and z f, whose sum the slope is, or 0 where there is no law.
double terms_of_slope(const Case& c, const std::vector<double>& parameters, double z) {
  const auto exact = evaluate(c.id, parameters.data(), z);
  const double gate = exact.gate.value_or(0), bend = std::abs(z * exact.density.value_or(0));
  return std::isfinite(bend) ? std::max(gate, bend) : gate;
}

/// Values and slopes of every pattern against the f64 kernel.
template <class T>
void judge_all_patterns(const Case& c) {
  const std::vector<T> z = all_patterns<T>(), ones(z.size(), as<T>(1));
  const auto wide_z = all_as<double>(z), wide_ones = all_as<double>(ones);
  const std::vector<double> parameters(c.parameters.begin(), c.parameters.end());
  std::vector<T> values(z.size()), slopes(z.size());
  std::vector<double> exact_values(z.size()), exact_slopes(z.size());
  forward(c.id, c.of<T>(), z.data(), values.data(), z.size());
  forward(c.id, parameters.data(), wide_z.data(), exact_values.data(), z.size());
  backward(c.id, c.of<T>(), z.data(), ones.data(), slopes.data(), nullptr, z.size());
  backward(c.id, parameters.data(), wide_z.data(), wide_ones.data(), exact_slopes.data(), nullptr, z.size());
  Count value, slope;
  for (std::size_t i = 0; i < z.size(); ++i) {
    judge(values[i], exact_values[i], value, [] { return 0.0; });
    judge(slopes[i], exact_slopes[i], slope, [&] { return terms_of_slope(c, parameters, wide_z[i]); });
  }
  std::printf("%4s %-30s values %5zu off, worst %.4f ulp; slopes %5zu off, worst %.4f ulp\n", Format<T>::name,
              c.name().c_str(), value.off, value.worst, slope.off, slope.worst);
  EXPECT_LE(value.worst, 0.51) << Format<T>::name << " " << c.name();
  EXPECT_LE(slope.worst, 0.51) << Format<T>::name << " " << c.name();
}

// Of 65,536 numbers some hundred are so near a middle between neighbours that f32, rounded, falls on its other side.
TEST(NarrowAccuracy, EveryPattern) {
  for (const Case& c : all_cases()) {
    judge_all_patterns<BFloat16>(c);
    judge_all_patterns<Float16>(c);
  }
}

}  // namespace
}  // namespace limen::kernels
