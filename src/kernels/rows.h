// Part of limen. SPDX-License-Identifier: MIT
//
// An array inside one tile, as rows that kernels take: for each channel its elements one behind the other, in the type
// that computes. Where they lie so already the rows are the array's own memory, elsewhere a copy in the first cache.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "limen/narrow.h"
#include "limen/strided.h"

namespace limen::kernels {

template <class From, class To>
void convert(const From* from, To* to, std::int64_t n) {
  if constexpr (is_narrow<From>)
    widen(from, to, static_cast<std::size_t>(n));
  else if constexpr (is_narrow<To>)
    narrow(from, to, static_cast<std::size_t>(n));
  else
    std::copy_n(from, n, to);
}

/// One dimension of a copy: how many, and how far apart on either side.
struct Loop {
  std::int64_t count, from, to;
};

/// The order of loops for a copy whose near neighbours on side `stride` come one after the other; repeats come last.
inline std::array<Loop, 3> ordered(std::array<Loop, 3> loops, std::int64_t Loop::*stride) {
  const auto distance = [&](const Loop& loop) {
    return loop.*stride == 0 ? std::numeric_limits<std::int64_t>::max() : loop.*stride;
  };
  std::ranges::stable_sort(loops, std::ranges::greater(), distance);
  return loops;
}

/// Copies three dimensions, the last one innermost; a NaN payload aside, exact or rounded once.
template <class From, class To>
void copy(const std::array<Loop, 3>& loop, const From* from, To* to) {
  for (std::int64_t i = 0; i < loop[0].count; ++i)
    for (std::int64_t j = 0; j < loop[1].count; ++j) {
      const From* first = from + i * loop[0].from + j * loop[1].from;
      To* out = to + i * loop[0].to + j * loop[1].to;
      if (loop[2].from == 1 && loop[2].to == 1) {
        convert(first, out, loop[2].count);
      } else {
        for (std::int64_t k = 0; k < loop[2].count; ++k)
          out[k * loop[2].to] = stored<To>(computed(first[k * loop[2].from]));
      }
    }
}

/// Where an operand's elements of a tile are.
template <class T>
class Rows {
 public:
  using S = Compute<T>;

  std::size_t size() const { return static_cast<std::size_t>(extent_.rows * extent_.columns); }

 protected:
  Rows(const Walk& walk, const Tile& tile, std::size_t operand)
      : extent_(tile.extent), stride_(walk.strides(operand)), offset_(tile.offset[operand]) {}

  /// A single column or row leaves its stride open.
  bool lies_in_rows() const {
    const bool columns = extent_.columns == 1 || stride_.columns == 1;
    const bool rows = extent_.rows == 1 || stride_.rows == extent_.columns;
    return lies_direct<T> && columns && rows;
  }
  std::int64_t row_size() const { return extent_.rows * extent_.columns; }

  Block extent_, stride_;
  std::int64_t offset_;
  alignas(64) S copy_[tile_elements];
};

/// `data` may be null: then there are no rows.
template <class T>
class Input : Rows<T> {
  using Base = Rows<T>;

 public:
  using S = typename Base::S;

  Input(const Walk& walk, const Tile& tile, std::size_t operand, const T* data) : Base(walk, tile, operand) {
    if (data == nullptr) return;
    const T* const first = data + this->offset_;
    if constexpr (lies_direct<T>) {
      if (this->lies_in_rows()) {
        first_ = first;
        row_stride_ = this->stride_.channels;
        return;
      }
    }
    copy(ordered({{{this->extent_.channels, this->stride_.channels, this->row_size()},
                   {this->extent_.rows, this->stride_.rows, this->extent_.columns},
                   {this->extent_.columns, this->stride_.columns, 1}}},
                 &Loop::from),
         first, this->copy_);
    first_ = this->copy_;
    row_stride_ = this->row_size();
  }
  Input(const Input&) = delete;

  bool exists() const { return first_ != nullptr; }
  const S* row(std::int64_t channel) const { return exists() ? first_ + channel * row_stride_ : nullptr; }

 private:
  const S* first_ = nullptr;
  std::int64_t row_stride_ = 0;
};

/// Written when it goes out of scope.
template <class T>
class Output : Rows<T> {
  using Base = Rows<T>;

 public:
  using S = typename Base::S;

  Output(const Walk& walk, const Tile& tile, std::size_t operand, T* data) : Base(walk, tile, operand) {
    if (data == nullptr) return;
    target_ = data + this->offset_;
    if constexpr (lies_direct<T>) {
      if (this->lies_in_rows()) {
        first_ = target_;
        row_stride_ = this->stride_.channels;
        return;
      }
    }
    first_ = this->copy_;
    row_stride_ = this->row_size();
  }
  Output(const Output&) = delete;
  ~Output() {
    if (first_ != this->copy_) return;
    copy(ordered({{{this->extent_.channels, this->row_size(), this->stride_.channels},
                   {this->extent_.rows, this->extent_.columns, this->stride_.rows},
                   {this->extent_.columns, 1, this->stride_.columns}}},
                 &Loop::to),
         this->copy_, target_);
  }

  bool exists() const { return first_ != nullptr; }
  S* row(std::int64_t channel) const { return exists() ? first_ + channel * row_stride_ : nullptr; }

 private:
  T* target_ = nullptr;
  S* first_ = nullptr;
  std::int64_t row_stride_ = 0;
};

}  // namespace limen::kernels
