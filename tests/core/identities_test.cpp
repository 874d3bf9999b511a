// Part of limen. SPDX-License-Identifier: MIT
//
// Facts of mathematics that tie the quantities of an activation to each other, free of any implementation: a law's gate
// rises from 0 to 1, the density is its slope, the loss its integral. Every activation of the registry is held to them.
#include <gtest/gtest.h>

#include <functional>
#include <numbers>

#include "core/points.h"
#if !__has_include("limen/laws/laplace.h")  // there once somebody has followed docs/add-a-law.md
#include "../examples/add_a_law/laplace.h"
#endif

namespace limen::test {
namespace {

using Point = Quantities<double>;

/// What rises from 0 to 1: the gate, or the slope where there is no law.
double rise(const Point& q) { return q.gate.value_or(q.slope); }

/// One activation with its parameters, in f64.
struct Subject {
  std::function<Point(const Parameters&, double)> evaluate;
  const ActivationInfo& info;
  Parameters parameters;
  double middle = crossing(0.5);
  double width = std::max(crossing(0.75) - crossing(0.25), 1e-3);  ///< of the transition

  Point operator()(double z) const { return evaluate(parameters, z); }

  /// Where `rise` passes a level, by bisection; above 0 if negative numbers pass as well.
  double crossing(double level) const {
    double low = leaks(info) ? 0 : -1e6, high = 1e6;
    for (int i = 0; i < 100; ++i) {
      const double centre = (low + high) / 2;
      (rise((*this)(centre)) < level ? low : high) = centre;
    }
    return high;
  }
};

/// Points over 20 widths around the middle of the transition, none of them in it.
std::vector<double> grid(const Subject& a) {
  std::vector<double> points;
  for (int j = -30; j < 30; ++j) points.push_back(a.middle + a.width * (j + 0.5) / 3);
  return points;
}

/// The derivative of f at 0 by central differences of order 8 with step h.
double derivative(const std::function<double(double)>& f, double h) {
  double sum = 0, k = 0;
  for (const double weight : {4. / 5, -1. / 5, 4. / 105, -1. / 280}) {
    ++k;
    sum += weight * (f(k * h) - f(-k * h));
  }
  return sum / h;
}

/// Whether differences from one end to the other would cross a knee, where a gate of finite support starts or stops.
bool across_a_knee(const Point& a, const Point& b) {
  return a.gate && ((*a.gate == 0) != (*b.gate == 0) || (*a.gate == 1) != (*b.gate == 1));
}

void close(double got, double want, double size, const char* what, double z) {
  EXPECT_LE(std::abs(got - want), 1e-9 * size + 1e-300) << what << " at " << z << ": " << got << " is not " << want;
}

void slopes_are_derivatives(const Subject& a) {
  const double h = a.width / 64;
  for (const double z : grid(a)) {
    if (across_a_knee(a(z - 4 * h), a(z + 4 * h))) continue;
    if (a.info.meets_at_0 && std::abs(z) < 4 * h) continue;
    const Point q = a(z);
    const auto along = [&](auto member) { return derivative([&](double d) { return member(a(z + d)); }, h); };
    const double size = 1 + std::abs(z);
    close(along([](const Point& p) { return p.value; }), q.slope, size, "slope", z);
    close(along([](const Point& p) { return p.slope; }), q.curvature, size / a.width, "curvature", z);
    if (q.density) close(along([](const Point& p) { return *p.gate; }), *q.density, 1 / a.width, "density", z);
    if (q.density_slope)
      close(along([](const Point& p) { return *p.density; }), *q.density_slope, 1 / (a.width * a.width),
            "slope of the density", z);
    if (q.loss) close(along([](const Point& p) { return *p.loss; }), *q.gate, size, "slope of the loss", z);
    if (q.centred)
      close(along([](const Point& p) { return *p.centred; }), *q.gate, size, "slope of the centred loss", z);
    if (q.correction && q.density)
      close(along([](const Point& p) { return *p.correction; }), -z * *q.density, size / a.width,
            "slope of the correction", z);
  }
}

void parameter_slopes_are_derivatives(const Subject& a) {
  for (std::size_t k = 0; k < a.info.parameter_count; ++k) {
    const Parameter& about = a.info.parameter[k];
    const double room = std::min(a.parameters[k] - about.lower, about.upper - a.parameters[k]);
    if (room == 0 || about.integer) continue;
    const double scale = about.lower < 0 ? a.width : room, h = scale / 64;
    for (const double z : grid(a)) {
      const auto moved = [&](double d) {
        Parameters p = a.parameters;
        p[k] += d;
        return a.evaluate(p, z);
      };
      if (across_a_knee(moved(-4 * h), moved(4 * h))) continue;
      const Point q = a(z);
      const double size = (1 + std::abs(z)) / scale;
      close(derivative([&](double d) { return moved(d).value; }, h), q.parameter_slopes[k], size, "parameter slope", z);
      close(derivative([&](double d) { return moved(d).slope; }, h), q.mixed_curvatures[k], size / a.width,
            "mixed curvature", z);
      for (std::size_t j = k; j < a.info.parameter_count; ++j)
        close(derivative([&](double d) { return moved(d).parameter_slopes[j]; }, h),
              q.parameter_curvatures[pair_index(k, j, a.info.parameter_count)],
              size / std::min(scale, a.info.parameter[j].lower < 0 ? a.width : a.parameters[j]), "parameter curvature",
              z);
    }
  }
}

void quantities_agree(const Subject& a) {
  const double mean = -a(std::numeric_limits<double>::infinity()).correction.value_or(0);
  for (const double z : grid(a)) {
    const Point q = a(z);
    if (!q.gate) continue;
    const double size = std::abs(z) + std::abs(mean) + q.loss.value_or(0);
    const auto same = [&](double x, double y, const char* what) {
      EXPECT_LE(std::abs(x - y), 1e-14 * size) << what << " at " << z << ": " << x << " is not " << y;
    };
    same(q.value, z * *q.gate, "value = z F");
    if (q.loss && q.correction) same(*q.correction, *q.loss - z * *q.gate, "correction = loss - z F");
    if (q.loss && q.centred) same(*q.centred, *q.loss - *a(0).loss, "centred = loss - loss(0)");
    const double z_density = z * q.density.value_or(0);
    EXPECT_LE(std::abs(q.slope - (*q.gate + z_density)), 1e-14 * (1 + std::abs(z_density)))
        << "slope = F + z f at " << z;
    EXPECT_EQ(q.density.has_value(), q.density_slope.has_value());
    if (q.density) {
      const double z_bend = z * *q.density_slope;
      EXPECT_LE(std::abs(q.curvature - (2 * *q.density + z_bend)), 1e-14 * (*q.density + std::abs(z_bend)))
          << "curvature = 2 f + z f' at " << z;
    }
    EXPECT_GE(q.loss.value_or(size), std::max(0., z - mean) - 1e-15 * size) << "loss >= max(0, z - mean) at " << z;
    EXPECT_GE(*q.gate, 0) << z;
    EXPECT_LE(*q.gate, 1) << z;
    EXPECT_GE(q.density.value_or(0), 0) << z;
  }
}

void gate_rises(const Subject& a) {
  if (!a(0).gate) return;
  double below = 0;
  for (double z = a.middle - 12 * a.width; z < a.middle + 12 * a.width; z += a.width / 97) {
    const double gate = *a(z).gate;
    EXPECT_GE(gate, below * (1 - 1e-15)) << z;
    below = gate;
  }
  EXPECT_EQ(*a(-std::numeric_limits<double>::infinity()).gate, 0);
  EXPECT_EQ(*a(std::numeric_limits<double>::infinity()).gate, 1);
}

/// The loss bends upwards, and the centred loss where there is no loss.
void loss_is_convex(const Subject& a) {
  const auto loss = [&](double z) {
    const Point q = a(z);
    return q.loss.value_or(q.centred.value_or(0));
  };
  const double step = a.width / 17;
  for (double z = a.middle - 12 * a.width; z < a.middle + 12 * a.width; z += step) {
    const double before = loss(z - step), after = loss(z + step);
    EXPECT_GE(before + after - 2 * loss(z), -4e-16 * (std::abs(before) + std::abs(after))) << z;
  }
}

/// All facts for activation type A.
template <class A>
void holds() {
  for (const Parameters& parameters : parameter_sets(A::info)) {
    SCOPED_TRACE(label(A::info, parameters));
    const Subject subject{[](const Parameters& p, double z) { return evaluate<A>(p.data(), z); }, A::info, parameters};
    slopes_are_derivatives(subject);
    parameter_slopes_are_derivatives(subject);
    quantities_agree(subject);
    gate_rises(subject);
    loss_is_convex(subject);
  }
}

class Identities : public testing::TestWithParam<int> {};

TEST_P(Identities, Hold) {
  visit(static_cast<ActivationId>(GetParam()), []<class A>() { holds<A>(); });
}

INSTANTIATE_TEST_SUITE_P(Registry, Identities, testing::Range(0, static_cast<int>(activation_count)),
                         [](const auto& i) { return std::string(all_infos[i.param].name); });

TEST(AddALaw, TheWorkedExampleHolds) { holds<activations::Transmission<laws::Laplace>>(); }

/// Two names for one function: `same(q, r)` compares what they share.
template <class S>
void same_function(const char* name, std::array<S, max_parameters> p, const char* other,
                   std::array<S, max_parameters> q) {
  for (int j = -400; j <= 400; ++j) {
    const S z = S(j) / 32;
    const auto a = evaluate(*find(name), p.data(), z), b = evaluate(*find(other), q.data(), z);
    const S slack = 4 * std::numeric_limits<S>::epsilon();
    EXPECT_NEAR(a.value, b.value, slack * std::abs(b.value)) << name << " and " << other << " at " << z;
    EXPECT_NEAR(a.slope, b.slope, slack) << name << " and " << other << " at " << z;
    EXPECT_NEAR(a.curvature, b.curvature, 4 * slack) << name << " and " << other << " at " << z;
    const S loss = b.loss.value_or(0);
    EXPECT_NEAR(a.loss.value_or(loss), loss, slack * loss) << name << " and " << other << " at " << z;
  }
}

TEST(Names, OfOneFunctionAgree) {
  const auto check = []<class S>(S) {
    same_function<S>("uelu", {3}, "hard_swish", {});
    for (const S beta : {S(0.125), S(2), S(32)}) same_function<S>("aqulu", {1 / (2 * beta), S(0.5)}, "uelu", {beta});
    same_function<S>("lambda_gelu", {1}, "gelu", {});
    for (const S lambda : {S(0.25), S(2), S(16)})
      same_function<S>("gelu_mu_sigma", {0, 1 / lambda}, "lambda_gelu", {lambda});
    same_function<S>("dgelu", {0}, "gelu", {});
    for (const S n : {1, 2, 8}) same_function<S>("e_gem", {n, 1}, "gem", {n});
    same_function<S>("prelu", {S(0.01)}, "leaky_relu", {S(0.01)});
    same_function<S>("leaky_relu", {1}, "identity", {});
    same_function<S>("leaky_relu", {0}, "relu", {});
  };
  check(0.f);
  check(0.);
}

TEST(OneSidedLaws, TheSteepestPointOfExpeluIsAtTwiceTheMean) {
  for (const double lambda : {0.25, 1., 8.}) {
    const auto slope = [&](double z) { return evaluate(*find("expelu"), &lambda, z).slope; };
    EXPECT_NEAR(slope(2 / lambda), 1.1353352832366127, 3e-16);
    EXPECT_LT(slope(1.999 / lambda), slope(2 / lambda));
    EXPECT_LT(slope(2.001 / lambda), slope(2 / lambda));
  }
}

TEST(OneSidedLaws, EGemStaysWithinItsDistanceOfRelu) {
  for (const double n : {1., 2., 5.})
    for (const double eps : {1e-4, 1., 10.}) {
      const double k = 2 * n, alpha = std::pow(eps, 1 / k), p[] = {n, eps};
      const double furthest = alpha * std::pow(k - 1, -1 / k), distance = furthest * (k - 1) / k;
      const auto gap = [&](double z) { return z - evaluate(*find("e_gem"), p, z).value; };
      EXPECT_NEAR(gap(furthest), distance, 1e-15 * alpha) << n << ' ' << eps;
      EXPECT_LT(gap(0.99 * furthest), distance) << n << ' ' << eps;
      EXPECT_LT(gap(1.01 * furthest), distance) << n << ' ' << eps;
    }
}

TEST(OneSidedLaws, RiseFrom0AsTheirFirstTermSays) {
  const auto check = []<class S>(S) {
    for (const S z : {S(1e-3), S(1e-6), S(1e-12)}) {
      const auto close = [&](S got, S want) { EXPECT_NEAR(got, want, S(2e-3) * want) << z; };
      const S lambda = 3, shape[] = {2, 1, S(0.5)};
      const auto expelu = evaluate(*find("expelu"), &lambda, z);
      close(expelu.value, lambda * z * z);
      close(*expelu.loss, lambda * z * z / 2);
      close(evaluate(*find("gem"), shape, z).value, z * z * z * z * z);
      close(evaluate(*find("se_gem"), shape, -z).slope, S(2.5) * z * z * z * z);
    }
  };
  check(0.f);
  check(0.);
}

TEST(Names, OfOneLawFitTogether) {
  for (int j = -400; j <= 400; ++j) {
    const double z = j / 32., k = 1.5, one = 1;
    const Point gelu = evaluate<double>(*find("gelu"), nullptr, z), dgelu = evaluate(*find("dgelu"), &one, z);
    EXPECT_NEAR(dgelu.value, *gelu.centred, 1e-15) << "dgelu(1) is the centred loss of the normal law, at " << z;
    EXPECT_NEAR(dgelu.slope, *gelu.gate, 1e-15) << z;
    const Point silu = evaluate(*find("silu"), &k, z), softplus = evaluate(*find("softplus"), &k, z);
    EXPECT_NEAR(softplus.value, *silu.loss, 1e-15 * *silu.loss) << "softplus is the loss of the logistic law, at " << z;
    EXPECT_NEAR(softplus.slope, *silu.gate, 1e-15) << z;
    EXPECT_NEAR(silu.value, softplus.value - *silu.correction, 2e-15 * (1 + std::abs(z))) << z;
  }
}

TEST(Relations, IgluIsAMixtureOfGelus) {
  // Of the gates Phi(a z), a half-normal of scale sigma; by Simpson's rule.
  const double sigma = 1.7, inverse_root_2 = std::sqrt(0.5), end = 12;
  const int steps = 100000;
  for (const double z : {-40., -3., -0.7, 0., 0.2, 1.1, 9.}) {
    double total = 0;
    for (int i = 0; i <= steps; ++i) {
      const double w = end * i / steps, weight = i == 0 || i == steps ? 1 : i % 2 == 0 ? 2 : 4;
      total += weight * std::exp(-w * w / 2) * std::erfc(-sigma * w * z * inverse_root_2);
    }
    total *= end / steps / 3 / std::sqrt(2 * 3.14159265358979323846);
    EXPECT_NEAR(total, *evaluate(*find("iglu"), &sigma, z).gate, 1e-10) << z;
  }
}

TEST(Relations, IgluRisesStrictlyFromItsLimit) {
  const double sigma = 5;
  for (const char* name : {"iglu", "iglu_approx"}) {
    double below = evaluate(*find(name), &sigma, -1e30).value;
    for (double z = -1000; z < 10; z = z < -2 ? z / 1.1 : z + 0.03) {
      const Point q = evaluate(*find(name), &sigma, z);
      EXPECT_GT(q.value, below) << name << " at " << z;
      EXPECT_GT(q.slope, 0) << name << " at " << z;
      below = q.value;
    }
    for (const double z : {-1e9, -1e100}) {
      const double share =
          evaluate(*find(name), &sigma, z).slope * std::pow(-sigma * z, name == std::string("iglu") ? 3 : 2);
      EXPECT_NEAR(share, name == std::string("iglu") ? 2 / (3 * 3.14159265358979323846) : 0.5, 1e-9)
          << name << " at " << z;
    }
  }
}

TEST(Relations, TheRationalFormIsNearIglu) {
  const double sigma = 1;
  double gates = 0;
  for (double z = -20; z < 20; z += 0.01)
    gates = std::max(
        gates, std::abs(*evaluate(*find("iglu"), &sigma, z).gate - *evaluate(*find("iglu_approx"), &sigma, z).gate));
  EXPECT_NEAR(gates, 0.02264, 1e-5);
}

TEST(Relations, LowestPointsAreThePublishedOnes) {
  const auto lowest = [](const char* name, std::array<double, max_parameters> p, double z, double value) {
    EXPECT_NEAR(evaluate(*find(name), p.data(), z).value, value, 2e-16) << name;
    EXPECT_NEAR(evaluate(*find(name), p.data(), z).slope, 0, 1e-15) << name;
    EXPECT_GT(evaluate(*find(name), p.data(), z).curvature, 0) << name;
  };
  lowest("gelu", {}, -0.7517915246935645, -0.1699712074799037);
  lowest("silu", {1}, -1.278464542761074, -0.2784645427610738);
  lowest("hard_swish", {}, -1.5, -0.375);
  lowest("uelu", {2}, -1, -0.25);
  lowest("aqulu", {0.25, 0.75}, -1.5, -0.5625);
  EXPECT_NEAR(evaluate<double>(*find("gelu"), nullptr, std::numbers::sqrt2).slope, 1.128904145185155, 4e-16);
}

TEST(Relations, TheTanhFormIsNearGelu) {
  double most = 0;
  for (double z = -6; z < 6; z += 0.001)
    most = std::max(most, std::abs(evaluate<double>(*find("gelu"), nullptr, z).value -
                                   evaluate<double>(*find("gelu_tanh"), nullptr, z).value));
  EXPECT_NEAR(most, 4.7324e-4, 1e-8);
}

TEST(Relations, SiluIsSoftplusLessTheEntropyOfItsGate) {
  const double k = 1.5;
  for (double z = -20; z < 20; z += 0.31) {
    const double gate = *evaluate(*find("silu"), &k, z).gate;
    const double entropy = -gate * std::log(gate) - (1 - gate) * std::log1p(-gate);
    EXPECT_NEAR(evaluate(*find("silu"), &k, z).value, evaluate(*find("softplus"), &k, z).value - entropy / k, 1e-14);
  }
}

TEST(Relations, TailsEndWhereThePapersSay) {
  const double one = 1, inf = std::numeric_limits<double>::infinity();
  EXPECT_NEAR(evaluate(*find("iglu"), &one, -1e6).value, -0.3183098861837907, 1e-6);
  EXPECT_NEAR(evaluate(*find("iglu_approx"), &one, -1e9).value, -0.5, 1e-9);
  EXPECT_EQ(evaluate<double>(*find("gelu"), nullptr, -inf).value, 0);
}

TEST(Relations, SlopesInSharpnessHaveLimits) {
  const double sigma = 0.3, pi = 3.14159265358979323846;
  for (const double z : {-1e200, 1e200, -std::numeric_limits<double>::infinity()}) {
    const Point iglu = evaluate(*find("iglu"), &sigma, z), approx = evaluate(*find("iglu_approx"), &sigma, z);
    EXPECT_NEAR(iglu.parameter_slopes[0] * pi * sigma * sigma, 1, 1e-15) << z;
    EXPECT_NEAR(approx.parameter_slopes[0] * 2 * sigma * sigma, 1, 1e-15) << z;
    EXPECT_NEAR(iglu.parameter_curvatures[0] * pi * sigma * sigma * sigma, -2, 2e-15) << z;
    EXPECT_NEAR(approx.parameter_curvatures[0] * sigma * sigma * sigma, -1, 1e-15) << z;
  }
}

TEST(Relations, SquareplusIsTheLossOfStudentsLaw) {
  const double b = 2.5;
  for (double z = -300; z < 300; z += 0.37) {
    const Point t2 = evaluate(*find("t2_transmission"), &b, z), squareplus = evaluate(*find("squareplus"), &b, z);
    EXPECT_EQ(squareplus.value, *t2.loss) << z;
    EXPECT_EQ(squareplus.slope, *t2.gate) << z;
    EXPECT_NEAR(t2.value, squareplus.value - *t2.correction, 1e-15 * (1 + std::abs(z))) << z;
  }
}

}  // namespace
}  // namespace limen::test
