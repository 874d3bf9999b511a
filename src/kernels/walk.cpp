// Part of limen. SPDX-License-Identifier: MIT
#include "limen/walk.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace limen::kernels {
namespace {

// Rows shorter than this are gathered, several at a time: a call of a kernel for each would cost more.
constexpr std::int64_t least_direct = 256;
// Elements in a cache line, and a share of a tile that is turned: so many neighbours are read or written at once.
constexpr std::int64_t line = 16, turned_columns = 64;

std::int64_t divided_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// At most `most` of `size`, at least 1.
std::int64_t share(std::int64_t size, std::int64_t most) { return std::clamp<std::int64_t>(most, 1, size); }

}  // namespace

Walk::Walk(std::span<const std::int64_t> sizes, std::int64_t axis, std::span<const Strides> strides, bool direct)
    : operands_(strides.size()) {
  assert(operands_ >= 1 && operands_ <= max_operands && sizes.size() <= max_dimensions);
  if (axis >= 0) channels_ = sizes[static_cast<std::size_t>(axis)];
  if (std::ranges::find(sizes, 0) != sizes.end()) {
    tiles_ = 0;
    return;
  }
  take_dimensions(sizes, axis, strides);
  sort();
  merge();
  choose_tile(direct);
}

Walk::Walk(std::int64_t n, std::size_t operands, bool direct) : operands_(operands) {
  assert(operands_ >= 1 && operands_ <= max_operands);
  if (n == 0) {
    tiles_ = 0;
    return;
  }
  extent_.columns = share(n, direct ? direct_elements : tile_elements);
  dimension_[0] = {n, extent_.columns, {}, false};
  dimension_[0].stride.fill(1);
  count_ = 1;
  place_.columns = 0;
  strides_.fill({0, 0, 1});
  tiles_ = divided_up(n, extent_.columns);
}

void Walk::take_dimensions(std::span<const std::int64_t> sizes, std::int64_t axis, std::span<const Strides> strides) {
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 1) continue;
    Dimension& dimension = dimension_[count_++];
    dimension = {sizes[d], 1, {}, static_cast<std::int64_t>(d) == axis};
    for (std::size_t i = 0; i < operands_; ++i) dimension.stride[i] = strides[i][d];
  }
}

/// By the first operand that tells the two apart.
bool Walk::is_outer(const Dimension& a, const Dimension& b) const {
  for (std::size_t i = 0; i < operands_; ++i)
    if (a.stride[i] != 0 && b.stride[i] != 0 && a.stride[i] != b.stride[i]) return a.stride[i] > b.stride[i];
  return false;
}

/// Outer dimensions first. Insertion, because is_outer is no strict order where elements repeat.
void Walk::sort() {
  for (std::size_t i = 1; i < count_; ++i)
    for (std::size_t j = i; j > 0 && is_outer(dimension_[j], dimension_[j - 1]); --j)
      std::swap(dimension_[j], dimension_[j - 1]);
}

bool Walk::continues(const Dimension& outer, const Dimension& inner) const {
  if (outer.is_channel || inner.is_channel) return false;
  for (std::size_t i = 0; i < operands_; ++i)
    if (outer.stride[i] != inner.stride[i] * inner.size) return false;
  return true;
}

/// Makes one of two neighbours that every operand runs through without a jump.
void Walk::merge() {
  if (count_ == 0) return;
  std::size_t kept = 0;
  for (std::size_t i = 1; i < count_; ++i) {
    if (continues(dimension_[kept], dimension_[i])) {
      dimension_[i].size *= dimension_[kept].size;
      dimension_[kept] = dimension_[i];
    } else {
      dimension_[++kept] = dimension_[i];
    }
  }
  count_ = kept + 1;
}

/// The innermost that is not the channels'.
std::size_t Walk::pick_columns() const {
  for (std::size_t d = count_; d-- > 0;)
    if (!dimension_[d].is_channel) return d;
  return none;
}

