// Part of limen. SPDX-License-Identifier: MIT
//
// How a call walks arrays of any layout: cut into small tiles, each of one to some channels, that may run in any order
// and on any thread. It starts none itself.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace limen::kernels {

/// Distances between neighbours along each dimension of an array, in elements. 0 repeats an element (inputs only).
using Strides = std::span<const std::int64_t>;

/// No call has more arrays than this.
inline constexpr std::size_t max_operands = 7;
/// Nor an array more dimensions, as in PyTorch.
inline constexpr std::size_t max_dimensions = 64;

/// Elements of a tile that is gathered into the first-level cache.
inline constexpr std::int64_t tile_elements = 2048;
/// Elements of a tile that is worked on where it lies.
inline constexpr std::int64_t direct_elements = 16384;

/// A tile's place along its three dimensions, or its extent, or an operand's strides there.
struct Block {
  std::int64_t channels, rows, columns;
};

struct Tile {
  std::int64_t channel;  ///< its first
  Block extent;
  std::array<std::int64_t, max_operands> offset;  ///< of its first element in each operand

  /// Elements of one channel.
  std::size_t row_size() const { return static_cast<std::size_t>(extent.rows * extent.columns); }
};

/// The cut. It depends on shape, strides and `direct` alone, never on the number of threads: so do the bits of sums
/// over tiles that are added in order.
class Walk {
 public:
  /// A walk over `sizes`, where operand i has strides[i], all as many as sizes; the first is an output. `axis` is that
  /// of the channels, or -1. `direct`: elements can be worked on where they lie (they need no conversion).
  Walk(std::span<const std::int64_t> sizes, std::int64_t axis, std::span<const Strides> strides, bool direct);
  /// A walk over n elements of arrays that all lie in one order without gaps.
  Walk(std::int64_t n, std::size_t operands, bool direct);

  std::int64_t tiles() const { return tiles_; }
  std::int64_t channels() const { return channels_; }
  /// Channels of the largest tile.
  std::int64_t channels_of_tile() const { return extent_.channels; }
  /// Tiles below which a second thread costs more than it saves.
  std::int64_t grain() const;
  Tile tile(std::int64_t i) const;
  /// Of an operand inside tiles.
  const Block& strides(std::size_t operand) const { return strides_[operand]; }

 private:
  struct Dimension {
    std::int64_t size;
    std::int64_t step;  // elements of it in a tile
    std::array<std::int64_t, max_operands> stride;
    bool is_channel;
  };
  static constexpr std::size_t none = max_dimensions;

  void take_dimensions(std::span<const std::int64_t> sizes, std::int64_t axis, std::span<const Strides> strides);
  bool is_outer(const Dimension& a, const Dimension& b) const;
  void sort();
  void merge();
  bool continues(const Dimension& outer, const Dimension& inner) const;
  std::size_t pick_columns() const;
  std::size_t pick_rows(std::size_t columns) const;
  bool is_turned(const Dimension& rows, const Dimension& columns) const;
  bool in_line(std::size_t columns) const;
  void choose_tile(bool direct);
  Block choose_extent(bool direct) const;

  std::size_t operands_;
  std::size_t count_ = 0;
  std::array<Dimension, max_dimensions> dimension_;
  std::int64_t channels_ = 1;
  std::int64_t tiles_ = 1;
  Block extent_ = {1, 1, 1};
  struct {
    std::size_t channels = none, rows = none, columns = none;
  } place_;  // of the tile's dimensions
  std::array<Block, max_operands> strides_ = {};
};

}  // namespace limen::kernels
