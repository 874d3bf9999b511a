// Part of limen. SPDX-License-Identifier: MIT
#include "tools/match.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <optional>
#include <vector>

#include "limen/error.h"
#include "tools/golden_section.h"

namespace limen::tools {
namespace {

using Function = std::function<double(double)>;

/// Where the laws have kinks or jumps: the ends of their supports, the quantiles of those given as data (more than a
/// few thousand lie so close that the grid sees as much).
std::vector<double> kinks(const Member& a, const Member& b) {
  constexpr std::size_t most = 4000;
  std::vector<double> all;
  for (const Member* m : {&a, &b}) {
    if (const auto law = m->distribution()) all.insert(all.end(), {law->lower, law->upper});
    if (m->law() && m->law()->quantiles().size() <= most)
      all.insert(all.end(), m->law()->quantiles().begin(), m->law()->quantiles().end());
  }
  std::erase_if(all, [](double z) { return !std::isfinite(z); });
  return all;
}

/// Where f is largest over points that grow geometrically to both sides of 0, then refined around the best of them; and
/// at the kinks and just below them, where it may jump.
Sup largest(const Function& f, const std::vector<double>& kinks) {
  constexpr int steps = 1200;
  const auto point = [](int i) {  // from -1e6 to 1e6, 1e-3 apart near 0
    return std::sinh(i * (std::asinh(1e9) / steps)) * 1e-3;
  };
  int best = 0;
  double size = f(0);
  for (int i = -steps; i <= steps; ++i)
    if (const double value = f(point(i)); value > size) size = value, best = i;
  const double z = golden_section([&](double x) { return -f(x); }, point(best - 1), point(best + 1));
  Sup sup = f(z) > size ? Sup{f(z), z} : Sup{size, point(best)};
  for (const double kink : kinks)
    for (const double x : {kink, std::nextafter(kink, -std::numeric_limits<double>::infinity())})
      if (const double value = f(x); value > sup.size) sup = {value, x};
  return sup;
}

Sup gate_difference(const Member& a, const Member& b) {
  return largest([&](double z) { return std::abs(*a.gate(z) - *b.gate(z)); }, kinks(a, b));
}

/// What is to agree, or for a difference that is to be least, what must exist; none where it does not.
std::optional<double> quantity(Criterion criterion, const Member& a) {
  switch (criterion) {
    case Criterion::curvature:
      return a.at(0.0).curvature;
    case Criterion::correction:
      return a.at(0.0).correction;
    case Criterion::gate:
      return a.at(0.0).gate;
    case Criterion::variance:
      if (const auto law = a.distribution(); law && std::isfinite(law->variance)) return law->variance;
      return {};
    default:
      return 0;
  }
}

std::string_view name(Criterion criterion) { return criterion_names[static_cast<std::size_t>(criterion)]; }

void require_quantity(Criterion criterion, const Member& a) {
  const auto value = quantity(criterion, a);
  if (!value || !std::isfinite(*value))
    throw Error(fmt::format("--match {0}: expected an activation with a finite {0}, got {1}; try --match rms or sup",
                            name(criterion), a.info().name));
}

/// The x between low and high, in logarithms, where f changes its sign.
std::optional<double> root(const Function& f, double low, double high) {
  const double f_low = f(low);
  if (f_low == 0) return low;
  if (!(f_low * f(high) < 0)) return {};
  for (int i = 0; i < 100; ++i) {
    const double middle = std::sqrt(low * high);
    (f(middle) * f_low > 0 ? low : high) = middle;
  }
  return std::sqrt(low * high);
}

/// The x between low and high, in logarithms, where f is least: the best of a grid, then by golden section. None when
/// that is an end: f may be less beyond, or everywhere the same.
std::optional<double> least(const Function& f, double low, double high) {
  constexpr int steps = 60;
  const double ratio = std::pow(high / low, 1.0 / steps);
  double best = low, size = f(low);
  for (double x = low; x <= high * 1.000001; x *= ratio)
    if (const double value = f(x); value < size) size = value, best = x;
  if (best < low * ratio || best * ratio > high) return {};
  const auto of_logarithm = [&](double x) { return f(std::exp(x)); };
  return std::exp(golden_section(of_logarithm, std::log(best / ratio), std::log(best * ratio)));
}

/// The integral of f over [centre - half, centre + half] by the Gauss-Legendre rule of 8 points.
double gauss(const Function& f, double centre, double half) {
  static constexpr double nodes[] = {0.18343464249564980494, 0.52553240991632898582, 0.79666647741362673959,
                                     0.96028985649753623168};
  static constexpr double weights[] = {0.36268378337836198297, 0.31370664587788728734, 0.22238103445337447054,
                                       0.10122853629037625915};
  double sum = 0;
  for (int i = 0; i < 4; ++i) sum += weights[i] * (f(centre - half * nodes[i]) + f(centre + half * nodes[i]));
  return sum * half;
}

}  // namespace

Sup sup_difference(const Member& a, const Member& b) {
  return largest([&](double z) { return std::abs(a.value(z) - b.value(z)); }, kinks(a, b));
}

double rms_difference(const Member& a, const Member& b) {
  const auto weighted = [&](double z) {
    const double difference = a.value(z) - b.value(z);
    return difference * difference * std::exp(-z * z / 2);
  };
  std::vector<double> ends = kinks(a, b);  // Panels end there.
  std::erase_if(ends, [](double kink) { return std::abs(kink) >= 10; });
  ends.insert(ends.end(), {-10, 0, 10});
  std::sort(ends.begin(), ends.end());
  double sum = 0;
  for (std::size_t i = 1; i < ends.size(); ++i) {
    const int panels = static_cast<int>(std::ceil(4 * (ends[i] - ends[i - 1])));
    const double width = (ends[i] - ends[i - 1]) / std::max(panels, 1);
    for (int k = 0; k < panels; ++k) sum += gauss(weighted, ends[i - 1] + (k + 0.5) * width, width / 2);
  }
  return std::sqrt(sum / std::sqrt(2 * std::numbers::pi));
}

Member matched(const Member& from, std::size_t free, const Member& to, Criterion criterion) {
  require_quantity(criterion, from);
  require_quantity(criterion, to);
  Member trial = from;
  const auto with = [&](double x) -> const Member& {
    trial.set(free, x);
    return trial;
  };
  const auto least_of = [&](auto difference) {
    constexpr double low = 1e-3, high = 1e3;
    const auto x = least([&](double p) { return difference(with(p)); }, low, high);
    if (!x)
      throw Error(
          fmt::format("--match {}: no {} of {} between {:g} and {:g} is nearer to {} than those on both its sides",
                      name(criterion), from.info().parameter[free].name, from.info().name, low, high, to.info().name));
    return with(*x);
  };
  if (criterion == Criterion::rms) return least_of([&](const Member& a) { return rms_difference(a, to); });
  if (criterion == Criterion::sup) return least_of([&](const Member& a) { return sup_difference(a, to).size; });
  if (criterion == Criterion::gate) return least_of([&](const Member& a) { return gate_difference(a, to).size; });
  constexpr double low = 1e-6, high = 1e6;
  const double target = *quantity(criterion, to);
  const auto x = root([&](double p) { return *quantity(criterion, with(p)) - target; }, low, high);
  if (!x)
    throw Error(fmt::format("--match {0}: no {1} of {2} between {3:g} and {4:g} gives the {0} of {5}, {6:.6g}",
                            name(criterion), from.info().parameter[free].name, from.info().name, low, high,
                            to.info().name, target));
  return with(*x);
}

}  // namespace limen::tools
