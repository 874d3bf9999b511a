// Part of limen. SPDX-License-Identifier: MIT
//
// Batches of windows of a text, at random places (part of rng = 1).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "limen/math/random.h"

namespace limen::data {

/// The windows of T = context tokens of a text of n: starts 0 to n - T - 2, targets shifted by one. Refers to the
/// tokens, which must outlive it.
class Windows {
 public:
  /// Throws limen::Error when the text is shorter than context + 2 tokens, and for a token that is not below
  /// `vocabulary`, with its place. `name` (such as "shakespeare, validation") is for messages.
  Windows(std::span<const std::uint16_t> tokens, std::int64_t context, std::size_t vocabulary, std::string_view name);

  /// How many starts there are: n - T - 1.
  std::uint64_t count() const { return count_; }

  /// Rows of T inputs and T targets from a start: targets are the tokens one later.
  void copy(std::uint64_t start, std::span<std::int64_t> inputs, std::span<std::int64_t> targets) const;

  /// A batch, row-major [B, T], with B = inputs.size() / T: row b starts at stream.below(count(), first + b), so with
  /// replacement. The batches of one evaluation share a stream and go on where the one before ended: first = 0, B, 2 B,
  /// ...
  void sample(const math::Stream& stream, std::span<std::int64_t> inputs, std::span<std::int64_t> targets,
              std::uint64_t first = 0) const;

 private:
  std::span<const std::uint16_t> tokens_;
  std::size_t context_;
  std::uint64_t count_;
};

}  // namespace limen::data
