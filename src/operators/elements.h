// Part of limen. SPDX-License-Identifier: MIT
//
// Tensors as the kernels see them: elements of a type of limen's, and a walk over their strides.
#pragma once

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>

#include <array>
#include <span>
#include <type_traits>
#include <utility>

#include "limen/narrow.h"
#include "limen/walk.h"

#ifndef INTRA_OP_PARALLEL
#error "at::parallel_for has no threads here: compile with OpenMP, as limen_torch_headers says"
#endif

namespace limen::op {

/// Calls f.template operator()<T>() for the T that the kernels know a supported scalar type by.
template <class F>
decltype(auto) visit_type(at::ScalarType type, F&& f) {
  switch (type) {
    case at::kFloat:
      return std::forward<F>(f).template operator()<float>();
    case at::kDouble:
      return std::forward<F>(f).template operator()<double>();
    case at::kBFloat16:
      return std::forward<F>(f).template operator()<BFloat16>();
    default:
      return std::forward<F>(f).template operator()<Float16>();
  }
}

/// The elements, or null for an undefined tensor.
template <class T>
const T* elements(const at::Tensor& tensor) {
  return tensor.defined() ? static_cast<const T*>(tensor.const_data_ptr()) : nullptr;
}
template <class T>
T* mutable_elements(const at::Tensor& tensor) {
  return tensor.defined() ? static_cast<T*>(tensor.mutable_data_ptr()) : nullptr;
}

/// A walk over operands of the shape of `like`, with their strides; empty ones stand for those of `like`. `axis` as in
/// Call.
template <std::size_t Count>
kernels::Walk walk_over(const at::Tensor& like, const std::array<at::IntArrayRef, Count>& strides, std::int64_t axis,
                        bool direct) {
  std::array<kernels::Strides, Count> all;
  bool alike = axis < 0 && like.is_non_overlapping_and_dense();
  for (std::size_t i = 0; i < Count; ++i) {
    const at::IntArrayRef own = strides[i].empty() ? like.strides() : strides[i];
    all[i] = {own.data(), own.size()};
    alike = alike && own == like.strides();
  }
  if (alike) return {like.numel(), Count, direct};
  return {{like.sizes().data(), like.sizes().size()}, axis, all, direct};
}

/// f(tile) for every tile, on PyTorch's threads.
template <class F>
void for_each_tile(const kernels::Walk& walk, F&& f) {
  at::parallel_for(0, walk.tiles(), walk.grain(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) f(i);
  });
}

/// Empty for an undefined tensor.
inline at::IntArrayRef strides_of(const at::Tensor& tensor) {
  return tensor.defined() ? tensor.strides() : at::IntArrayRef();
}

}  // namespace limen::op
