// Part of limen. SPDX-License-Identifier: MIT
#include "cli/facts.h"

#include <fmt/format.h>

#include <cmath>

#include "limen/digits.h"
#include "tools/geometry.h"

namespace limen::cli {

std::string number(const figures::Curve& curve, double z) {
  const double y = curve.at(z).value_or(std::nan(""));
  return std::isfinite(y) ? fmt::format("{:.6g}", y + 0.0) : shortest(y);
}

std::string behaviour(const figures::Curve& curve, bool to_right) {
  const auto [slope, offset] = tools::asymptote(curve, to_right);
  constexpr double nothing = 1e-6;
  if (slope == 0 && !std::isnan(offset)) return fmt::format("{:.6g}", std::abs(offset) < nothing ? 0 : offset);
  if (slope == 0) return number(curve, to_right ? INFINITY : -INFINITY);
  const std::string line = slope == 1 ? "z" : fmt::format("{:.6g} z", slope);
  if (std::isnan(offset)) return line + " + o(z)";
  if (std::abs(offset) < nothing) return line + " + o(1)";
  return fmt::format("{} {} {:.6g} + o(1)", line, offset < 0 ? '-' : '+', std::abs(offset));
}

Stated minimum(const figures::Curve& curve) {
  const auto found = tools::minimum(curve);
  if (!found) return {"none", false};
  return {fmt::format("{:.6g} at z = {:.6g}", found->value, found->at)};
}

Stated fact(std::string_view formula) {
  if (formula == "nan") return {"none", false};
  return {std::string(formula)};
}

Stated loss_of(const ActivationInfo& about) {
  if (about.loss == "inf") return {"infinite", false};
  if (about.loss.empty()) return {"no closed form", false};
  return {std::string(about.loss), !about.loss.starts_with("the ")};
}

Stated entropy_given(const Member& chosen) {
  const std::string_view claim = chosen.distribution()->maximum_entropy;
  if (claim.empty()) return {"-", false};
  return {std::string(claim), !claim.starts_with("the ")};
}

}  // namespace limen::cli
