// Part of limen. SPDX-License-Identifier: MIT
//
// Kernels on arrays of any layout give what the kernels give element by element; memory between the elements is left
// alone.
#include "limen/strided.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <vector>

#include "kernels/cases.h"
#include "limen/narrow.h"

namespace limen::kernels {
namespace {

using Sizes = std::vector<std::int64_t>;

/// Three dimensions in memory of their own.
template <class T>
struct Array {
  Sizes sizes, strides;
  std::vector<T> memory;

  Array(Sizes of, Sizes with, float fill) : sizes(std::move(of)), strides(std::move(with)) {
    std::int64_t size = 1;
    for (std::size_t d = 0; d < sizes.size(); ++d) size += (sizes[d] - 1) * strides[d];
    memory.assign(static_cast<std::size_t>(size), stored<T>(fill));
  }
  T& at(std::int64_t i, std::int64_t j, std::int64_t k) {
    return memory[static_cast<std::size_t>(i * strides[0] + j * strides[1] + k * strides[2])];
  }
};

constexpr float untouched = 77;

template <class T>
class Strided : public testing::Test {};
using Types = testing::Types<float, double, BFloat16, Float16>;
TYPED_TEST_SUITE(Strided, Types);

/// Layouts of [3, 5, 70]: row-major, gaps, turned, channels (the middle one) inside.
const std::vector<Sizes>& layouts() {
  static const std::vector<Sizes> all = {{350, 70, 1}, {1000, 190, 2}, {1, 3, 15}, {350, 1, 5}, {701, 1, 10}};
  return all;
}

template <class T>
std::vector<Channel<Compute<T>>> channels_of(const Case& c, std::size_t count) {
  std::vector<Channel<Compute<T>>> channels(count);
  for (auto& channel : channels)
    for (std::size_t k = 0; k < max_parameters; ++k) channel.parameter[k] = static_cast<Compute<T>>(c.wide[k]);
  channels[1].valid = false;
  return channels;
}

TYPED_TEST(Strided, ForwardIsThatOfEachElement) {
  using T = TypeParam;
  const std::vector<float> numbers = mixed_inputs(1050, 3);
  for (const Case& c : all_cases())
    for (const Sizes& from : layouts())
      for (const Sizes& to : layouts()) {
        Array<T> z({3, 5, 70}, from, 0), out({3, 5, 70}, to, untouched);
        std::size_t next = 0;
        for (std::int64_t i = 0; i < 3; ++i)
          for (std::int64_t j = 0; j < 5; ++j)
            for (std::int64_t k = 0; k < 70; ++k) z.at(i, j, k) = stored<T>(numbers[next++]);
        const auto channels = channels_of<T>(c, 5);
        const std::vector<Strides> strides = {out.strides, z.strides};
        const Walk walk(z.sizes, 1, strides, lies_direct<T>);
        for (std::int64_t tile = 0; tile < walk.tiles(); ++tile)
          forward(walk, tile, Channelwise<T>{c.id, channels}, z.memory.data(), out.memory.data());
        for (std::int64_t i = 0; i < 3; ++i)
          for (std::int64_t j = 0; j < 5; ++j)
            for (std::int64_t k = 0; k < 70; ++k) {
              T expected;
              forward(c.id, channels[static_cast<std::size_t>(j)].parameter.data(), &z.at(i, j, k), &expected, 1);
              const Compute<T> found = computed(out.at(i, j, k));
              ASSERT_TRUE(j == 1 ? std::isnan(found) : same(found, computed(expected))) << c.name();
              out.at(i, j, k) = stored<T>(untouched);
            }
        for (const T& left : out.memory) ASSERT_EQ(computed(left), untouched) << "written between the elements";
      }
}

// Whatever the layouts, a channel's gradients and sums are those of the same elements in a row.
TYPED_TEST(Strided, BackwardIsThatOfEachChannel) {
  using T = TypeParam;
  const std::vector<float> numbers = gradients(1050, 3), incoming = gradients(1050, 4);
  for (const Case& c : all_cases())
    for (const Sizes& from : layouts())
      for (const Sizes& to : layouts()) {
        Array<T> z({3, 5, 70}, from, 0), g({3, 5, 70}, to, 0), out({3, 5, 70}, from, untouched);
        std::vector<std::vector<T>> row_z(5), row_g(5);
        std::size_t next = 0;
        for (std::int64_t i = 0; i < 3; ++i)
          for (std::int64_t j = 0; j < 5; ++j)
            for (std::int64_t k = 0; k < 70; ++k, ++next) {
              row_z[static_cast<std::size_t>(j)].push_back(z.at(i, j, k) = stored<T>(2 * numbers[next]));
              row_g[static_cast<std::size_t>(j)].push_back(g.at(i, j, k) = stored<T>(incoming[next]));
            }
        const auto channels = channels_of<T>(c, 5);
        const std::vector<Strides> strides = {out.strides, g.strides, z.strides};
        const Walk walk(z.sizes, 1, strides, lies_direct<T>);
        const std::size_t room = static_cast<std::size_t>(walk.channels_of_tile()) * c.parameter_count();
        std::vector<std::vector<double>> sums(5, std::vector<double>(max_parameters));
        for (std::int64_t tile = 0; tile < walk.tiles(); ++tile) {
          std::vector<double> own(room);
          backward(walk, tile, Channelwise<T>{c.id, channels}, z.memory.data(), g.memory.data(), out.memory.data(),
                   room == 0 ? nullptr : own.data());
          const Tile place = walk.tile(tile);
          for (std::int64_t j = 0; j < place.extent.channels; ++j)
            for (std::size_t k = 0; k < c.parameter_count(); ++k)
              sums[static_cast<std::size_t>(place.channel + j)][k] +=
                  own[static_cast<std::size_t>(j) * c.parameter_count() + k];
        }
        for (std::size_t j = 0; j < 5; ++j) {
          std::vector<T> row(row_z[j].size());
          std::array<double, max_parameters> expected = {};
          backward(c.id, channels[j].parameter.data(), row_z[j].data(), row_g[j].data(), row.data(), expected.data(),
                   row.size());
          for (std::size_t k = 0; k < c.parameter_count(); ++k) {
            if (j == 1)
              EXPECT_TRUE(std::isnan(sums[j][k]));
            else
              ASSERT_NEAR(sums[j][k], expected[k], 1e-3 * (1 + std::abs(expected[k]))) << c.name();
          }
          for (std::size_t n = 0; n < row.size(); ++n) {
            const Compute<T> found = computed(out.at(static_cast<std::int64_t>(n) / 70, static_cast<std::int64_t>(j),
                                                     static_cast<std::int64_t>(n) % 70));
            ASSERT_TRUE(j == 1 ? std::isnan(found) : same(found, computed(row[n]))) << c.name();
          }
        }
      }
}

}  // namespace
}  // namespace limen::kernels
