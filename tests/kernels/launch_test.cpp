// Part of limen. SPDX-License-Identifier: MIT
//
// What CUDA kernels do, on the host: every thread of small launches, and the arithmetic of large ones. The numbers of
// rows are those of the issues in other projects that the tests keep from happening here.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "kernels/cuda/launch.h"

namespace limen::cuda {
namespace {

/// How often each element is visited, and whether what is moved as a vector lies where a vector may.
struct Visits {
  std::vector<int> of_element;
  std::vector<int> of_slot;
  bool vectors_aligned = true;
};

Visits by_slices(Shape shape, int width, int in_vectors, std::int64_t blocks) {
  const Slices slices(shape);
  Visits visits{std::vector<int>(static_cast<std::size_t>(shape.n)),
                std::vector<int>(static_cast<std::size_t>(slices.count()))};
  for (std::int64_t block = 0; block < blocks; ++block)
    for (std::int64_t slice = block; slice < slices.count(); slice += blocks) {
      ++visits.of_slot[static_cast<std::size_t>(slice)];
      for (int thread = 0; thread < threads; ++thread)
        for (Walk walk = slices.walk(slice, thread, width); walk.more(); walk.next()) {
          if (walk.count() == in_vectors && walk.first() % width != 0) visits.vectors_aligned = false;
          for (std::int64_t i = walk.first(); i < walk.first() + walk.count(); ++i) {
            EXPECT_EQ(slices.channel(slice), i / shape.run % shape.channels);
            ++visits.of_element[static_cast<std::size_t>(i)];
          }
        }
    }
  return visits;
}

Visits by_columns(Shape shape, std::int64_t blocks) {
  const Columns columns(shape);
  Visits visits{std::vector<int>(static_cast<std::size_t>(shape.n)),
                std::vector<int>(static_cast<std::size_t>(columns.count()))};
  for (std::int64_t block = 0; block < blocks; ++block)
    for (int thread = 0; thread < threads; ++thread)
      for (auto unit = Columns::first_unit(block, thread); unit < columns.count(); unit += Columns::stride(blocks)) {
        ++visits.of_slot[static_cast<std::size_t>(unit)];
        for (Walk walk = columns.walk(unit); walk.more(); walk.next()) {
          EXPECT_EQ(walk.count(), 1);
          EXPECT_EQ(columns.channel(unit), walk.first() / shape.run % shape.channels);
          ++visits.of_element[static_cast<std::size_t>(walk.first())];
        }
      }
  return visits;
}

void expect_once(const Visits& visits, Shape shape) {
  const std::vector<int> elements(visits.of_element.size(), 1), slots(visits.of_slot.size(), 1);
  EXPECT_EQ(visits.of_element, elements) << shape.n << ", " << shape.channels << " channels, runs of " << shape.run;
  EXPECT_EQ(visits.of_slot, slots) << shape.n << ", " << shape.channels << " channels, runs of " << shape.run;
  EXPECT_TRUE(visits.vectors_aligned);
}

/// Each slot belongs to one part of one channel.
void expect_all_parts(Parts parts, std::int64_t channels, std::int64_t slots) {
  std::vector<int> of_slot(static_cast<std::size_t>(slots)), once(of_slot.size(), 1);
  for (std::int64_t channel = 0; channel < channels; ++channel)
    for (std::int64_t t = 0; t < parts.count; ++t) ++of_slot.at(static_cast<std::size_t>(parts.slot(channel, t)));
  EXPECT_EQ(of_slot, once);
}

TEST(Launch, EveryElementIsVisitedOnce) {
  for (const std::int64_t n : {1, 2, 3, 4, 7, 8, 9, 255, 257, 1023, 1025, 4095, 4096, 4097, 8191, 12291})
    for (const int width : {2, 4, 8})
      for (const std::int64_t blocks : {std::int64_t{1}, std::int64_t{2}, Slices({n, 1, n}).blocks()})
        expect_once(by_slices({n, 1, n}, width, width, blocks), {n, 1, n});
}

TEST(Launch, LongRunsOfChannelsAreVisitedOnce) {
  for (const Shape shape : {Shape{3 * 2 * 1031, 3, 1031}, Shape{2 * 5000, 2, 5000}, Shape{4 * 3 * 1032, 3, 1032}}) {
    const int in_vectors = vectors_fit(shape, 0, sizeof(float)) ? 4 : 0;
    expect_once(by_slices(shape, 4, in_vectors, 2), shape);
    const Slices slices(shape);
    expect_all_parts(slices.parts(), shape.channels, slices.count());
  }
}

TEST(Launch, ShortRunsAreVisitedOnce) {
  for (const Shape shape :
       {Shape{64, 64, 1}, Shape{64 * 37, 64, 1}, Shape{3 * 49 * 20, 3, 49}, Shape{2 * 17 * 1001, 2, 17}}) {
    const Columns columns(shape);
    for (const std::int64_t blocks : {std::int64_t{1}, std::int64_t{3}, columns.blocks()})
      expect_once(by_columns(shape, blocks), shape);
    expect_all_parts(columns.parts(), shape.channels, columns.count());
  }
}

// The grid does not decide which elements a slot gathers.
TEST(Launch, SlotsDependOnTheShapeAlone) {
  const Shape shape{64 * 3001, 64, 1};
  EXPECT_EQ(Columns(shape).count() % 64, 0);
  EXPECT_EQ(Slices({100000, 1, 100000}).count(), 25);
}

// One array that is not aligned is enough, and so is a run that shifts the next one.
TEST(Launch, Row41_VectorsOnlyWhereEveryArrayIsAligned) {
  const Shape one{1024, 1, 1024};
  for (std::uintptr_t offset = 0; offset < 64; ++offset) {
    const std::uintptr_t z = 4096, out = 8192 + offset;
    EXPECT_EQ(vectors_fit(one, z | out, 2), offset % 16 == 0) << offset;
  }
  EXPECT_TRUE(vectors_fit({3 * 1032, 3, 1032}, 4096, 2));
  EXPECT_FALSE(vectors_fit({3 * 1031, 3, 1031}, 4096, 2));
  EXPECT_FALSE(vectors_fit({3 * 1030, 3, 1030}, 4096, 4));
  // x[1:1025] of bf16: no chunk is moved as a vector, and every element is there.
  const int in_vectors = vectors_fit(one, 4096 + 2, 2) ? vector_width<std::uint16_t> : 0;
  EXPECT_EQ(in_vectors, 0);
  expect_once(by_slices(one, vector_width<std::uint16_t>, in_vectors, 1), one);
}

TEST(Launch, Row43_NoBlocksForNoElements) {
  EXPECT_EQ(blocks_for(0, 1), 0);
  EXPECT_EQ(blocks_for(0, threads), 0);
  EXPECT_EQ(blocks_for(1, threads), 1);
  EXPECT_EQ(blocks_for(threads + 1, threads), 2);
}

constexpr std::int64_t two_31 = std::int64_t{1} << 31, two_32 = std::int64_t{1} << 32;
constexpr std::int64_t large_counts[] = {two_31 - 1, two_31, two_31 + 5, two_32, two_32 + 3, two_32 + 7};

// Slices lie end to end from 0 to n, threads of a slice likewise, and blocks stride over all slices.
TEST(Launch, Row45_IndicesBeyond32BitsDoNotWrap) {
  for (const std::int64_t n : large_counts)
    for (const int width : {2, 4, 8}) {
      const Slices slices({n, 1, n});
      const std::int64_t last = slices.count() - 1;
      EXPECT_EQ(slices.count(), (n + Slices::span - 1) / Slices::span);
      for (const std::int64_t slice : {std::int64_t{0}, last / 2, (two_31 - 1) / Slices::span, last - 1, last}) {
        if (slice > last) continue;
        EXPECT_EQ(slices.walk(slice, 0, width).first(), slice * Slices::span) << n;
        std::int64_t visited = 0, highest = 0;
        for (int thread = 0; thread < threads; ++thread)
          for (Walk walk = slices.walk(slice, thread, width); walk.more(); walk.next()) {
            visited += walk.count();
            highest = std::max(highest, walk.first() + walk.count());
          }
        EXPECT_EQ(visited, std::min(Slices::span, n - slice * Slices::span)) << n;
        EXPECT_EQ(highest, std::min(n, (slice + 1) * Slices::span)) << n;
      }
    }
}

TEST(Launch, Row45_ColumnsBeyond32BitsDoNotWrap) {
  for (const std::int64_t n : large_counts) {
    const std::int64_t channels = n % 64 == 0 ? 64 : n;  // 2^31 - 1 is prime
    const Shape shape{n, channels, 1};
    const Columns columns(shape);
    std::int64_t highest = 0;
    for (const std::int64_t unit : {columns.count() - channels, columns.count() - 1})
      for (Walk walk = columns.walk(unit); walk.more(); walk.next()) {
        EXPECT_EQ(walk.first() % channels, unit % channels);
        highest = std::max(highest, walk.first());
      }
    EXPECT_EQ(highest, n - 1);
    // The last thread of the grid steps to units of its own, in 64 bits.
    const std::int64_t blocks = columns.blocks();
    EXPECT_EQ(Columns::first_unit(blocks - 1, threads - 1) + 1, Columns::stride(blocks));
    EXPECT_EQ(Columns::first_unit(std::int64_t{1} << 25, 5), (std::int64_t{1} << 33) + 5);
  }
}

TEST(Launch, Row47_GridsAreNeverEmptyNorTooLarge) {
  for (const std::int64_t n : large_counts) {
    for (const std::int64_t each : {std::int64_t{1}, std::int64_t{threads}}) {
      EXPECT_GE(blocks_for(n, each), 1);
      EXPECT_LE(blocks_for(n, each), two_31 - 1) << "the most that CUDA takes";
      EXPECT_EQ(blocks_for(n, each), most_blocks);
    }
    const Slices slices({n, 1, n});
    EXPECT_GE(slices.blocks(), 1);
    EXPECT_LE(slices.blocks(), most_blocks);
    EXPECT_GE(slices.blocks(), std::min(slices.count(), most_blocks)) << "fewer blocks than slices and the grid allow";
    std::int64_t visited = 0;
    for (const std::int64_t block : {std::int64_t{0}, slices.blocks() - 1})
      for (std::int64_t slice = block; slice < slices.count(); slice += slices.blocks()) visited = slice;
    EXPECT_LT(visited, slices.count());
    EXPECT_GE(visited + slices.blocks(), slices.count());
    EXPECT_EQ(slices.parts().count, slices.count());
    EXPECT_EQ(slices.parts().slot(0, slices.count() - 1), slices.count() - 1);
  }
}

}  // namespace
}  // namespace limen::cuda
