// Part of limen. SPDX-License-Identifier: MIT
//
// The golden values were computed by a separate program in another language from the recipes in random.h. They belong
// to rng = 1: a change that breaks one of them needs a new number.
#include "limen/math/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace limen::math {
namespace {

TEST(Philox, AnswersKnownFromTheRandom123Distribution) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8}));
  constexpr std::uint32_t ones = 0xFFFFFFFF;
  EXPECT_EQ(philox({ones, ones, ones, ones}, {ones, ones}), (Words{0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD}));
  EXPECT_EQ(philox({0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344}, {0xA4093822, 0x299F31D0}),
            (Words{0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1}));
}

TEST(Fnv1a, AnswersKnownFromItsAuthors) {
  EXPECT_EQ(fnv1a(""), 0xCBF29CE484222325U);
  EXPECT_EQ(fnv1a("a"), 0xAF63DC4C8601EC8CU);
  EXPECT_EQ(fnv1a("foobar"), 0x85944171F73967E8U);
}

TEST(MultiplyHigh, KeepsEveryCarry) {
  constexpr std::uint64_t most = ~std::uint64_t{0};
  EXPECT_EQ(multiply_high(most, most), most - 1);
  EXPECT_EQ(multiply_high(most, 1), 0U);
  EXPECT_EQ(multiply_high(std::uint64_t{1} << 63, 6), 3U);
  EXPECT_EQ(multiply_high(0x00000001FFFFFFFF, 0xFFFFFFFFFFFFFFFF), 0x1FFFFFFFEU);
}

TEST(NormalQuantile, WithinItsBoundOfHighPrecisionValues) {
  // From a 40-digit solution of Phi(z) = p.
  const std::pair<double, double> known[] = {{0x1p-1022, -37.519379347144499821}, {1e-300, -37.047096299361199237},
                                             {0x1p-33, -6.3379577545537892525},   {1e-5, -4.2648907939228246102},
                                             {0.01, -2.3263478740408410931},      {0.0749, -1.4402382675279636631},
                                             {0.0751, -1.4388253927525399824},    {0.3, -0.52440051270804081597},
                                             {0.9, 1.2815515655446005935},        {1 - 0x1p-33, 6.3379577545537892525}};
  for (const auto& [p, z] : known) EXPECT_NEAR(normal_quantile(p), z, 1e-15 * std::fabs(z)) << p;
  EXPECT_EQ(normal_quantile(0.5), 0);
}

TEST(NormalQuantile, InvertsTheDistributionFunction) {
  double worst = 0;
  for (int i = 1; i < 20000; ++i) {
    const double p = i / 40000.0, z = normal_quantile(p);
    worst = std::max(worst, std::fabs(0.5 * std::erfc(-z * std::sqrt(0.5)) / p - 1));
    ASSERT_EQ(normal_quantile(1 - p), -normal_quantile(1 - (1 - p)));
  }
  EXPECT_LT(worst, 1e-14);  // the condition of p at z = -4, about 17, times the quantile's error
}

TEST(Golden, Blocks) {
  const Stream stream(0x0123456789ABCDEF, Purpose::dropout, 7, 11);
  EXPECT_EQ(stream.block(0), (Words{0x2D2BABB3, 0x4EF5C598, 0x2756681F, 0x42F6ED29}));
  EXPECT_EQ(stream.block((std::uint64_t{5} << 32) + 3), (Words{0x5E874114, 0x43F79442, 0x1481F4E3, 0xE72BBE37}));
  EXPECT_EQ(stream.word(2), 0x2756681FU);
}

TEST(Golden, UniformAndBelow) {
  const Stream stream(1, Purpose::train_batches, 0, 3);
  const float uniform[] = {0x1.9fae8p-3F, 0x1.490494p-1F, 0x1.895c7cp-1F, 0x1.8bb6p-8F, 0x1.4a9c28p-2F, 0x1.fc9d3ep-1F};
  for (std::size_t i = 0; i < std::size(uniform); ++i) EXPECT_EQ(stream.uniform(i), uniform[i]) << i;
  const std::uint64_t below[] = {645005, 6060, 997085, 612001, 693749, 617978, 562205, 993283};
  for (std::size_t i = 0; i < std::size(below); ++i) EXPECT_EQ(stream.below(1003723, i), below[i]) << i;
  EXPECT_EQ(stream.below(~std::uint64_t{0}, 5), 11357406702944563597U);
  EXPECT_EQ(stream.below(1, 5), 0U);
}

