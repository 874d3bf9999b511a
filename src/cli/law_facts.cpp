// Part of limen. SPDX-License-Identifier: MIT
#include "cli/law_facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <optional>
#include <vector>

#include "cli/catalogue.h"
#include "limen/digits.h"
#include "limen/evaluate.h"

namespace limen::cli {
namespace {

using Fact = double Distribution::*;
using Values = std::vector<double>;

double fact(ActivationId id, const Values& parameters, Fact member) {
  return (*distribution(id, parameters.data())).*member;
}

Values defaults(ActivationId id) {
  Values values;
  for (const Parameter& p : parameters(info(id))) values.push_back(p.initial);
  return values;
}

std::string at_defaults(ActivationId id, bool integers_alone) {
  std::vector<std::string> all;
  for (const Parameter& p : parameters(info(id)))
    if (p.integer || !integers_alone) all.push_back(fmt::format("{} = {}", p.name, shortest(p.initial)));
  return all.empty() ? "" : fmt::format(" at {}", fmt::join(all, ", "));
}

/// What the fact gains, by `change`, from each parameter's doubling, whole numbers aside: none where one doubling and
/// three disagree.
std::optional<Values> gains(ActivationId id, Fact member, const std::function<double(double, double)>& change) {
  const Values start = defaults(id);
  const double first = fact(id, start, member);
  Values all;
  for (std::size_t k = 0; k < start.size(); ++k) {
    if (info(id).parameter[k].integer) {
      all.push_back(0);
      continue;
    }
    Values half = start, eighth = start;
    half[k] = start[k] == 0 ? -1 : start[k] / 2, eighth[k] = start[k] == 0 ? -3 : start[k] / 8;
    const double gain = change(fact(id, half, member), first);
    const double gain_of_three = change(fact(id, eighth, member), first);
    const double rounded = std::round(2 * gain) / 2;
    if (!(std::abs(gain - rounded) < 1e-9 && std::abs(gain_of_three - 3 * rounded) < 1e-9)) return {};
    all.push_back(rounded);
  }
  return all;
}

bool depends_on_integers(ActivationId id, Fact member) {
  Values other = defaults(id);
  const double first = fact(id, other, member);
  for (std::size_t k = 0; k < other.size(); ++k)
    if (info(id).parameter[k].integer) other[k] += 1;
  const double second = fact(id, other, member);
  return second != first && !(std::isnan(first) && std::isnan(second));
}

std::string power(std::string_view name, double exponent) {
  return exponent == 1 ? std::string(name) : fmt::format("{}^{}", name, shortest(exponent));
}

/// "pi^2 / (3 slope^2)": a constant, whose quotient by a small whole number or by pi^2 is recognised, times powers.
std::string product(double constant, const Values& exponents, ActivationId id) {
  std::vector<std::string> over, under;
  const auto whole = [](double x) { return x > 1.5 && std::abs(x - std::round(x)) < 1e-12 * x && x < 100; };
  const double pi_squares = constant / (std::numbers::pi * std::numbers::pi);
  if (whole(1 / pi_squares)) {
    over.emplace_back("pi^2");
    under.push_back(fmt::format("{:.0f}", 1 / pi_squares));
  } else if (whole(1 / constant)) {
    under.push_back(fmt::format("{:.0f}", 1 / constant));
  } else if (std::abs(constant - 1) > 1e-12) {
    over.push_back(fmt::format("{:.6g}", constant));
  }
  for (std::size_t k = 0; k < exponents.size(); ++k) {
    if (exponents[k] > 0) over.push_back(power(info(id).parameter[k].name, exponents[k]));
    if (exponents[k] < 0) under.push_back(power(info(id).parameter[k].name, -exponents[k]));
  }
  const std::string text = over.empty() ? "1" : fmt::format("{}", fmt::join(over, " "));
  if (under.empty()) return text;
  if (under.size() == 1) return fmt::format("{} / {}", text, under.front());
  return fmt::format("{} / ({})", text, fmt::join(under, " "));
}

std::string moment(ActivationId id, Fact member) {
  const Values start = defaults(id);
  const double first = fact(id, start, member);
  const std::string where = depends_on_integers(id, member) ? at_defaults(id, true) : "";
  if (std::isnan(first) || std::isinf(first)) return shortest(first) + where;
  const auto ratio = [](double half, double whole) { return half == whole ? 0 : std::log2(whole / half); };
  const auto exponents = gains(id, member, ratio);
  if (!exponents) return fmt::format("{:.6g}{}", first, at_defaults(id, false));
  if (first == 0) return "0" + where;
  double constant = first;
  for (std::size_t k = 0; k < start.size(); ++k) constant /= std::pow(start[k], (*exponents)[k]);
  return product(constant, *exponents, id) + where;
}

}  // namespace

std::string mean_formula(ActivationId id) { return moment(id, &Distribution::mean); }
std::string variance_formula(ActivationId id) { return moment(id, &Distribution::variance); }

std::string entropy_formula(ActivationId id) {
  const Fact member = &Distribution::entropy;
  const Values start = defaults(id);
  double constant = fact(id, start, member);
  if (std::isinf(constant)) return shortest(constant);
  const auto difference = [](double half, double whole) { return (whole - half) / std::numbers::ln2; };
  const auto factors = gains(id, member, difference);
  if (!factors) return fmt::format("{:.6g}{}", constant, at_defaults(id, false));
  for (std::size_t k = 0; k < start.size(); ++k)
    if ((*factors)[k] != 0) constant -= (*factors)[k] * std::log(start[k]);
  std::string text = std::abs(constant) < 1e-12 ? "" : fmt::format("{:.6g}", constant);
  for (std::size_t k = 0; k < start.size(); ++k) {
    const double factor = (*factors)[k];
    if (factor == 0) continue;
    const bool first = text.empty();
    text += factor < 0 ? (first ? "-" : " - ") : (first ? "" : " + ");
    if (std::abs(factor) != 1) text += shortest(std::abs(factor)) + ' ';
    text += fmt::format("ln {}", info(id).parameter[k].name);
  }
  return (text.empty() ? "0" : text) + (depends_on_integers(id, member) ? at_defaults(id, true) : "");
}

std::string support(ActivationId id) {
  const Values start = defaults(id);
  const double lower = fact(id, start, &Distribution::lower), upper = fact(id, start, &Distribution::upper);
  if (std::isinf(lower) && std::isinf(upper)) return "the real line";
  if (lower == upper) return fmt::format("{:.6g} alone", lower);
  if (std::isinf(upper)) return fmt::format("[{:.6g}, inf)", lower);
  return fmt::format("[{:.6g}, {:.6g}]{}", lower, upper, at_defaults(id, false));
}

}  // namespace limen::cli
