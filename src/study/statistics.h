// Part of limen. SPDX-License-Identifier: MIT
//
// Means, spreads and paired differences, with what may be said about them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace limen::study {

/// Mean and standard deviations of a sample. One value has a mean and no spread.
struct Sample {
  int n = 0;
  double mean = 0;
  std::optional<double> deviation;             ///< divisor n - 1: the sample standard deviation
  std::optional<double> population_deviation;  ///< divisor n: to stand beside published ones that use it
};

/// Of an empty list: n = 0, mean NaN.
Sample sample(const std::vector<double>& values);

/// The middle value, of an even count the mean of the two in the middle. Of an empty list: NaN.
double median(std::vector<double> values);

/// t with P(T <= t) = probability for Student's t with `degrees` >= 1 degrees of freedom; within 1e-10
/// relative for probabilities in [0.001, 0.999].
double student_t_quantile(double probability, int degrees);

/// Differences pair by pair, their mean and its 95 % interval: mean +- t(0.975, n - 1) s / sqrt(n).
struct Paired {
  int n = 0;
  double mean = 0;
  std::optional<double> low, high;  ///< none when n < 2

  bool clear() const { return low && (*low > 0 || *high < 0); }  ///< the interval leaves out 0
};

Paired paired(const std::vector<double>& values, const std::vector<double>& baseline);

/// `digits` after the point, and no sign on a zero. Whatever the locale.
std::string fixed(double value, int digits);

/// For example "uelu minus gelu: -0.012 (95 % interval -0.034 to 0.010, n = 5): within seed noise." `digits` after the
/// point.
std::string sentence(std::string_view arm, std::string_view baseline, const Paired& difference, int digits);

}  // namespace limen::study
