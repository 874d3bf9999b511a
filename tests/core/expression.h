// Part of limen. SPDX-License-Identifier: MIT
//
// The number that an expression of ActivationInfo stands for, such as "-gamma / sqrt(2 pi)": sums, products (also by
// juxtaposition), quotients, brackets, sqrt, pi, inf and the parameters' names.
#pragma once

#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "parameters.h"

namespace limen::test {

class Expression {
 public:
  Expression(const ActivationInfo& info, const Parameters& parameters) : info_(info), parameters_(parameters) {}

  /// NaN where the text is not an expression.
  double operator()(std::string_view text) {
    rest_ = text;
    const double total = sum();
    return rest_.empty() ? total : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  bool take(char c) {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  double sum() {
    double total = take('-') ? -product() : product();
    while (true)
      if (take('+'))
        total += product();
      else if (take('-'))
        total -= product();
      else
        return total;
  }
  double product() {
    double total = factors();
    while (true)
      if (take('*'))
        total *= factors();
      else if (take('/'))
        total /= factors();
      else
        return total;
  }
  /// Neighbours without a sign between them.
  double factors() {
    double total = factor();
    while (take(' '), !rest_.empty() && (std::isalnum(static_cast<unsigned char>(rest_[0])) || rest_[0] == '('))
      total *= factor();
    return total;
  }
  double factor() {
    if (take('(')) {
      const double inner = sum();
      return take(')') ? inner : std::numeric_limits<double>::quiet_NaN();
    }
    double number = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    std::size_t length = static_cast<std::size_t>(end - rest_.data());
    if (error == std::errc() && std::isdigit(static_cast<unsigned char>(rest_[0]))) {
      rest_.remove_prefix(length);
      return number;
    }
    length = 0;
    while (length < rest_.size() && (std::isalnum(static_cast<unsigned char>(rest_[length])) || rest_[length] == '_'))
      ++length;
    const std::string_view name = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return named(name);
  }
  double named(std::string_view name) {
    if (name == "sqrt") return std::sqrt(factor());
    if (name == "pi") return 3.14159265358979323846;
    if (name == "inf") return std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < info_.parameter_count; ++k)
      if (info_.parameter[k].name == name) return parameters_[k];
    return std::numeric_limits<double>::quiet_NaN();
  }

  const ActivationInfo& info_;
  const Parameters& parameters_;
  std::string_view rest_;
};

}  // namespace limen::test