TEST(Golden, Weights) {
  const Stream stream = Stream::weights(42, "blocks.0.feed_forward.weight");
  const double normal[] = {0x1.92b67d47edbffp-5, -0x1.191b02316e58dp+0, -0x1.e35a8d2bc219dp-2};
  for (std::size_t i = 0; i < std::size(normal); ++i)
    EXPECT_NEAR(stream.normal(i), normal[i], 1e-15 * std::fabs(normal[i])) << i;
  const std::vector<float> expected = {0x1.01bc7ap-10F, -0x1.67d0a6p-6F, -0x1.3558acp-7F,  -0x1.472fdcp-6F,
                                       0x1.059596p-6F,  0x1.ef851cp-7F,  -0x1.7feb6cp-10F, -0x1.2cb328p-5F};
  std::vector<float> weights(8);
  stream.fill_normal(weights, 0, 0.02);
  EXPECT_EQ(weights, expected);
  weights.resize(5);
  stream.fill_uniform(weights, -0.25, 0.25);
  EXPECT_EQ(weights,
            (std::vector<float>{0x1.41304p-7F, -0x1.74a588p-3F, -0x1.73ce3p-4F, -0x1.5d29f8p-3F, 0x1.268d94p-3F}));
}

TEST(Golden, Dropout) {
  const Stream stream(9, Purpose::dropout, 2, 100);
  const DropoutRate rate(0.1);
  EXPECT_EQ(rate.n(), 6554U);
  EXPECT_EQ(rate.scale(), 0x1.1c7246p+0F);
  std::vector<std::uint8_t> kept(64);
  stream.fill_kept<std::uint8_t>(kept, rate, 1);
  std::string text;
  for (const auto k : kept) text += static_cast<char>('0' + k);
  EXPECT_EQ(text, "1111111111111111111111101111110111111111101111111111111111111101");
  kept.resize(10000);
  stream.fill_kept<std::uint8_t>(kept, rate, 1);
  EXPECT_EQ(std::accumulate(kept.begin(), kept.end(), 0), 8949);
}

std::vector<std::int64_t> permutation(const Stream& stream, std::size_t n) {
  std::vector<std::int64_t> order(n);
  stream.fill_permutation(order);
  return order;
}

TEST(Golden, Permutation) {
  EXPECT_EQ(permutation(Stream(5, Purpose::shuffle), 12),
            (std::vector<std::int64_t>{2, 4, 0, 10, 1, 7, 11, 5, 3, 8, 9, 6}));
  EXPECT_TRUE(permutation(Stream(5, Purpose::shuffle), 0).empty());
}

// Each coordinate of a stream, at the ends of its range, gives blocks of its own: in particular no seed with one
// purpose is another seed with another purpose.
TEST(Stream, CoordinatesNeverMeet) {
  std::set<Words> seen;
  std::size_t streams = 0;
  const std::uint32_t ends[] = {0, 1, 0x80000000, 0xFFFFFFFF};
  for (const std::uint64_t seed :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{3} << 56, std::uint64_t{1} << 57, ~std::uint64_t{0}})
    for (const auto purpose :
         {Purpose::weights, Purpose::train_batches, Purpose::evaluation_batches, Purpose::occupancy})
      for (const std::uint32_t site : ends)
        for (const std::uint32_t step : ends)
          for (const std::uint64_t block :
               {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 32, (std::uint64_t{1} << 56) - 1}) {
            seen.insert(Stream(seed, purpose, site, step).block(block));
            ++streams;
          }
  EXPECT_EQ(seen.size(), streams);
}

TEST(Stream, ArraysHoldTheSingleDrawsWhateverTheirLength) {
  const Stream stream(3, Purpose::dropout, 1, 2);
  const DropoutRate rate(0.3);
  for (const std::size_t size : {0, 1, 3, 4, 7, 255, 256, 257, 1000}) {
    std::vector<float> normal(size), uniform(size), kept(size);
    stream.fill_normal(normal, 1, 2);
    stream.fill_uniform(uniform, 2, 4);
    for (const std::uint64_t first : {0, 1, 7, 8, 1000}) {
      stream.fill_kept<float>(kept, rate, rate.scale(), first);
      for (std::size_t i = 0; i < size; ++i)
        ASSERT_EQ(kept[i], stream.keep(rate, first + i) ? rate.scale() : 0) << size << ' ' << i;
    }
    for (std::size_t i = 0; i < size; ++i) {
      ASSERT_EQ(normal[i], static_cast<float>(1 + 2 * stream.normal(i)));
      ASSERT_EQ(uniform[i], 2 + 2 * stream.uniform(i));
    }
  }
}

TEST(Stream, DropoutMasksCrossThe32BitBlockEdge) {
  const Stream stream(3, Purpose::dropout);
  const DropoutRate rate(0.5);
  const std::uint64_t first = (std::uint64_t{1} << 35) - 40;  // five blocks before block 2^32
  std::vector<std::uint8_t> kept(300);
  stream.fill_kept<std::uint8_t>(kept, rate, 1, first);
  for (std::size_t i = 0; i < kept.size(); ++i) ASSERT_EQ(kept[i] == 1, stream.keep(rate, first + i)) << i;
}

