// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>

namespace limen {

/// The user's mistake, told in one sentence: "WHERE: expected X, got Y; try Z" (CONTRIBUTING.md).
/// Thrown by everything above the kernels; `limen` the program prints it and exits with 2 (or 1 for a failed run).
/// The core (math, laws, activations, registry) and the kernels never throw.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace limen
