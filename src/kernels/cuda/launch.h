// Part of limen. SPDX-License-Identifier: MIT
//
// Which thread does what: the arithmetic of launches, without CUDA, so that tests run every thread on the host. All
// counts and indices are of 64 bits before anything is multiplied.
#pragma once

#include <algorithm>
#include <cstdint>

namespace limen::cuda {

inline constexpr int threads = 256;  ///< of a block
inline constexpr std::int64_t most_blocks = 65535;
inline constexpr int vector_bytes = 16;
template <class T>
inline constexpr int vector_width = vector_bytes / static_cast<int>(sizeof(T));

/// n elements, a multiple of channels * run; element i belongs to channel i / run % channels. One channel is one run.
struct Shape {
  std::int64_t n, channels, run;
};

/// Blocks for `count` units of which a block takes `each` at a time; they stride over the rest.
constexpr std::int64_t blocks_for(std::int64_t count, std::int64_t each) {
  return std::min(most_blocks, count / each + (count % each != 0));
}

/// What one thread visits: up to `width` elements in a row, then those `step` further on, up to an end.
class Walk {
 public:
  constexpr Walk(std::int64_t first, std::int64_t step, std::int64_t end, int width)
      : first_(first), step_(step), end_(end), width_(width) {}
  constexpr bool more() const { return first_ < end_; }
  constexpr void next() { first_ += step_; }
  constexpr std::int64_t first() const { return first_; }
  constexpr int count() const { return end_ - first_ < width_ ? static_cast<int>(end_ - first_) : width_; }

 private:
  std::int64_t first_, step_, end_;
  int width_;
};

/// Where the parts of a channel's sum lie: part t of `count` in slot(channel, t).
struct Parts {
  std::int64_t count, in_a_row, row;
  constexpr std::int64_t slot(std::int64_t channel, std::int64_t t) const {
    return t / in_a_row * row + channel * in_a_row + t % in_a_row;
  }
};

/// Runs cut into slices of at most `span` elements. A block takes a slice, all of one channel; a slice has one slot.
class Slices {
 public:
  static constexpr std::int64_t span = 4096;

  explicit constexpr Slices(Shape shape)
      : run_(shape.run),
        channels_(shape.channels),
        per_run_(run_ / span + (run_ % span != 0)),
        count_(shape.n / run_ * per_run_) {}
  constexpr std::int64_t count() const { return count_; }
  constexpr std::int64_t blocks() const { return blocks_for(count_, 1); }
  constexpr std::int64_t channel(std::int64_t slice) const { return slice / per_run_ % channels_; }
  constexpr Walk walk(std::int64_t slice, int thread, int width) const {
    const std::int64_t run = slice / per_run_ * run_, begin = run + slice % per_run_ * span;
    const std::int64_t left = run + run_ - begin, end = begin + (left < span ? left : span);
    return {begin + std::int64_t{thread} * width, std::int64_t{threads} * width, end, width};
  }
  constexpr Parts parts() const { return {count_ / channels_, per_run_, channels_ * per_run_}; }

 private:
  std::int64_t run_, channels_, per_run_, count_;
};

/// Short runs: a row holds one run of each channel, and a thread goes down one column of it for `depth` rows, so that
/// the constants of its channel stay in registers. That is one of count() units, and one slot.
class Columns {
 public:
  explicit constexpr Columns(Shape shape)
      : run_(shape.run),
        row_(shape.channels * shape.run),
        rows_(shape.n / row_),
        // Enough units for a GPU, then as few slots as may be.
        depth_(std::clamp<std::int64_t>(shape.n >> 18, 8, 1024)),
        count_((rows_ / depth_ + (rows_ % depth_ != 0)) * row_) {}
  constexpr std::int64_t count() const { return count_; }
  constexpr std::int64_t blocks() const { return blocks_for(count_, threads); }
  constexpr std::int64_t channel(std::int64_t unit) const { return unit % row_ / run_; }
  constexpr Walk walk(std::int64_t unit) const {
    const std::int64_t top = unit / row_ * depth_, bottom = top + depth_ < rows_ ? top + depth_ : rows_;
    return {top * row_ + unit % row_, row_, bottom * row_, 1};
  }
  constexpr Parts parts() const { return {count_ / row_ * run_, run_, row_}; }
  static constexpr std::int64_t first_unit(std::int64_t block, int thread) { return block * threads + thread; }
  static constexpr std::int64_t stride(std::int64_t blocks) { return blocks * threads; }

 private:
  std::int64_t run_, row_, rows_, depth_, count_;
};

/// Whether runs are too short for slices.
constexpr bool in_columns(Shape shape) { return shape.channels > 1 && shape.run < Slices::span / 4; }

/// Whether every `width` elements of a slice can be moved at once: `addresses` is the bitwise or of those of all
/// arrays.
constexpr bool vectors_fit(Shape shape, std::uintptr_t addresses, std::int64_t element_bytes) {
  return addresses % vector_bytes == 0 && (shape.channels == 1 || shape.run * element_bytes % vector_bytes == 0);
}

}  // namespace limen::cuda