/// Whether some operand has its near neighbours along `rows`.
bool Walk::is_turned(const Dimension& rows, const Dimension& columns) const {
  for (std::size_t i = 0; i < operands_; ++i)
    if (rows.stride[i] != 0 && rows.stride[i] < columns.stride[i]) return true;
  return false;
}

/// One along which an operand is turned, else the next outer one.
std::size_t Walk::pick_rows(std::size_t columns) const {
  std::size_t next = none;
  for (std::size_t d = columns; d-- > 0;) {
    if (dimension_[d].is_channel) continue;
    if (is_turned(dimension_[d], dimension_[columns])) return d;
    if (next == none) next = d;
  }
  return next;
}

bool Walk::in_line(std::size_t columns) const {
  return std::ranges::all_of(dimension_[columns].stride.begin(), dimension_[columns].stride.begin() + operands_,
                             [](std::int64_t stride) { return stride == 1; });
}

void Walk::choose_tile(bool direct) {
  for (std::size_t d = 0; d < count_; ++d)
    if (dimension_[d].is_channel) place_.channels = d;
  place_.columns = pick_columns();
  if (place_.columns != none) place_.rows = pick_rows(place_.columns);
  extent_ = choose_extent(direct);
  for (const auto& [place, step] : {std::pair(place_.channels, extent_.channels), std::pair(place_.rows, extent_.rows),
                                    std::pair(place_.columns, extent_.columns)})
    if (place != none) dimension_[place].step = step;
  for (std::size_t d = 0; d < count_; ++d) tiles_ *= divided_up(dimension_[d].size, dimension_[d].step);
  for (std::size_t i = 0; i < operands_; ++i) {
    const auto stride = [&](std::size_t place) { return place == none ? 0 : dimension_[place].stride[i]; };
    strides_[i] = {stride(place_.channels), stride(place_.rows), stride(place_.columns)};
  }
}

Block Walk::choose_extent(bool direct) const {
  if (place_.columns == none) return {place_.channels == none ? 1 : share(channels_, tile_elements), 1, 1};
  const Dimension& columns = dimension_[place_.columns];
  const std::int64_t rows = place_.rows == none ? 1 : dimension_[place_.rows].size;
  const bool turned = place_.rows != none && is_turned(dimension_[place_.rows], columns);
  const bool channels_inside = place_.channels != none && is_outer(columns, dimension_[place_.channels]);
  if (direct && !turned && !channels_inside && in_line(place_.columns) && (columns.size >= least_direct || count_ == 1))
    return {1, 1, share(columns.size, direct_elements)};

  Block extent = {channels_inside ? share(channels_, line) : 1, 1, 1};
  const auto room = [&] { return tile_elements / (extent.channels * extent.rows * extent.columns); };
  extent.columns = share(columns.size, turned ? turned_columns : room());
  extent.rows = share(rows, room());
  if (turned) extent.columns = share(columns.size, extent.columns * room());
  if (place_.channels != none) extent.channels = share(channels_, extent.channels * room());
  return extent;
}

std::int64_t Walk::grain() const {
  return std::max<std::int64_t>(1, 2 * direct_elements / (extent_.channels * extent_.rows * extent_.columns));
}

Tile Walk::tile(std::int64_t i) const {
  Tile tile = {0, {1, 1, 1}, {}};
  for (std::size_t d = count_; d-- > 0;) {
    const Dimension& dimension = dimension_[d];
    const std::int64_t blocks = divided_up(dimension.size, dimension.step);
    const std::int64_t start = i % blocks * dimension.step, extent = std::min(dimension.step, dimension.size - start);
    i /= blocks;
    for (std::size_t operand = 0; operand < operands_; ++operand)
      tile.offset[operand] += start * dimension.stride[operand];
    if (d == place_.columns) tile.extent.columns = extent;
    if (d == place_.rows) tile.extent.rows = extent;
    if (d == place_.channels) {
      tile.extent.channels = extent;
      tile.channel = start;
    }
  }
  return tile;
}

}  // namespace limen::kernels
