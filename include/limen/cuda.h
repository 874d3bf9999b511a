// Part of limen. SPDX-License-Identifier: MIT
//
// The kernels of limen/kernels.h on a GPU: the same formulas, the same directions and types, on pointers to memory of
// the calling thread's current device. Needs no CUDA headers; the library limen_cuda is there where CMake found nvcc.
//
// Calls only launch: they return before the work is done, allocate nothing, never throw or exit, and leave no error
// behind for others to find. No elements launch nothing. Counts may exceed 2^32. Results do not depend on alignment,
// nor sums on anything but n and the channels; arrays aligned to 16 bytes are faster.
#pragma once

#include <cstddef>
#include <string>

#include "limen/narrow.h"
#include "limen/registry.h"

struct CUstream_st;

namespace limen::cuda {

/// A cudaStream_t; null is the default stream.
using Stream = CUstream_st*;

/// What arithmetic on T is done in, and the type of its parameters, as limen::kernels::Compute.
template <class T>
using Compute = std::conditional_t<std::is_same_v<T, double>, double, float>;

/// ok, what was wrong with a call, or any other number: a cudaError_t.
enum class [[nodiscard]] Status : int{ok = 0, channels = -1, workspace = -2, alignment = -3, pointer = -4};

/// One sentence that says what happened; "" for ok.
std::string message(Status status);
/// Empty, or one sentence why there is no device to run on.
std::string device_error();

/// The numbers of an activation's parameters, inside their domains, info(id).parameter_count of them in the order of
/// ActivationInfo::parameter: one set for all elements, in host memory (read before the call returns) or on the device;
/// or one set a channel, one after the other, on the device. Element i belongs to channel i / run % channels.
template <class S>
struct Parameters {
  const S* values = nullptr;
  bool on_device = false;
  std::size_t channels = 1;
  std::size_t run = 1;  ///< not looked at for one channel
};

/// Device memory for the time of the call's work, aligned to 16 bytes; what workspace_size() asks for, null for 0.
struct Workspace {
  void* memory = nullptr;
  std::size_t bytes = 0;
};
/// `sums`: whether the call has grad_parameters.
template <class T>
std::size_t workspace_size(ActivationId id, const Parameters<Compute<T>>& parameters, std::size_t n, bool sums);

/// The functions below exist for T = float, double, BFloat16 and Float16. An output may be one of the element-wise
/// inputs of that call; otherwise it overlaps neither an input nor another output.
/// grad_parameters and w are on the device, parameter_count numbers a channel, as Parameters::values. Sums have fixed
/// parts that are added in a fixed order: the same bits in every run, though not those of the CPU.

/// out[i] = a(z[i])
template <class T>
Status forward(ActivationId id, const Parameters<Compute<T>>& parameters, const T* z, T* out, std::size_t n,
               Workspace workspace = {}, Stream stream = nullptr);

/// grad_z[i] = grad_out[i] a'(z[i]), unless null. grad_parameters[k] = sum over i of grad_out[i] da/dp_k(z[i]), unless
/// null.
template <class T>
Status backward(ActivationId id, const Parameters<Compute<T>>& parameters, const T* z, const T* grad_out, T* grad_z,
                double* grad_parameters, std::size_t n, Workspace workspace = {}, Stream stream = nullptr);

/// The arrays of a backward of backward; any of them but z and grad_out may be null. A null v or w drops its terms.
template <class T>
struct SecondBackward {
  const T* z;
  const T* grad_out;
  const T* v = nullptr;               ///< cotangents of grad_z
  const Compute<T>* w = nullptr;      ///< cotangents of grad_parameters
  T* grad_grad_out = nullptr;         ///< v a' + sum_k w_k da/dp_k
  T* grad_z = nullptr;                ///< grad_out (v a'' + sum_k w_k d2a/dz dp_k)
  double* grad_parameters = nullptr;  ///< [k] = sum over i of grad_out (v d2a/dz dp_k + sum_l w_l d2a/dp_k dp_l)
};
template <class T>
Status second_backward(ActivationId id, const Parameters<Compute<T>>& parameters, const SecondBackward<T>& arrays,
                       std::size_t n, Workspace workspace = {}, Stream stream = nullptr);

}  // namespace limen::cuda
