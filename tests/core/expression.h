// Part of limen. SPDX-License-Identifier: MIT
//
// The number that a formula of ActivationInfo or Distribution stands for, such as "-gamma / sqrt(2 pi)",
// "ln(1 + sigma |T|)" or "w / (1 + w) for z > 0, else 0; w = z^(2N)": sums, products (also by juxtaposition),
// quotients, powers, brackets, |x|, the functions below, cases, abbreviations after a semicolon, and further words that
// are given.
#pragma once

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "parameters.h"

namespace limen::test {

class Expression {
 public:
  Expression(const ActivationInfo& info, const Parameters& parameters, std::map<std::string, double> words = {})
      : info_(info), parameters_(parameters), words_(std::move(words)) {}

  /// NaN where the text is not an expression.
  double operator()(std::string_view text, double z = not_a_number) {
    z_ = z;
    const std::size_t semicolon = text.find("; ");
    if (semicolon != text.npos) read_abbreviations(text.substr(semicolon + 2));
    return cases(text.substr(0, semicolon));
  }

 private:
  static constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

  /// "g = z w, w = z^2"
  void read_abbreviations(std::string_view text) {
    while (!text.empty()) {
      const std::size_t equals = text.find(" = "), next = text.find(" = ", equals + 1);
      const std::size_t end = next == text.npos ? text.size() : text.rfind(", ", next);
      abbreviations_[text.substr(0, equals)] = text.substr(equals + 3, end - equals - 3);
      text.remove_prefix(std::min(end + 2, text.size()));
    }
  }
  /// "A for z > 0, else B"
  double cases(std::string_view text) {
    const std::size_t comma = text.find(", else ");
    const std::string_view first = text.substr(0, comma);
    const std::size_t condition = first.find(" for ");
    if (condition == first.npos) return whole(first);
    if (holds(first.substr(condition + 5))) return whole(first.substr(0, condition));
    return comma == text.npos ? not_a_number : cases(text.substr(comma + 7));
  }
  bool holds(std::string_view condition) {
    const std::size_t sign = condition.find_first_of("<>"), right = condition.find(' ', sign);
    const double a = whole(condition.substr(0, sign)), b = whole(condition.substr(right));
    return (condition[sign] == '<' ? a < b : a > b) || (condition[sign + 1] == '=' && a == b);
  }
  double whole(std::string_view text) {
    while (text.ends_with(' ')) text.remove_suffix(1);
    const std::string_view outer = std::exchange(rest_, text);
    const double total = sum();
    const bool complete = rest_.empty();
    rest_ = outer;
    return complete ? total : not_a_number;
  }
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
    double total = power();
    while (take(' '), !rest_.empty() && (std::isalnum(static_cast<unsigned char>(rest_[0])) || rest_[0] == '(' ||
                                         (rest_[0] == '|' && !within_size_)))
      total *= power();
    return total;
  }
  double power() {
    const double base = factor();
    return rest_.starts_with('^') && take('^') ? std::pow(base, factor()) : base;
  }
  double closed(double inner, char bracket) { return take(bracket) ? inner : not_a_number; }
  double size() {
    within_size_ = true;
    const double inner = sum();
    within_size_ = false;
    return std::abs(closed(inner, '|'));
  }
  double factor() {
    if (take('(')) return closed(sum(), ')');
    if (take('|')) return size();
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
    if (const auto word = words_.find(std::string(name)); word != words_.end()) return word->second;
    if (name == "ln") return std::log(power());  // "ln 2" needs no brackets
    if (name == "pi") return 3.14159265358979323846;
    if (name == "e") return 2.71828182845904523536;
    if (name == "inf") return std::numeric_limits<double>::infinity();
    if (name == "z") return z_;
    for (std::size_t k = 0; k < info_.parameter_count; ++k)
      if (info_.parameter[k].name == name) return parameters_[k];
    if (const auto found = abbreviations_.find(name); found != abbreviations_.end()) return whole(found->second);
    return take('(') ? closed(function(name), ')') : not_a_number;
  }
  double function(std::string_view name) {
    const double x = sum();
    if (name == "sqrt") return std::sqrt(x);
    if (name == "exp") return std::exp(x);
    if (name == "log") return std::log(x);
    if (name == "sin") return std::sin(x);
    if (name == "tanh") return std::tanh(x);
    if (name == "cosh") return std::cosh(x);
    if (name == "arctan") return std::atan(x);
    if (name == "Phi") return 0.5 * std::erfc(-x / std::sqrt(2.0));
    if (name == "phi") return std::exp(-0.5 * x * x) / std::sqrt(2 * 3.14159265358979323846);
    const double y = take(',') ? sum() : not_a_number;
    if (name == "max") return std::max(x, y);
    if (name == "clip") return std::clamp(x, y, take(',') ? sum() : not_a_number);
    return not_a_number;
  }

  const ActivationInfo& info_;
  const Parameters& parameters_;
  double z_ = not_a_number;
  std::map<std::string_view, std::string_view> abbreviations_;
  std::map<std::string, double> words_;
  std::string_view rest_;
  bool within_size_ = false;
};

}  // namespace limen::test
