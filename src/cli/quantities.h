// Part of limen. SPDX-License-Identifier: MIT
//
// What `limen eval` says about one activation at one point, as text, by any of the ways this program can compute it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limen/kernels.h"
#include "limen/member.h"

namespace limen::cli {

/// The core (every quantity), a kernel or the torch operator (value and slopes only).
struct Method {
  enum class Path { core, kernel, torch };
  bool single = false;  ///< f32 instead of f64
  Path path = Path::core;
  kernels::Isa isa = kernels::Isa::scalar;  ///< of Path::kernel

  std::string describe() const;
};

/// From --dtype and --path, "" where not given; LIMEN_ISA stands in for a missing path in f32. Throws limen::Error.
Method to_method(std::string_view dtype, std::string_view path);

/// Replaces an alias, fills in defaults, checks domains after rounding to the method's type.
/// name: of an activation, its parameters perhaps in parentheses: "uelu(beta=1)"; or "empirical(FILE)".
/// settings: further "name=value" each. Throws limen::Error.
Member choose(const std::string& name, const std::vector<std::string>& settings, const Method& method);

inline constexpr std::array<std::string_view, 8> quantity_names = {"value",   "slope", "curvature", "gate",
                                                                   "density", "loss",  "centred",   "correction"};

/// Shortest digits that read back exactly in the method's type; "" where a quantity does not exist or the path does not
/// compute it.
struct Answer {
  std::string z;  ///< as it was rounded
  std::array<std::string, quantity_names.size()> quantities;
  std::vector<std::string> parameter_slopes;  ///< "" in a whole number
};

Answer answer(const Member& chosen, std::string_view z, const Method& method);

}  // namespace limen::cli
