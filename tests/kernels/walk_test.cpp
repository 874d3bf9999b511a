// Part of limen. SPDX-License-Identifier: MIT
//
// Walks over any layout: every element once, in its channel, whatever its place in memory; counts beyond 32 bits.
#include "limen/walk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace limen::kernels {
namespace {

using Sizes = std::vector<std::int64_t>;

Sizes row_major(const Sizes& sizes) {
  Sizes strides(sizes.size(), 1);
  for (std::size_t d = sizes.size(); d-- > 1;) strides[d - 1] = strides[d] * std::max<std::int64_t>(1, sizes[d]);
  return strides;
}

/// The strides of an array whose dimensions lie in memory in a random order, with gaps or repeated ones.
Sizes random_strides(const Sizes& sizes, std::mt19937& draw) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::shuffle(order, draw);
  Sizes strides(sizes.size());
  std::int64_t next = draw() % 4 == 0 ? 2 : 1;
  for (const std::size_t d : order) {
    strides[d] = next;
    next *= sizes[d] + (draw() % 4 == 0 ? 3 : 0);
    if (draw() % 6 == 0) strides[d] = 0;
  }
  return strides;
}

/// Visits every element and compares what the walk says with what the element's place in row-major order says. The
/// first operand is in row-major order or not, the second is; `others` follow.
void expect_each_once(const Sizes& sizes, std::int64_t axis, const std::vector<Sizes>& all, std::size_t place,
                      bool direct) {
  std::vector<Strides> strides(all.begin(), all.end());
  const Walk walk(sizes, axis, strides, direct);
  const Sizes plain = row_major(sizes);
  const std::int64_t total = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies());
  std::vector<int> visits(static_cast<std::size_t>(total));
  for (std::int64_t i = 0; i < walk.tiles(); ++i) {
    const Tile tile = walk.tile(i);
    ASSERT_LE(tile.extent.channels * tile.extent.rows * tile.extent.columns, direct ? direct_elements : tile_elements);
    ASSERT_LE(tile.extent.channels, walk.channels_of_tile());
    const auto offset = [&](std::size_t operand, std::int64_t c, std::int64_t row, std::int64_t column) {
      const Block& stride = walk.strides(operand);
      return tile.offset[operand] + c * stride.channels + row * stride.rows + column * stride.columns;
    };
    for (std::int64_t c = 0; c < tile.extent.channels; ++c)
      for (std::int64_t row = 0; row < tile.extent.rows; ++row)
        for (std::int64_t column = 0; column < tile.extent.columns; ++column) {
          const std::int64_t at = offset(place, c, row, column);
          ASSERT_GE(at, 0);
          ASSERT_LT(at, total);
          ++visits[static_cast<std::size_t>(at)];
          const auto index = [&](std::size_t d) { return at / plain[d] % sizes[d]; };
          if (axis >= 0) {
            ASSERT_EQ(tile.channel + c, index(static_cast<std::size_t>(axis)));
          }
          for (std::size_t operand = 0; operand < all.size(); ++operand) {
            std::int64_t expected = 0;
            for (std::size_t d = 0; d < sizes.size(); ++d) expected += index(d) * all[operand][d];
            ASSERT_EQ(offset(operand, c, row, column), expected) << "operand " << operand;
          }
        }
  }
  EXPECT_TRUE(std::ranges::all_of(visits, [](int count) { return count == 1; }));
}

TEST(Walk, MeetsEveryElementOnceInItsChannel) {
  std::mt19937 draw(5);
  const std::vector<Sizes> shapes = {{},          {1},          {5000},       {3, 1, 2},    {70, 3},         {3, 4000},
                                     {2, 64, 49}, {5, 17, 130}, {4, 3, 2, 5}, {300, 7, 11}, {2, 3, 1, 4, 5}, {33, 65}};
  for (const Sizes& sizes : shapes)
    for (int round = 0; round < 12; ++round)
      for (std::int64_t axis = -1; axis < static_cast<std::int64_t>(sizes.size()); ++axis) {
        const Sizes dense = row_major(sizes);
        const bool direct = draw() % 2 == 0;
        SCOPED_TRACE("axis " + std::to_string(axis) + ", dimensions " + std::to_string(sizes.size()));
        const std::vector<Sizes> first = {dense, random_strides(sizes, draw), random_strides(sizes, draw)};
        expect_each_once(sizes, axis, first, 0, direct);
        const std::vector<Sizes> second = {random_strides(sizes, draw), dense, dense};
        expect_each_once(sizes, axis, second, 1, direct);
        if (testing::Test::HasFatalFailure()) return;
      }
}

TEST(Walk, Row43_HasNoTilesWithoutElements) {
  for (const Sizes& sizes : {Sizes{0}, Sizes{0, 8}, Sizes{4, 0}, Sizes{0, 3, 5}}) {
    const Sizes strides = row_major(sizes);
    const std::vector<Strides> both = {strides, strides};
    for (std::int64_t axis = -1; axis < static_cast<std::int64_t>(sizes.size()); ++axis)
      EXPECT_EQ(Walk(sizes, axis, both, true).tiles(), 0);
  }
  EXPECT_EQ(Walk(0, 2, true).tiles(), 0);
}

// No memory is needed to count: the tiles of 2^31 and more elements lie one behind the other up to the last one.
TEST(Walk, Row45_Row47_CountsBeyond32Bits) {
  constexpr std::int64_t two_31 = std::int64_t{1} << 31, two_32 = std::int64_t{1} << 32;
  for (const std::int64_t n : {two_31 - 1, two_31, two_31 + 5, two_32, two_32 + 3, two_32 + 7}) {
    for (const bool direct : {true, false}) {
      const Walk walk(n, 3, direct);
      std::int64_t end = 0;
      for (std::int64_t i = 0; i < walk.tiles(); ++i) {
        const Tile tile = walk.tile(i);
        ASSERT_EQ(tile.offset[2], end);
        end += tile.extent.columns;
      }
      EXPECT_EQ(end, n);
    }
    // One row of n and its neighbour, and the same turned: offsets as large as the arrays.
    for (const Sizes& strides : {Sizes{n, 1}, Sizes{1, 2}}) {
      const Sizes sizes = {2, n};
      const std::vector<Strides> all = {strides};
      const Walk walk(sizes, 0, all, false);
      const Tile last = walk.tile(walk.tiles() - 1);
      const Block& stride = walk.strides(0);
      EXPECT_EQ(
          last.offset[0] + (last.extent.channels - 1) * stride.channels + (last.extent.columns - 1) * stride.columns,
          2 * n - 1);
    }
  }
}

// Neighbours in memory are met together: a walk along the wrong dimension would read a cache line for each element.
TEST(Walk, GoesAlongMemory) {
  const Sizes sizes = {40, 3, 50, 60};
  const Sizes channels_last = {3 * 50 * 60, 1, 60 * 3, 3};
  const std::vector<Strides> both = {channels_last, channels_last};
  const Walk merged(sizes, -1, both, true);
  EXPECT_EQ(merged.tile(0).extent.columns, direct_elements);
  EXPECT_EQ(merged.strides(0).columns, 1);
  const Walk with_channels(sizes, 1, both, true);
  EXPECT_EQ(with_channels.tile(0).extent.channels, 3);
  EXPECT_EQ(with_channels.strides(0).columns, 3);
}

}  // namespace
}  // namespace limen::kernels
