// Part of limen. SPDX-License-Identifier: MIT
//
// Parameters on their way from tensors to the kernels on the CPU, and sums on their way back.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "limen/strided.h"
#include "operators/call.h"

namespace limen::op {

/// Throws limen::Error where LIMEN_ISA asks for kernels that are not there.
void check_isa();

/// The values of a tensor of any floating type, in order.
std::vector<double> values_of(const at::Tensor& tensor);

/// The parameters of `count` channels. Those that lie outside their domain (tensors are not checked before: on other
/// devices that would wait for the device) make the whole channel NaN.
template <class S>
std::vector<kernels::Channel<S>> read_channels(const Call& call, std::int64_t count) {
  std::vector<kernels::Channel<S>> channels(static_cast<std::size_t>(count));
  for (std::size_t k = 0; k < call.parameter_count(); ++k) {
    const auto numbers = call.tensor[k].defined() ? values_of(call.tensor[k]) : std::vector{call.number[k]};
    for (std::size_t c = 0; c < channels.size(); ++c) {
      const S number = static_cast<S>(numbers[call.per_channel[k] ? c : 0]);
      channels[c].parameter[k] = number;
      channels[c].valid = channels[c].valid && info(call.id).parameter[k].accepts(static_cast<double>(number));
    }
  }
  return channels;
}

/// Room for the sums of every tile of a walk, which are added in order when all are there: the bits do not depend on
/// who wrote them.
class Sums {
 public:
  /// `parameters` a channel; 0 for none.
  Sums(const kernels::Walk& walk, std::size_t parameters)
      : walk_(walk), parameters_(parameters), of_tiles_(static_cast<std::size_t>(walk.tiles()) * of_tile()) {}

  /// Of one tile, or null.
  double* at(std::int64_t tile) {
    return parameters_ == 0 ? nullptr : of_tiles_.data() + static_cast<std::size_t>(tile) * of_tile();
  }
  /// The gradient of parameter k, shaped and typed as its tensor.
  at::Tensor gradient(const Call& call, std::size_t k) const;

 private:
  std::size_t of_tile() const { return static_cast<std::size_t>(walk_.channels_of_tile()) * parameters_; }

  const kernels::Walk& walk_;
  std::size_t parameters_;
  std::vector<double> of_tiles_;
};

}  // namespace limen::op
