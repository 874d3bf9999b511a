// Part of limen. SPDX-License-Identifier: MIT
#include "tools/geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tools/golden_section.h"

namespace limen::tools {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double value(const figures::Curve& curve, double z) {
  return curve.at(z).value_or(std::numeric_limits<double>::quiet_NaN());
}

/// Points on both sides of 0, an eighth of an octave apart, and those that the curve names.
std::vector<double> grid(const figures::Curve& curve) {
  std::vector<double> points{0};
  for (int i = -160; i <= 160; ++i)
    for (const double sign : {-1, 1}) points.push_back(sign * std::exp2(i / 8.0));
  points.insert(points.end(), curve.breaks.begin(), curve.breaks.end());
  points.insert(points.end(), curve.guides.begin(), curve.guides.end());
  std::ranges::sort(points);
  return points;
}

}  // namespace

std::optional<Minimum> minimum(const figures::Curve& curve) {
  const auto f = [&](double z) { return value(curve, z); };
  const std::vector<double> points = grid(curve);
  std::size_t best = 1;
  for (std::size_t i = 1; i + 1 < points.size(); ++i)
    if (f(points[i]) < f(points[best])) best = i;
  const double z = golden_section(f, points[best - 1], points[best + 1]);
  const Minimum found = f(z) < f(points[best]) ? Minimum{z, f(z)} : Minimum{points[best], f(points[best])};
  const double end = std::min(f(-infinity), f(infinity));
  // What nears an end's value like 1 / z is below it by rounding alone.
  if (!(found.value < end - 1e-9 * (1 + std::abs(end)))) return {};
  return found;
}

Asymptote asymptote(const figures::Curve& curve, bool to_right) {
  const double sign = to_right ? 1 : -1, end = value(curve, sign * infinity);
  if (!std::isinf(end)) return {0, end};
  // Far enough for what falls like 1 / z, and near enough for the difference to keep its digits.
  const double far = sign * 0x1p27, nearer = far / 16;
  const double secant = (value(curve, far) - value(curve, nearer)) / (far - nearer);
  const auto along = [&](double slope, double before) -> Asymptote {
    const double there = value(curve, far) - slope * far, then = value(curve, before) - slope * before;
    const bool settled = std::abs(there - then) <= 1e-5 * (1 + std::abs(there));
    return {slope, settled ? there : std::numeric_limits<double>::quiet_NaN()};
  };
  double slope = secant;
  for (const double known : {0.0, 1.0})
    if (std::abs(secant - known) < 1e-4) slope = known;
  // Nearly 1 may be 1, or what it is; nearly 0 is not 0 where there is a line to infinity.
  if (const Asymptote rounded = along(slope, nearer); slope == 1 && !std::isnan(rounded.offset)) return rounded;
  const Asymptote line = along(secant, nearer / 16);  // the secant itself holds at two points whatever the curve
  return std::isnan(line.offset) ? Asymptote{slope, line.offset} : line;
}

}  // namespace limen::tools
