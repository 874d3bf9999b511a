// Part of limen. SPDX-License-Identifier: MIT
//
// How fast the kernels are, beside a copy of as many bytes in the same run. What gives a wrong result is not timed.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "limen/kernels.h"

namespace limen::tools {

enum class Direction { forward, backward, backward_with_sums, second_backward };
inline constexpr std::array all_directions = {Direction::forward, Direction::backward, Direction::backward_with_sums,
                                              Direction::second_backward};
std::string_view name(Direction direction);

/// What is timed, with the activation's default parameters on numbers near N(0, 4).
struct Load {
  ActivationId id;
  std::string type;  ///< f32, f64, bf16 or f16
  kernels::Isa isa;
  Direction direction;
  std::size_t elements;
  int threads = 1;
};

struct Throughput {
  double rate = 0, slowest = 0, fastest = 0;  ///< elements a second: the median of the samples and their ends
  double of_copy = 0;                         ///< time of memcpy for as many bytes read and written, over this time
  std::string refusal = "";                   ///< why it was not timed, or empty
};

/// Checks the whole result against the scalar path bit for bit, warms up, then times `samples` samples of at least
/// 10 ms of kernel and copy in turn. Throws limen::Error for an unknown type.
Throughput measure(const Load& load, int samples = 7);

}  // namespace limen::tools
