// Part of limen. SPDX-License-Identifier: MIT
//
// Moments, entropy and quantiles of every law against its gate and density, by quadrature over quantiles; and the
// maximum-entropy claims.
#include <gtest/gtest.h>

#include <functional>
#include <numbers>
#include <numeric>
#include <vector>

#include "core/expression.h"
#include "core/points.h"
#include "limen/math/random.h"

namespace limen::test {
namespace {

/// One law with its parameters.
struct Law {
  ActivationId id;
  Parameters parameters;
  Distribution about = *distribution(id, parameters.data());

  Quantities<double> operator()(double z) const { return evaluate(id, parameters.data(), z); }
  double at(double p) const { return *quantile(id, parameters.data(), p); }
};

/// Calls f for every law with a density, at every parameter set.
void for_laws(const std::function<void(const Law&)>& f) {
  for (std::size_t i = 0; i < activation_count; ++i)
    for (const Parameters& parameters : parameter_sets(all_infos[i])) {
      const auto id = static_cast<ActivationId>(i);
      if (!distribution(id, parameters.data()) || !evaluate(id, parameters.data(), 0.1).density) continue;
      SCOPED_TRACE(label(all_infos[i], parameters));
      f({id, parameters});
    }
}

/// A point of the quadrature over a law's quantiles t.
struct Node {
  double p, t, weight;
};

/// E g(T) is the sum of g(t) weight: the integral over p = logistic(x) by the trapezoid rule, whose error falls faster
/// than any power of the step where the density is smooth, and like its square where it has a kink.
std::vector<Node> nodes(const Law& law, double step) {
  std::vector<Node> list;
  for (double x = -36; x <= 36; x += step) {
    const double p = 1 / (1 + std::exp(-x));
    if (p < 1) list.push_back({p, law.at(p), p / (1 + std::exp(x)) * step});
  }
  return list;
}

double mean_of(const Law& law, const std::function<double(double)>& g) {
  double sum = 0;
  for (const Node& node : nodes(law, 1. / 256)) sum += g(node.t) * node.weight;
  return sum;
}

TEST(Distribution, QuantilesInvertTheGate) {
  for_laws([](const Law& law) {
    for (const double p : {1e-12, 1e-3, 0.1, 0.3, 0.5, 0.62, 0.9, 0.999})
      EXPECT_NEAR(*law(law.at(p)).gate, p, 1e-13 * p + 1e-15) << p;
  });
}

TEST(Distribution, MomentsAndEntropyAreTheIntegrals) {
  for_laws([](const Law& law) {
    const double scale = law.at(0.75) - law.at(0.25);
    if (std::isfinite(law.about.mean)) {
      // A tail without a variance still weighs something beyond the last quantile.
      const double tolerance = std::isfinite(law.about.variance) ? 1e-8 : 1e-6;
      EXPECT_NEAR(mean_of(law, [](double t) { return t; }), law.about.mean,
                  tolerance * (scale + std::abs(law.about.mean)));
    }
    if (std::isfinite(law.about.variance)) {
      EXPECT_NEAR(mean_of(law, [&](double t) { return (t - law.about.mean) * (t - law.about.mean); }),
                  law.about.variance, 1e-6 * law.about.variance);
    }
    EXPECT_NEAR(mean_of(law, [&](double t) { return -std::log(*law(t).density); }), law.about.entropy, 1e-6);
  });
}

TEST(Distribution, CorrectionsAreHalfTheMeanDistanceAt0) {
  for_laws([](const Law& law) {
    if (law.about.mean != 0 || !law(0).correction) return;
    const double most = *law(0).correction, scale = law.at(0.75) - law.at(0.25);
    EXPECT_NEAR(2 * most, mean_of(law, [](double t) { return std::abs(t); }), 1e-5 * scale);
    for (double z = -10 * scale; z < 10 * scale; z += 0.17 * scale) {
      EXPECT_GE(*law(z).correction, 0) << z;
      EXPECT_LE(*law(z).correction, most) << z;
    }
  });
}

/// What a claim of largest entropy holds fixed, "E ln T and E T^2 = 3", as expressions in T with what they shall be.
struct Fixed {
  std::string expression;
  std::optional<std::string> value;
};

std::vector<Fixed> fixed_by(std::string claim) {
  claim = claim.substr(0, claim.find(", on "));
  std::vector<Fixed> list;
  for (std::size_t end = 0; !claim.empty(); claim.erase(0, end == claim.npos ? end : end + 5)) {
    end = claim.find(" and ");
    const std::string part = claim.substr(0, end);
    const std::size_t equals = part.find(" = ");
    if (part == "the mean") list.push_back({"T", {}});
    if (part == "the variance") list.push_back({"T^2", {}});
    if (part.starts_with("E "))
      list.push_back({part.substr(2, equals == part.npos ? equals : equals - 2),
                      equals == part.npos ? std::nullopt : std::optional(part.substr(equals + 3))});
  }
  return list;
}

/// The number of an expression at a threshold.
double value_at(const Law& law, const std::string& text, double t) {
  return Expression(info(law.id), law.parameters, {{"T", t}})(text);
}

constexpr int waves = 6;
/// A sum of waves cos(j pi F(t)), j = 1, 2, ..., whose means are 0.
using Mix = std::array<double, waves>;

double dot(const Mix& a, const Mix& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.); }

/// What is left of a that is orthogonal to a unit vector.
Mix without(Mix a, const Mix& unit) {
  const double share = dot(a, unit);
  for (int j = 0; j < waves; ++j) a[j] -= share * unit[j];
  return a;
}

Mix waves_at(double p) {
  Mix mix;
  for (int j = 0; j < waves; ++j) mix[j] = std::cos((j + 1) * std::numbers::pi * p);
  return mix;
}

/// Directions in which the mean of one of the expressions would move, as orthogonal units.
std::vector<Mix> forbidden_by(const std::vector<Fixed>& fixed, const Law& law, const std::vector<Node>& points) {
  std::vector<Mix> forbidden;
  for (const Fixed& one : fixed) {
    Mix mix{};
    for (const Node& node : points) {
      const Mix wave = waves_at(node.p);
      const double g = value_at(law, one.expression, node.t) * node.weight;
      for (int j = 0; j < waves; ++j) mix[j] += g * wave[j];
    }
    for (const Mix& other : forbidden) mix = without(mix, other);
    const double length = std::sqrt(dot(mix, mix));
    for (double& m : mix) m /= length;
    forbidden.push_back(mix);
  }
  return forbidden;
}

/// The largest change of entropy from f to densities next to it, f (1 + h), that hold the expressions fixed: h is a
/// small mix of waves of either sign.
double most_entropy_gained(const Law& law, const std::vector<Fixed>& fixed) {
  const std::vector<Node> points = nodes(law, 1. / 32);
  std::vector<double> log_density;
  for (const Node& node : points) log_density.push_back(std::log(*law(node.t).density));
  const std::vector<Mix> forbidden = forbidden_by(fixed, law, points);
  double most = -1;
  for (int k = 0; k < 2 * waves; ++k) {
    Mix mix{};
    mix[k / 2] = k % 2 == 0 ? 0.01 : -0.01;
    for (const Mix& one : forbidden) mix = without(mix, one);
    double change = 0, size = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double h = dot(mix, waves_at(points[i].p));
      change -= ((1 + h) * std::log1p(h) + h * log_density[i]) * points[i].weight;
      size += h * h * points[i].weight;
    }
    if (size > 1e-6) most = std::max(most, change);
  }
  return most;
}

