// Part of limen. SPDX-License-Identifier: MIT
//
// A law given as data, against laws with formulas and against its own definition; thresholds drawn from any law.
#include <gtest/gtest.h>

#include <cmath>

#include "core/points.h"
#include "core/wide.h"
#include "limen/limen.h"

namespace limen::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

EmpiricalLaw law_of(std::vector<double> levels, std::vector<double> quantiles) {
  return std::make_shared<laws::Empirical>(std::move(levels), std::move(quantiles));
}

double uniform(Random& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

/// A table of `pieces` pieces between -3 and 5, a tenth of them jumps.
EmpiricalLaw some_law(Random& random, std::size_t pieces) {
  std::vector<double> levels = {0}, quantiles = {-3};
  for (std::size_t i = 0; i < pieces; ++i) {
    levels.push_back(levels.back() + 0.01 + uniform(random));
    quantiles.push_back(quantiles.back() + (i % 10 == 4 ? 0 : uniform(random)));
  }
  for (double& level : levels) level /= levels.back();
  const double stretch = 8 / (quantiles.back() - quantiles.front());
  for (double& quantile : quantiles) quantile = -3 + (quantile + 3) * stretch;
  return law_of(levels, quantiles);
}

void expect_near(const std::optional<double>& got, const std::optional<double>& want, const char* what, double z) {
  ASSERT_EQ(got.has_value(), want.has_value()) << what;
  if (got == want) return;
  EXPECT_NEAR(*got, *want, 1e-15 * std::max(1.0, std::abs(*want))) << what << " at " << z;
}

TEST(Empirical, TwoQuantilesAreTheUniformLaw) {
  const double half = 1.25;
  const Member uelu(*find("uelu"), {&half, 1}), law(law_of({0, 1}, {-half, half}));
  std::vector<double> points = {-infinity, -1e30, -half, -0.0, 0.0, 5e-324, half, 1e30, infinity};
  for (double z = -2; z < 2; z += 0.037) points.push_back(z);
  for (const double z : points) {
    const auto want = uelu.at(z), got = law.at(z);
    expect_near(got.value, want.value, "value", z);
    EXPECT_NEAR(got.slope, want.slope, 1e-15) << z;
    EXPECT_NEAR(got.curvature, want.curvature, 1e-15) << z;
    expect_near(got.gate, want.gate, "gate", z);
    expect_near(got.density, want.density, "density", z);
    expect_near(got.loss, want.loss, "loss", z);
    expect_near(got.centred, want.centred, "centred", z);
    expect_near(got.correction, want.correction, "correction", z);
  }
  const Distribution got = *law.distribution(), want = *uelu.distribution();
  EXPECT_DOUBLE_EQ(got.mean, want.mean);
  EXPECT_DOUBLE_EQ(got.variance, want.variance);
  EXPECT_DOUBLE_EQ(got.entropy, want.entropy);
  EXPECT_EQ(got.lower, -half);
  EXPECT_EQ(got.upper, half);
}

TEST(Empirical, ManySamplesOfTheNormalLawGiveGelu) {
  std::vector<double> samples;
  for (int i = 0; i < 20001; ++i) samples.push_back(*quantile(*find("gelu"), nullptr, (i + 0.5) / 20001));
  std::ranges::reverse(samples);  // Any order will do.
  const laws::Empirical law = laws::Empirical::of_samples(samples);
  for (double z = -3; z <= 3; z += 0.1) {
    const auto want = evaluate<double>(*find("gelu"), nullptr, z), got = evaluate(law, z);
    EXPECT_NEAR(got.value, want.value, 2e-4) << z;
    EXPECT_NEAR(got.slope, want.slope, 2e-3) << z;
    EXPECT_NEAR(*got.loss, *want.loss, 2e-4) << z;
  }
}

/// E g(T), by the midpoint rule in the level: exact for what is linear on the pieces of a cut.
template <class G>
double expectation(const laws::Empirical& law, G&& g) {
  constexpr int cuts = 400000;
  double sum = 0;
  for (int i = 0; i < cuts; ++i) sum += g(law.quantile((i + 0.5) / cuts));
  return sum / cuts;
}

TEST(Empirical, QuantitiesAreTheExpectationsThatDefineThem) {
  Random random;
  for (const std::size_t pieces : {1, 2, 5, 57}) {
    const EmpiricalLaw law = some_law(random, pieces);
    for (const double z : {-4.0, -2.9, -1.0, 0.0, 0.3, 2.2, 4.99, 6.0}) {
      const auto q = evaluate(*law, z);
      const auto mean = [&](auto g) { return expectation(*law, g); };
      EXPECT_NEAR(*q.gate, mean([&](double t) { return t <= z; }), 1e-5);
      EXPECT_NEAR(*q.loss, mean([&](double t) { return std::max(z - t, 0.0); }), 1e-5);
      EXPECT_NEAR(*q.correction, mean([&](double t) { return t <= z ? -t : 0; }), 3e-5);
      EXPECT_NEAR(*q.centred, *q.loss - *evaluate(*law, 0.0).loss, 1e-14);
      EXPECT_NEAR(*q.loss - z * *q.gate, *q.correction, 1e-14);
    }
    const Distribution all = law->distribution();
    EXPECT_NEAR(all.mean, expectation(*law, [](double t) { return t; }), 1e-5);
    EXPECT_NEAR(all.variance, expectation(*law, [&](double t) { return (t - all.mean) * (t - all.mean); }), 1e-4);
    EXPECT_EQ(std::isinf(all.entropy), pieces >= 5) << "a jump has no entropy";
  }
}

/// The law's quantities in 57 digits, straight from their definition as sums over the pieces.
struct Exact {
  Precise gate = 0, density = 0, loss = 0, moment = 0, largest_moment = 0;

  Exact(const laws::Empirical& law, double at) {
    const Precise z = at, two = 2;
    for (std::size_t i = 0; i + 1 < law.levels().size(); ++i) {
      const Precise a = law.quantiles()[i], b = law.quantiles()[i + 1];
      const Precise rise = Precise(law.levels()[i + 1]) - Precise(law.levels()[i]), below = law.levels()[i];
      const bool inside = law.quantiles()[i] <= at && at < law.quantiles()[i + 1];
      if (at < law.quantiles()[i]) break;
      const Precise end = inside ? z : b, part = inside ? rise * ((z - a) / (b - a)) : rise;
      gate += part;
      loss += (end - a) * (below + part / two);
      moment += part * ((a + end) / two);
      largest_moment = std::max({largest_moment, abs(moment), part * std::max(abs(a), abs(end))});
      if (inside) density = rise / (b - a);
    }
    if (at >= law.quantiles().back()) loss += z - Precise(law.quantiles().back());
  }
};

TEST(Empirical, StaysWithinItsBounds) {
  Random random;
  const auto ulps = [](double got, const Precise& want, const Precise& size) {
    return static_cast<double>(abs(Precise(got) - want) / ulp<double>(size));
  };
  const ErrorBound& bound = laws::Empirical::transmission.bound;
  for (int draw = 0; draw < 40; ++draw) {
    const EmpiricalLaw law = some_law(random, 1 + static_cast<std::size_t>(draw * 2));
    for (int point = 0; point < 100; ++point) {
      const double z = -3.2 + 8.4 * uniform(random);
      const Exact exact(*law, z);
      const auto q = evaluate(*law, z);
      const Precise z_f = Precise(z) * exact.density;
      EXPECT_LE(ulps(*q.gate, exact.gate, exact.gate), bound.value) << z;
      EXPECT_LE(ulps(q.value, Precise(z) * exact.gate, Precise(z) * exact.gate), bound.value) << z;
      EXPECT_LE(ulps(*q.loss, exact.loss, exact.loss), bound.value) << z;
      EXPECT_LE(ulps(*q.density, exact.density, exact.density), bound.slope) << z;
      EXPECT_LE(ulps(q.slope, exact.gate + z_f, std::max(exact.gate, abs(z_f))), bound.slope) << z;
      EXPECT_LE(ulps(*q.correction, -exact.moment, exact.largest_moment), bound.slope) << z;
    }
  }
}

TEST(Empirical, QuantileIsTheLeastPointThatReachesTheLevel) {
  Random random;
  const EmpiricalLaw law = some_law(random, 57);
  for (int i = 0; i < 10000; ++i) {
    const double p = uniform(random), q = law->quantile(p);
    EXPECT_GE(law->at(std::nextafter(q, infinity)).gate, p * (1 - 1e-14));
    EXPECT_LT(law->at(std::nextafter(q, -infinity)).gate, p * (1 + 1e-14));
  }
}

TEST(Empirical, GateIsContinuousFromTheRightAndJumpsWhereQuantilesAreEqual) {
  const laws::Empirical law({0, 0.25, 0.75, 1}, {-1, 0, 0, 2});
  EXPECT_EQ(law.at(-1).gate, 0);
  EXPECT_EQ(law.at(-1).density, 0) << "the outer piece counts at an end";
  EXPECT_EQ(law.at(-0.5).gate, 0.125);
  EXPECT_EQ(law.at(0).gate, 0.75);
  EXPECT_EQ(law.at(0).density, 0.125) << "the piece above counts inside";
  EXPECT_EQ(law.at(2).gate, 1);
  EXPECT_EQ(law.at(2).density, 0);
  const laws::Empirical point({0, 1}, {0.5, 0.5});
  EXPECT_EQ(evaluate(point, 0.4).value, 0);
  EXPECT_EQ(evaluate(point, 0.5).value, 0.5);
  EXPECT_EQ(*evaluate(point, 0.75).loss, 0.25);
}

TEST(Empirical, KeepsNanAndHasLimitsAtTheInfinities) {
  Random random;
  const EmpiricalLaw law = some_law(random, 5);
  const auto nan = evaluate(*law, std::nan(""));
  for (const double x : {nan.value, nan.slope, nan.curvature, *nan.gate, *nan.density, *nan.density_slope, *nan.loss,
                         *nan.centred, *nan.correction})
    EXPECT_TRUE(std::isnan(x));
  const auto below = evaluate(*law, -infinity), above = evaluate(*law, infinity);
  EXPECT_EQ(below.value, 0);
  EXPECT_EQ(below.slope, 0);
  EXPECT_EQ(*below.loss, 0);
  EXPECT_EQ(*below.centred, -law->loss(0));
  EXPECT_EQ(above.value, infinity);
  EXPECT_EQ(above.slope, 1);
  EXPECT_EQ(*above.loss, infinity);
  EXPECT_EQ(*above.correction, -law->distribution().mean);
}

TEST(Empirical, SaysWhichRowOfATableIsWrong) {
  const auto row = [](std::vector<double> levels, std::vector<double> quantiles) {
    const auto fault = laws::Empirical::fault(levels, quantiles);
    return fault.expected.empty() ? -1 : static_cast<int>(fault.row);
  };
  EXPECT_EQ(row({0, 0.5, 1}, {-1, 2, 3}), -1);
  EXPECT_EQ(row({0, 1}, {2, 2}), -1);
  EXPECT_EQ(row({0, 0.5, 1}, {-1, 2, 1}), 2);
  EXPECT_EQ(row({0.1, 0.5, 1}, {-1, 2, 3}), 0);
  EXPECT_EQ(row({0, 0.5, 0.5, 1}, {-1, 2, 3, 4}), 2);
  EXPECT_EQ(row({0, 0.5, 0.9}, {-1, 2, 3}), 2);
  EXPECT_EQ(row({0, 0.5, 1}, {-1, std::nan(""), 3}), 1);
  EXPECT_EQ(row({0, std::nan(""), 1}, {-1, 0, 3}), 1);
  EXPECT_EQ(row({0, 1}, {-1, infinity}), 1);
  EXPECT_NE(row({0}, {1}), -1);
  EXPECT_NE(row({}, {}), -1);
  EXPECT_NE(row({0, 1}, {1}), -1);
}

TEST(Member, IsItsActivationWithItsParameters) {
  for (std::size_t i = 0; i < activation_count; ++i) {
    const auto id = static_cast<ActivationId>(i);
    const Parameters p = parameter_sets(info(id)).back();
    const Member member(id, std::span(p).first(info(id).parameter_count));
    for (const double z : {-2.0, 0.0, 0.7}) {
      const auto want = evaluate<double>(id, p.data(), z);
      EXPECT_EQ(member.at(z).value, want.value);
      EXPECT_EQ(member.value(z), want.value);
      EXPECT_EQ(member.gate(z), want.gate);
      EXPECT_EQ(member.at(static_cast<float>(z)).slope,
                evaluate<float>(id, cast<float>(p).data(), static_cast<float>(z)).slope);
    }
    EXPECT_EQ(member.has_knees(), has_knees(id));
    EXPECT_EQ(member.quantile(0.3), quantile(id, p.data(), 0.3));
  }
}

/// The mean of g(threshold) over many draws lies within four standard errors of what it estimates.
TEST(Member, ThresholdsDrawnFromAnyLawGiveItsTransmission) {
  Random random;
  std::vector<Member> members = {Member(some_law(random, 20))};
  for (std::size_t i = 0; i < activation_count; ++i) {
    const auto id = static_cast<ActivationId>(i);
    const Parameters p = parameter_sets(info(id))[0];
    if (quantile(id, p.data(), 0.5)) members.emplace_back(id, std::span(p).first(info(id).parameter_count));
  }
  EXPECT_GE(members.size(), 15u);
  constexpr int draws = 40000;
  const math::Stream stream(11, math::Purpose::threshold);
  for (const Member& member : members)
    for (const double z : {-1.3, 0.4, 1.9}) {
      int cleared = 0;
      for (int i = 0; i < draws; ++i) cleared += *member.threshold(stream, static_cast<std::uint64_t>(i)) <= z;
      const double gate = *member.gate(z), error = std::sqrt(gate * (1 - gate) / draws);
      EXPECT_NEAR(z * cleared / draws, member.value(z), std::abs(z) * (4 * error + 1e-12)) << member.info().name;
    }
}

}  // namespace
}  // namespace limen::test
