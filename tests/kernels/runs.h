// Part of limen. SPDX-License-Identifier: MIT
//
// The four loops of a kernel behind one call, and buffers that notice what is written beside them.
#pragma once

#include <array>
#include <cstddef>

#include "kernels/cases.h"

namespace limen::kernels {

enum class Loop { forward, backward, backward_with_sums, second_backward };
inline constexpr std::array all_loops{Loop::forward, Loop::backward, Loop::backward_with_sums, Loop::second_backward};

/// Calls f.template operator()<T>() for every type that kernels exist for.
template <class F>
void for_all_types(const F& f) {
  f.template operator()<float>();
  f.template operator()<double>();
  f.template operator()<BFloat16>();
  f.template operator()<Float16>();
}

using ParameterSums = std::array<double, max_parameters>;

/// What goes into a loop and comes out: `second` of second_backward alone is its grad_z.
template <class T>
struct Arrays {
  const T* z;
  const T* grad;
  const T* v;
  T* first;
  T* second;
  std::size_t n;
};

/// Of the sums.
template <class T>
inline constexpr std::array<Compute<T>, max_parameters> cotangents = {0.75, -1.25, 0.5};

/// Runs a loop; returns the sums, 0 where there are none.
template <class T>
ParameterSums run(Loop loop, const Case& c, const Arrays<T>& a, Isa isa) {
  ParameterSums sums = {};
  switch (loop) {
    case Loop::forward:
      forward(c.id, c.of<T>(), a.z, a.first, a.n, isa);
      break;
    case Loop::backward:
      backward(c.id, c.of<T>(), a.z, a.grad, a.first, nullptr, a.n, isa);
      break;
    case Loop::backward_with_sums:
      backward(c.id, c.of<T>(), a.z, a.grad, a.first, sums.data(), a.n, isa);
      break;
    case Loop::second_backward:
      second_backward(c.id, c.of<T>(), a.z, a.grad, a.v, cotangents<T>.data(), a.first, a.second, sums.data(), a.n,
                      isa);
      break;
  }
  return sums;
}

/// A buffer whose element 0 can be placed 0..15 elements behind a multiple of 64 bytes, with guards before and behind:
/// NaN and 1e30 (infinity in 16 bits) by turns.
template <class T>
class Buffer {
 public:
  static constexpr std::size_t max_size = 200, offsets = 16;

  T* at(std::size_t offset) { return memory_.data() + offsets + offset; }
  void clear() {
    for (std::size_t i = 0; i < memory_.size(); ++i) memory_[i] = guard(i);
  }
  /// Guards all around, then the first n numbers of `from`.
  T* fill(std::size_t offset, const std::vector<T>& from, std::size_t n) {
    clear();
    std::copy_n(from.begin(), n, at(offset));
    return at(offset);
  }
  bool guards_untouched(std::size_t offset, std::size_t n) const {
    for (std::size_t i = 0; i < memory_.size(); ++i)
      if ((i < offsets + offset || i >= offsets + offset + n) &&
          std::bit_cast<Bits<T>>(memory_[i]) != std::bit_cast<Bits<T>>(guard(i)))
        return false;
    return true;
  }

 private:
  static T guard(std::size_t i) { return as<T>(i % 2 == 0 ? std::numeric_limits<double>::quiet_NaN() : 1e30); }
  alignas(64) std::array<T, max_size + 4 * offsets> memory_;
};

}  // namespace limen::kernels
