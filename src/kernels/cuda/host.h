// Part of limen. SPDX-License-Identifier: MIT
//
// From a call to its kernels: checks, the workspace's parts, launches. A unit includes this and instantiates it for its
// type with LIMEN_CUDA_KERNELS.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "kernels/cuda/device.h"

namespace limen::cuda {

/// What all directions are told.
template <class T>
struct Call {
  ActivationId id;
  Parameters<Compute<T>> parameters;
  std::size_t n;
  Workspace workspace;
  Stream stream;
  const Compute<T>* w = nullptr;
  double* sums = nullptr;

  std::size_t parameter_count() const { return info(id).parameter_count; }
  /// Activations without parameters have no channels.
  std::size_t channels() const { return parameter_count() == 0 ? 1 : parameters.channels; }
  Shape shape() const {
    const auto count = static_cast<std::int64_t>(n);
    if (channels() == 1) return {count, 1, count};
    return {count, static_cast<std::int64_t>(parameters.channels), static_cast<std::int64_t>(parameters.run)};
  }
  bool prepares() const { return parameters.on_device && parameter_count() > 0; }
  bool divides() const {
    if (channels() == 1) return true;
    const std::size_t run = parameters.run;
    return parameters.on_device && channels() != 0 && run != 0 && n % run == 0 && n / run % channels() == 0;
  }
  std::size_t constants_bytes() const {
    std::size_t bytes = 0;
    visit(id, [&]<class A>() { bytes = sizeof(Constants<A, T>); });
    return prepares() ? (channels() * bytes + vector_bytes - 1) / vector_bytes * vector_bytes : 0;
  }
  std::size_t slots_bytes() const {
    const std::int64_t slots = in_columns(shape()) ? Columns(shape()).count() : Slices(shape()).count();
    return static_cast<std::size_t>(slots) * parameter_count() * sizeof(double);
  }
  std::size_t workspace_bytes(bool with_sums) const {
    return n == 0 ? 0 : constants_bytes() + (with_sums ? slots_bytes() : 0);
  }
};

inline Status status_of(cudaError_t error) { return static_cast<Status>(error); }
inline std::uintptr_t address(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

/// What is wrong with a call for n > 0; `addresses` is the bitwise or of those of its element-wise arrays.
template <class T>
Status check(const Call<T>& call, std::initializer_list<const void*> needed, std::uintptr_t addresses) {
  for (const void* p : needed)
    if (p == nullptr) return Status::pointer;
  if (call.parameter_count() > 0 && call.parameters.values == nullptr) return Status::pointer;
  if (addresses % sizeof(T) != 0) return Status::alignment;
  if (!call.divides()) return Status::channels;
  const std::size_t bytes = call.workspace_bytes(call.sums != nullptr);
  const bool there = call.workspace.memory != nullptr && call.workspace.bytes >= bytes;
  if (bytes > 0 && (!there || address(call.workspace.memory) % vector_bytes != 0)) return Status::workspace;
  return Status::ok;
}

/// Unlike <<<>>>, says what became of this launch and not of one before.
template <class... Wanted, class... Given>
cudaError_t launch(void (*kernel)(Wanted...), std::int64_t blocks, Stream stream, Given... arguments) {
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(threads);
  config.stream = stream;
  const cudaError_t error = cudaLaunchKernelEx(&config, kernel, static_cast<Wanted>(arguments)...);
  if (error != cudaSuccess) cudaGetLastError();  // told here, so that nobody else finds it
  return error;
}

template <class A, class T, bool with_sums, class Pass>
cudaError_t launch_pass(const Call<T>& call, Pass pass, const Constants<A, T>* prepared, double* slots,
                        std::uintptr_t addresses) {
  const Shape shape = call.shape();
  if constexpr (parameter_count < A >> 0) {
    if (in_columns(shape)) {
      const Columns columns(shape);
      return launch(by_columns<A, T, with_sums, Pass>, columns.blocks(), call.stream, pass, prepared, call.w, columns,
                    slots);
    }
  }
  const Slices slices(shape);
  Constants<A, T> given = {};
  if (prepared == nullptr) given = A::prepare(call.parameters.values);
  return launch(by_slices<A, T, with_sums, Pass>, slices.blocks(), call.stream, pass, given, prepared, call.w, slices,
                vectors_fit(shape, addresses, sizeof(T)) ? vector_width<T> : 0, slots);
}

template <class A, class T, class Pass>
cudaError_t launch_all(const Call<T>& call, Pass pass, std::uintptr_t addresses) {
  constexpr auto count = static_cast<int>(parameter_count<A>);
  const Shape shape = call.shape();
  auto* const memory = static_cast<std::byte*>(call.workspace.memory);
  auto* const prepared = call.prepares() ? reinterpret_cast<Constants<A, T>*>(memory) : nullptr;
  if constexpr (count > 0) {
    if (prepared != nullptr) {
      const cudaError_t error = launch(prepare<A, T>, blocks_for(shape.channels, threads), call.stream,
                                       call.parameters.values, shape.channels, prepared);
      if (error != cudaSuccess) return error;
    }
  }
  if constexpr (count > 0 && Pass::has_sums) {
    if (call.sums != nullptr) {
      auto* const slots = reinterpret_cast<double*>(memory + call.constants_bytes());
      const cudaError_t error = launch_pass<A, T, true>(call, pass, prepared, slots, addresses);
      if (error != cudaSuccess) return error;
      const Parts parts = in_columns(shape) ? Columns(shape).parts() : Slices(shape).parts();
      return launch(add_parts, blocks_for(shape.channels * count, 1), call.stream, slots, parts, shape.channels, count,
                    call.sums);
    }
  }
  if (!pass.writes()) return cudaSuccess;
  return launch_pass<A, T, false>(call, pass, prepared, nullptr, addresses);
}

/// `arrays`: all element-wise ones, the first `needed` of which must be there.
template <class T, class Pass>
Status run(const Call<T>& call, Pass pass, std::initializer_list<const void*> needed,
           std::initializer_list<const void*> optional = {}) {
  if (call.n == 0) {
    if (call.sums == nullptr || call.parameter_count() == 0) return Status::ok;
    return status_of(
        cudaMemsetAsync(call.sums, 0, call.channels() * call.parameter_count() * sizeof(double), call.stream));
  }
  std::uintptr_t addresses = 0;
  for (const void* p : needed) addresses |= address(p);
  for (const void* p : optional) addresses |= address(p);
  if (const Status wrong = check(call, needed, addresses); wrong != Status::ok) return wrong;
  cudaError_t error = cudaSuccess;
  visit(call.id, [&]<class A>() { error = launch_all<A>(call, pass, addresses); });
  return status_of(error);
}

template <class T>
std::size_t workspace_size(ActivationId id, const Parameters<Compute<T>>& parameters, std::size_t n, bool sums) {
  const Call<T> call{id, parameters, n, {}, nullptr};
  return call.divides() ? call.workspace_bytes(sums) : 0;
}

template <class T>
Status forward(ActivationId id, const Parameters<Compute<T>>& parameters, const T* z, T* out, std::size_t n,
               Workspace workspace, Stream stream) {
  return run(Call<T>{id, parameters, n, workspace, stream}, Forward<T>{z, out}, {z, out});
}

template <class T>
Status backward(ActivationId id, const Parameters<Compute<T>>& parameters, const T* z, const T* grad_out, T* grad_z,
                double* grad_parameters, std::size_t n, Workspace workspace, Stream stream) {
  return run(Call<T>{id, parameters, n, workspace, stream, nullptr, grad_parameters}, Backward<T>{z, grad_out, grad_z},
             {z, grad_out}, {grad_z});
}

template <class T>
Status second_backward(ActivationId id, const Parameters<Compute<T>>& parameters, const SecondBackward<T>& a,
                       std::size_t n, Workspace workspace, Stream stream) {
  return run(Call<T>{id, parameters, n, workspace, stream, a.w, a.grad_parameters}, Second<T>{a}, {a.z, a.grad_out},
             {a.v, a.grad_grad_out, a.grad_z});
}

#define LIMEN_CUDA_KERNELS(T)                                                                                   \
  template std::size_t workspace_size<T>(ActivationId, const Parameters<Compute<T>>&, std::size_t, bool);       \
  template Status forward<T>(ActivationId, const Parameters<Compute<T>>&, const T*, T*, std::size_t, Workspace, \
                             Stream);                                                                           \
  template Status backward<T>(ActivationId, const Parameters<Compute<T>>&, const T*, const T*, T*, double*,     \
                              std::size_t, Workspace, Stream);                                                  \
  template Status second_backward<T>(ActivationId, const Parameters<Compute<T>>&, const SecondBackward<T>&,     \
                                     std::size_t, Workspace, Stream);

}  // namespace limen::cuda
