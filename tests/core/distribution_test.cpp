// Part of limen. SPDX-License-Identifier: MIT
//
// Moments, entropy and quantiles of every law against its gate and density, by quadrature over quantiles; and the
// maximum-entropy claims.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

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

/// E g(T): the integral of g over the quantiles, p = logistic(x), by the trapezoid rule, whose error falls faster than
/// any power of the step where the density is smooth, and like its square where it has a kink.
double mean_of(const Law& law, const std::function<double(double)>& g) {
  double sum = 0;
  const double step = 1. / 256;
  for (double x = -36; x <= 36; x += step) {
    const double p = 1 / (1 + std::exp(-x));
    if (p == 1) break;
    sum += g(law.at(p)) * p / (1 + std::exp(x)) * step;
  }
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