TEST(DropoutRate, RoundsToSixteenBits) {
  EXPECT_EQ(DropoutRate(0).n(), 0U);
  EXPECT_EQ(DropoutRate(0).scale(), 1);
  EXPECT_EQ(DropoutRate(0.5).n(), 32768U);
  EXPECT_EQ(DropoutRate(0.5).scale(), 2);
  EXPECT_EQ(DropoutRate(1).n(), 65536U);
  EXPECT_EQ(DropoutRate(1).scale(), 0);
  const Stream stream(1, Purpose::dropout);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    EXPECT_TRUE(stream.keep(DropoutRate(0), i));
    EXPECT_FALSE(stream.keep(DropoutRate(1), i));
  }
}

TEST(DropoutRate, KeepsTheDecisionThatEqualsIt) {
  const Stream stream(9, Purpose::dropout, 2, 100);
  constexpr double first_half = 43318;  // the low half of the stream's first word
  for (const auto& [n, expected] : {std::pair(first_half, true), std::pair(first_half + 1, false)}) {
    const DropoutRate rate(n / 65536);
    EXPECT_EQ(stream.keep(rate, 0), expected);
    std::uint8_t kept = 2;
    stream.fill_kept<std::uint8_t>(std::span(&kept, 1), rate, 1);
    EXPECT_EQ(kept == 1, expected);
  }
}

// The draws are fixed, so these cannot fail by chance; the bounds are about four standard errors.
TEST(Statistics, UniformFillsItsIntervalEvenly) {
  const Stream stream(7, Purpose::augmentation);
  constexpr int n = 1 << 17, bins = 64;
  std::vector<int> count(bins);
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double u = stream.uniform(static_cast<std::uint64_t>(i));
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
    ++count[static_cast<std::size_t>(u * bins)];
  }
  EXPECT_NEAR(sum / n, 0.5, 4 / std::sqrt(12.0 * n));
  double chi_squared = 0;
  for (const int c : count) chi_squared += (c - double{n} / bins) * (c - double{n} / bins) * bins / n;
  EXPECT_NEAR(chi_squared, bins - 1, 4 * std::sqrt(2.0 * (bins - 1)));
}

TEST(Statistics, NormalHasItsMomentsAndNeighboursAreIndependent) {
  const Stream stream(7, Purpose::weights);
  constexpr int n = 1 << 17;
  double moment[5] = {}, product = 0, before = 0;
  for (int i = 0; i < n; ++i) {
    const double z = stream.normal(static_cast<std::uint64_t>(i));
    double power = 1;
    for (double& m : moment) m += power / n, power *= z;
    product += z * before / n;
    before = z;
  }
  const double error = 4 / std::sqrt(double{n});
  EXPECT_NEAR(moment[1], 0, error);
  EXPECT_NEAR(moment[2], 1, error * std::sqrt(2.0));
  EXPECT_NEAR(moment[3], 0, error * std::sqrt(15.0));
  EXPECT_NEAR(moment[4], 3, error * std::sqrt(96.0));
  EXPECT_NEAR(product, 0, error);
}

TEST(Statistics, DropoutDropsItsShareInEveryLane) {
  const Stream stream(7, Purpose::dropout);
  constexpr std::size_t n = 1 << 18;
  std::vector<std::uint8_t> kept(n);
  stream.fill_kept<std::uint8_t>(kept, DropoutRate(0.25), 1);
  for (std::size_t lane = 0; lane < 8; ++lane) {
    std::size_t count = 0;
    for (std::size_t i = lane; i < n; i += 8) count += kept[i];
    EXPECT_NEAR(static_cast<double>(count) / (n / 8), 0.75, 4 * std::sqrt(0.25 * 0.75 / (n / 8))) << lane;
  }
}

TEST(Statistics, EveryPermutationOfFourIsAsLikely) {
  std::vector<std::vector<std::int64_t>> drawn;
  constexpr int n = 24 * 400;
  for (std::uint32_t step = 0; step < n; ++step) drawn.push_back(permutation(Stream(11, Purpose::shuffle, 0, step), 4));
  std::vector<std::int64_t> order = {0, 1, 2, 3};
  double chi_squared = 0;
  do {
    const auto count = std::count(drawn.begin(), drawn.end(), order);
    chi_squared += static_cast<double>((count - 400) * (count - 400)) / 400;
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_NEAR(chi_squared, 23, 4 * std::sqrt(46.0));
}

}  // namespace
}  // namespace limen::math
