// Part of limen. SPDX-License-Identifier: MIT
#include "study/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace limen::study {
namespace {

// P(|T| <= t) for t = sqrt(degrees) tan(angle): the finite sums of Abramowitz and Stegun 26.7.3 and 26.7.4.
double central_probability(double angle, int degrees) {
  const double cosine2 = std::cos(angle) * std::cos(angle);
  const bool odd = degrees % 2 == 1;
  double term = odd ? std::cos(angle) : 1;
  double sum = degrees == 1 ? 0 : term;
  for (int k = odd ? 3 : 2; k < degrees - 1; k += 2) {
    term *= cosine2 * (k - 1) / k;
    sum += term;
  }
  sum *= std::sin(angle);
  return odd ? 2 / std::numbers::pi * (angle + sum) : sum;
}

}  // namespace

Sample sample(const std::vector<double>& values) {
  Sample out;
  out.n = static_cast<int>(values.size());
  if (values.empty()) return {0, std::numeric_limits<double>::quiet_NaN(), {}, {}};
  for (const double value : values) out.mean += value / out.n;
  if (out.n < 2) return out;
  double squares = 0;
  for (const double value : values) squares += (value - out.mean) * (value - out.mean);
  out.deviation = std::sqrt(squares / (out.n - 1));
  out.population_deviation = std::sqrt(squares / out.n);
  return out;
}

double median(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::ranges::sort(values);
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

double student_t_quantile(double probability, int degrees) {
  const double central = std::abs(2 * probability - 1);
  double low = 0, high = std::numbers::pi / 2;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (central_probability(middle, degrees) < central ? low : high) = middle;
  }
  return std::copysign(std::sqrt(degrees) * std::tan((low + high) / 2), probability - 0.5);
}

Paired paired(const std::vector<double>& values, const std::vector<double>& baseline) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < values.size(); ++i) differences.push_back(values[i] - baseline[i]);
  const Sample all = sample(differences);
  Paired out{all.n, all.mean, {}, {}};
  if (all.n < 2) return out;
  const double reach = student_t_quantile(0.975, all.n - 1) * *all.deviation / std::sqrt(all.n);
  out.low = all.mean - reach;
  out.high = all.mean + reach;
  return out;
}

std::string fixed(double value, int digits) {
  std::string text = fmt::format("{:.{}f}", value, digits);
  // "-0.000" would tell of a sign that the digits do not show.
  if (text.starts_with('-') && text.find_first_of("123456789in") == std::string::npos) text.erase(0, 1);
  return text;
}

std::string sentence(std::string_view arm, std::string_view baseline, const Paired& difference, int digits) {
  const std::string subject = fmt::format("{} minus {}", arm, baseline);
  if (difference.n == 0) return subject + ": no seed is done for both.";
  const std::string mean = fixed(difference.mean, digits);
  if (!difference.low) return fmt::format("{}: {} (one seed: no spread, so nothing can be said).", subject, mean);
  const char* verdict = !difference.clear()   ? "within seed noise"
                        : difference.mean < 0 ? "lower by more than seed noise"
                                              : "higher by more than seed noise";
  // Two differences that happen to agree make an interval that looks better than it is.
  const char* caution = difference.n == 2 && difference.clear() ? ", but two seeds are few" : "";
  return fmt::format("{}: {} (95 % interval {} to {}, n = {}): {}{}.", subject, mean, fixed(*difference.low, digits),
                     fixed(*difference.high, digits), difference.n, verdict, caution);
}

}  // namespace limen::study
