// Part of limen. SPDX-License-Identifier: MIT
//
// The directions: what each does with some elements in a row, for every activation and type.
#pragma once

#include <array>
#include <cstddef>

#include "kernels/cotangent.h"
#include "kernels/cuda/memory.h"

namespace limen::cuda {

template <class A, class T>
using Constants = typename A::template Constants<Compute<T>>;
/// As a number of its own, which device code may read.
template <class A>
inline constexpr std::size_t parameter_count = A::info.parameter_count;

/// What a thread has added for `count` parameters: in S, and in f64 before that becomes many terms.
template <class S, std::size_t count>
class Sums {
 public:
  __device__ void add(S weight, const std::array<S, count>& terms) {
    for (std::size_t k = 0; k < count; ++k) recent_[k] = math::fma(weight, terms[k], recent_[k]);
  }
  /// After each step of a walk.
  __device__ void step() {
    if (++steps_ == 64) settle();
  }
  __device__ const std::array<double, count>& total() {
    settle();
    return total_;
  }

 private:
  __device__ void settle() {
    for (std::size_t k = 0; k < count; ++k) {
      total_[k] += static_cast<double>(recent_[k]);
      recent_[k] = 0;
    }
    steps_ = 0;
  }
  std::array<S, count> recent_ = {};
  std::array<double, count> total_ = {};
  int steps_ = 0;
};
template <class S>
class Sums<S, 0> {
 public:
  __device__ void step() {}
};

template <class T>
struct Forward {
  static constexpr bool has_sums = false;
  const T* z;
  T* out;
  bool writes() const { return true; }

  template <class A, int width, class Sums>
  __device__ void run(Place at, const Constants<A, T>& c, const Compute<T>*, Sums&) const {
    auto x = Chunk<T, width>::load(z, at);
#pragma unroll
    for (T& item : x.item) item = rounded<T>(A::value(number(item), c));
    x.store(out, at);
  }
};

template <class T>
struct Backward {
  static constexpr bool has_sums = true;
  const T* z;
  const T* grad_out;
  T* grad_z;
  bool writes() const { return grad_z != nullptr; }

  template <class A, int width, std::size_t count>
  __device__ void run(Place at, const Constants<A, T>& c, const Compute<T>*, Sums<Compute<T>, count>& sums) const {
    const auto x = Chunk<T, width>::load(z, at);
    auto g = Chunk<T, width>::load(grad_out, at);
    if constexpr (count > 0) {
#pragma unroll
      for (int j = 0; j < width; ++j)
        if (j < at.count) sums.add(number(g.item[j]), A::parameter_slopes(number(x.item[j]), c));
      if (grad_z == nullptr) return;
    }
#pragma unroll
    for (int j = 0; j < width; ++j) g.item[j] = rounded<T>(number(g.item[j]) * A::slope(number(x.item[j]), c));
    g.store(grad_z, at);
  }
};

template <class T>
struct Second {
  using S = Compute<T>;
  static constexpr bool has_sums = true;
  SecondBackward<T> arrays;
  bool writes() const { return arrays.grad_grad_out != nullptr || arrays.grad_z != nullptr; }

  template <class A, int width, std::size_t count>
  __device__ void run(Place at, const Constants<A, T>& c, const S* w, Sums<S, count>& sums) const {
    const auto x = Chunk<T, width>::load(arrays.z, at);
    auto g = Chunk<T, width>::load(arrays.grad_out, at);
    auto v = arrays.v == nullptr ? Chunk<T, width>{} : Chunk<T, width>::load(arrays.v, at);
#pragma unroll
    for (int j = 0; j < width; ++j) {
      const S z = number(x.item[j]), grad_out = number(g.item[j]);
      const kernels::Given<S> cotangents = {arrays.v != nullptr, number(v.item[j])};
      const auto mixed = A::mixed_curvatures(z, c);
      if constexpr (count > 0)
        if (j < at.count) sums.add(grad_out, by_parameters<A>(z, c, cotangents, w, mixed));
      if (arrays.grad_grad_out != nullptr)
        v.item[j] = rounded<T>(kernels::cotangent(cotangents, w, A::slope(z, c), A::parameter_slopes(z, c)));
      if (arrays.grad_z != nullptr)
        g.item[j] = rounded<T>(grad_out * kernels::cotangent(cotangents, w, A::curvature(z, c), mixed));
    }
    if (arrays.grad_grad_out != nullptr) v.store(arrays.grad_grad_out, at);
    if (arrays.grad_z != nullptr) g.store(arrays.grad_z, at);
  }

 private:
  /// v d2a/dz dp_k + sum_l w_l d2a/dp_k dp_l for every k
  template <class A, std::size_t count>
  __device__ static std::array<S, count> by_parameters(S z, const Constants<A, T>& c, kernels::Given<S> v, const S* w,
                                                       const std::array<S, count>& mixed) {
    const auto pairs = A::parameter_curvatures(z, c);
    std::array<S, count> terms;
    for (std::size_t k = 0; k < count; ++k)
      terms[k] = kernels::cotangent(v, w, mixed[k], kernels::row<count>(pairs, k));
    return terms;
  }
};

}  // namespace limen::cuda
