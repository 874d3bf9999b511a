// Part of limen. SPDX-License-Identifier: MIT
//
// Tensors as the kernels see them: elements of a type of limen's, and a walk over their strides.
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <span>
#include <type_traits>
#include <utility>

#include "limen/narrow.h"
#include "limen/walk.h"

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

/// A walk over tensors of one shape; undefined ones stand for the last. `axis` as in Call.
template <std::size_t Count>
kernels::Walk walk_over(const std::array<at::Tensor, Count>& tensors, std::int64_t axis, bool direct) {
  const at::Tensor& last = tensors.back();
  std::array<kernels::Strides, Count> strides;
  bool alike = axis < 0 && last.is_non_overlapping_and_dense();
  for (std::size_t i = 0; i < Count; ++i) {
    const at::IntArrayRef own = (tensors[i].defined() ? tensors[i] : last).strides();
    strides[i] = {own.data(), own.size()};
    alike = alike && own == last.strides();
  }
  if (alike) return {last.numel(), Count, direct};
  return {{last.sizes().data(), last.sizes().size()}, axis, strides, direct};
}

}  // namespace limen::op
