// Part of limen. SPDX-License-Identifier: MIT
//
// How the CPU kernels walk a tensor: its memory in order, cut into pieces whose elements belong to one channel.
#pragma once

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cstdint>

#include "limen/kernels.h"

namespace limen::op {

/// The cut of a dense tensor's memory. It depends on the shape and strides alone, never on the number of threads: so do
/// the bits of sums over pieces.
class Cut {
 public:
  struct Piece {
    std::int64_t channel;
    std::int64_t offset;
    std::int64_t size;
  };

  /// `axis` as in Call: -1 for one channel.
  Cut(const at::Tensor& dense, std::int64_t axis) : total_(dense.numel()), run_(total_) {
    if (axis >= 0) {
      channels_ = dense.size(axis);
      run_ = dense.stride(axis);
    }
    pieces_per_run_ = (run_ + most - 1) / most;
  }

  std::int64_t channels() const { return channels_; }
  std::int64_t count() const { return total_ == 0 ? 0 : total_ / run_ * pieces_per_run_; }
  Piece piece(std::int64_t i) const {
    const std::int64_t run = i / pieces_per_run_;
    const std::int64_t start = i % pieces_per_run_ * most;
    return {run % channels_, run * run_ + start, std::min(most, run_ - start)};
  }
  /// Pieces below which a second thread costs more than it saves.
  std::int64_t grain() const { return std::max<std::int64_t>(1, 2 * most / std::clamp<std::int64_t>(run_, 1, most)); }

 private:
  static constexpr std::int64_t most = 16 * static_cast<std::int64_t>(kernels::sum_block);

  std::int64_t total_;
  std::int64_t run_;  // consecutive elements of one channel
  std::int64_t channels_ = 1;
  std::int64_t pieces_per_run_;
};

/// `tensor` itself, or a copy where its memory is not dense, or where the runs of one channel would be too short for
/// the kernels: then channels come first in the copy's memory.
inline at::Tensor arranged(const at::Tensor& tensor, std::int64_t axis) {
  constexpr std::int64_t least_run = 64;
  const bool dense = tensor.is_non_overlapping_and_dense();
  if (axis < 0) return dense ? tensor : tensor.clone();
  const at::Tensor channels_first = tensor.movedim(axis, 0);
  if (channels_first.is_contiguous() || (dense && tensor.stride(axis) >= least_run)) return tensor;
  return channels_first.contiguous().movedim(0, axis);
}

/// `tensor` in the memory layout of the dense tensor `like`, copied where it has another.
inline at::Tensor arranged_like(const at::Tensor& tensor, const at::Tensor& like) {
  return tensor.strides() == like.strides() ? tensor : at::empty_like(like).copy_(tensor);
}

}  // namespace limen::op
