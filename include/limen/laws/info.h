// Part of limen. SPDX-License-Identifier: MIT
//
// What an activation says about itself; a law says it of the activation it gives. Every later layer (kernels,
// operators, modules, command line, docs, tests) reads these and knows no activation by name.
#pragma once

#include <cstddef>
#include <limits>
#include <string_view>

namespace limen {

/// How an unconstrained learned number becomes a parameter.
enum class Learned {
  no,        ///< the parameter cannot be learned
  directly,  ///< the parameter is the learned number
  softplus,  ///< parameter = lower_learned + softplus(raw / temperature): positive and smooth
  sigmoid,   ///< parameter = sigmoid(raw): between 0 and 1
};

/// One parameter: valid for lower < p < upper (`closed`: lower <= p <= upper). NaN and infinities are never valid.
struct Parameter {
  std::string_view name;
  double initial;
  double lower;
  double upper;
  bool closed = false;
  std::string_view meaning;
  Learned learned = Learned::no;
  double lower_learned = 0;  ///< least value of a learned parameter under Learned::softplus
  double temperature = 1;    ///< under Learned::softplus: how far raw moves for a parameter that moves by about 1
  double initial_learned = std::numeric_limits<double>::quiet_NaN();  ///< see start()

  bool integer = false;  ///< whole numbers only: there is no slope in it, and what stands for one is 0

  /// Where a learned parameter begins unless told otherwise.
  constexpr double start() const { return initial_learned == initial_learned ? initial_learned : initial; }

  constexpr bool accepts(double p) const {
    const bool inside = closed ? p >= lower && p <= upper : p > lower && p < upper;
    return inside && (!integer || p == static_cast<double>(static_cast<long long>(p)));
  }
};

/// Scales, rates and the sizes of locations stay below `widest`, and scales and rates above `narrowest`: so far apart
/// that no use meets them, and near enough that no product inside a formula overflows in f32.
inline constexpr double widest = 1e24;
inline constexpr double narrowest = 1e-24;

/// A width, scale or rate: positive, and kept from 0 where it is learned, which begins at `initial` or at `start`.
constexpr Parameter positive(std::string_view name, double initial, std::string_view meaning,
                             double start = std::numeric_limits<double>::quiet_NaN()) {
  return {name, initial, narrowest, widest, false, meaning, Learned::softplus, 1e-3, 1, start};
}

/// No activation has more parameters than this.
inline constexpr std::size_t max_parameters = 3;

/// Pairs of n parameters, p <= q, counted as (0, 0), (0, 1), ..., (1, 1), ...
constexpr std::size_t pair_count(std::size_t n) { return n * (n + 1) / 2; }
constexpr std::size_t pair_index(std::size_t p, std::size_t q, std::size_t n) { return p * n - pair_count(p) + q; }

/// The largest errors in f32 and in f64, in units in the last place (of the largest term where terms can cancel).
/// tests/core/accuracy_test.cpp enforces them, for laws given as data tests/core/empirical_test.cpp.
struct ErrorBound {
  double value;  ///< of values, gates and losses
  double slope;  ///< of slopes, curvatures, densities, corrections and slopes in parameters
};

/// Bounds in the same sense for every activation: of second derivatives with a parameter in them, and of the slope of a
/// density (where neither z nor the density is subnormal).
inline constexpr double second_derivative_bound = 4;
inline constexpr double density_slope_bound = 7;

/// Formulas are plain text in z and the parameters' names: "A for z > 0, else B", abbreviations after a semicolon, Phi
/// and phi for the normal distribution function and density. tests/core/formula_test.cpp computes with them.
struct ActivationInfo {
  std::string_view name;
  std::string_view title;  ///< as papers write the name
  std::string_view formula;
  std::string_view slope;      ///< formula of the derivative in z
  std::string_view law;        ///< the law of the threshold, or "" when there is none
  std::string_view gate = "";  ///< formula of F, or ""
  std::string_view loss = "";  ///< formula of E(z - T)+, "inf", words ("the ..."), or "" without a closed form
  std::string_view mean = "";  ///< of the threshold, in the parameters: a formula, "inf", or "nan" where there is none
  std::string_view variance = "";  ///< likewise
  std::string_view entropy = "";   ///< likewise; 6 digits where there is no closed form
  std::string_view limit;    ///< of the value as z -> -inf: a number, "-inf", or an expression in z and the parameters
  bool power_tails = false;  ///< whether limits are approached like a power of z, and not from some z on
  std::string_view reference;  ///< where the formula comes from
  ErrorBound bound;
  std::size_t parameter_count = 0;
  Parameter parameter[max_parameters] = {};
  bool meets_at_0 = false;  ///< made of two formulas that meet at 0, where some derivative jumps
};

}  // namespace limen