TEST(Distribution, EntropyIsLargestUnderWhatIsClaimed) {
  for_laws([](const Law& law) {
    const std::string claim(law.about.maximum_entropy);
    if (claim.empty()) return;
    SCOPED_TRACE(claim);
    const std::vector<Fixed> fixed = fixed_by(claim);
    EXPECT_TRUE(!fixed.empty() || claim == "the support") << "a claim that this test cannot read";
    for (const Fixed& one : fixed)
      if (one.value) {
        EXPECT_NEAR(mean_of(law, [&](double t) { return value_at(law, one.expression, t); }),
                    value_at(law, *one.value, 0), 1e-6);
      }
    EXPECT_LT(most_entropy_gained(law, fixed), -1e-6);
  });
}

TEST(Distribution, EntropyIsNotLargestUnderTheClaimOfAnother) {
  for (const char* const name : {"silu", "gelu", "iglu_approx"}) {
    const Law law{*find(name), parameter_sets(info(*find(name)))[0]};
    EXPECT_GT(most_entropy_gained(law, {{"ln(1 + T^2)", {}}}), 1e-5) << name;
  }
}

TEST(Distribution, NothingLiesOutsideTheSupport) {
  for_laws([](const Law& law) {
    EXPECT_NEAR(*law(law.about.lower).gate, 0, 1e-15);
    EXPECT_NEAR(*law(law.about.upper).gate, 1, 1e-15);
  });
}

TEST(Distribution, ThresholdsMakeTheActivation) {
  // E[z 1{T <= z}] and E(z - T)+ over 200,000 draws, within four standard errors.
  const math::Stream stream(7, math::Purpose::occupancy);
  constexpr int n = 200000;
  for_laws([&](const Law& law) {
    std::vector<double> thresholds;
    for (int i = 0; i < n; ++i) thresholds.push_back(law.at((stream.word(i) + 0.5) * 0x1p-32));
    for (const double p : {0.1, 0.5, 0.8}) {
      const double z = law.at(p);
      double passed = 0, excess = 0, excess_squared = 0;
      for (const double t : thresholds) {
        const double x = std::max(0., z - t);
        passed += t <= z, excess += x, excess_squared += x * x;
      }
      const auto q = law(z);
      EXPECT_NEAR(z * passed / n, q.value, 4 * std::abs(z) * std::sqrt(p * (1 - p) / n) + 1e-12);
      const double error = std::sqrt((excess_squared / n - excess / n * excess / n) / n);
      if (q.loss && std::isfinite(law.about.variance)) {
        EXPECT_NEAR(excess / n, *q.loss, 4 * error) << z;
      }
    }
  });
}

}  // namespace
}  // namespace limen::test
