// Part of limen. SPDX-License-Identifier: MIT
//
// Holds every activation to the bounds in its own info, over a sample of all bit patterns, edges, and parameters drawn
// from their domains. Prints the worst points. In the environment, LIMEN_SWEEP=N takes every N-th f32 pattern at the
// default parameters instead, LIMEN_DRAWS=N draws N sets of parameters.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "core/points.h"
#include "core/quantities.h"

namespace limen::test {
namespace {

/// Values have a bound of their own; second derivatives in a parameter share one; everything else is below the bound of
/// slopes, whose terms may cancel.
double bound_of(std::string_view quantity, const ErrorBound& bound) {
  if (quantity == "value" || quantity == "gate" || quantity == "loss") return bound.value;
  if (quantity == "density slope") return density_slope_bound;
  return quantity.starts_with("d2") ? second_derivative_bound : bound.slope;
}

/// Where the tails of a law that falls exponentially end, as 2 to this power: what powers of z or parameters lift from
/// beyond may be lost, and no more than that (docs/accuracy.md).
template <class S>
constexpr long end_of_tails = sizeof(S) == 4 ? -165 : -1149;

template <class S>
class Worst {
 public:
  /// `extreme`: parameters so far from 1 that they lift even the tails of values out of what is lost.
  explicit Worst(bool extreme = false) : extreme_(extreme) {}

  template <class R>
  void add(const Quantities<S>& got, const Reference<R>& want, const ActivationInfo& info, S z) {
    const bool ended = want.tail < power_of_two<R>(end_of_tails<S>);
    for_quantities(got, want, info, [&](const std::string& quantity, S x, const Term<R>& exact) {
      // It divides the density by z: neither may be subnormal.
      if (quantity == "density slope" && std::min(std::abs(z), *got.density) < std::numeric_limits<S>::min()) return;
      const bool lifted = extreme_ || quantity.starts_with("d/") || quantity.starts_with("d2/");
      const bool just_lost = ended && lifted && abs(R(x)) <= 2 * abs(exact.exact);
      if (just_lost || abs(exact.exact) > R(std::numeric_limits<S>::max())) return;
      double error = std::isfinite(x) ? static_cast<double>(abs(R(x) - exact.exact) / ulp<S>(exact.size)) : 1e9;
      error = std::min(error, 1e9);
      Entry& entry = worst_[quantity];
      if (entry.error <= error) entry = {error, z, parameters_};
    });
  }

  /// Of which parameters the points that follow are.
  void at(const Parameters& parameters) { parameters_ = parameters; }

  void check(const std::string& title, const ActivationInfo& info) const {
    std::printf("%s %-24s", sizeof(S) == 4 ? "f32" : "f64", title.c_str());
    for (const auto& [quantity, entry] : worst_) {
      const std::string where = label(info, entry.parameters);
      std::printf(" %s %.2f at %.9g;", quantity.c_str(), entry.error, static_cast<double>(entry.z));
      EXPECT_LE(entry.error, bound_of(quantity, info.bound))
          << where << ' ' << quantity << " at " << entry.z << " = " << std::hexfloat << entry.z
          << ", in units of the last place";
    }
    std::printf("\n");
  }

 private:
  struct Entry {
    double error = 0;
    S z = 0;
    Parameters parameters{};
  };
  bool extreme_;
  std::map<std::string, Entry> worst_;
  Parameters parameters_{};
};

/// An activation without a plain formula in reference.h: its own f64, and terms read off its quantities.
Reference<long double> by_f64(ActivationId id, const double* p, double z) {
  const Quantities<double> q = evaluate(id, p, z);
  using T = Term<long double>;
  Reference<long double> r;
  r.value = T(q.value);
  r.slope = q.gate ? T(*q.gate, q.slope - *q.gate) : T(q.slope);
  r.curvature = q.density ? T(2 * *q.density, q.curvature - 2 * *q.density) : T(q.curvature);
  if (q.gate) r.gate = T(*q.gate);
  if (q.density) r.density = T(*q.density);
  if (q.density_slope) r.density_slope = T(*q.density_slope);
  if (q.loss) r.loss = T(*q.loss);
  if (q.loss && q.correction) r.correction = T(*q.loss, *q.correction - *q.loss);
  if (q.centred) r.centred = T(q.value, *q.centred - q.value);
  const double density_0 = evaluate(id, p, 0.).density.value_or(0);
  if (density_0 > 0) r.tail = *q.density / density_0;
  const std::size_t n = q.parameter_count;
  for (std::size_t j = 0; j < n; ++j) {
    // z g(z, p) has the terms g + z g' in z; in p their sizes are about those of slope / p.
    const double slope = q.parameter_slopes[j], g = z == 0 ? 0 : slope / z;
    r.parameter_slopes[j] = T(slope);
    r.mixed_curvatures[j] = T(g, q.mixed_curvatures[j] - g);
    for (std::size_t k = j, i = 0; k < n; ++k) {
      i = pair_index(j, k, n);
      const double term = 2 * slope / p[k];
      r.parameter_curvatures[i] =
          std::isfinite(term) ? T(term, q.parameter_curvatures[i] - term) : T(q.parameter_curvatures[i]);
    }
  }
  return r;
}

template <class S>
void judge(Worst<S>& worst, ActivationId id, const Parameters& parameters, S z) {
  using R = Wide<S>;
  const auto p = cast<S>(parameters);
  const R wide[max_parameters] = {R(p[0]), R(p[1]), R(p[2])};
  const Quantities<S> got = evaluate(id, p.data(), z);
  if (const auto want = reference<R>(info(id).name, wide, R(z))) {
    worst.add(got, *want, info(id), z);
  } else if constexpr (sizeof(S) == 4) {
    const auto narrow = cast<double>({p[0], p[1], p[2]});
    worst.add(got, by_f64(id, narrow.data(), z), info(id), z);
  }
}

template <class S>
constexpr Samples samples = sizeof(S) == 4 ? Samples{4, 60, 240} : Samples{1, 1, 60};

template <class S>
void sweep(ActivationId id) {
  for (const Parameters& parameters : parameter_sets(info(id))) {
    Worst<S> worst;
    worst.at(parameters);
    const auto one = [&](S z) { judge(worst, id, parameters, z); };
    for_stratified<S>(id, parameters, samples<S>, one);
    for_edges<S>(id, parameters, one);
    worst.check(label(info(id), parameters), info(id));
  }
}

/// The number in an environment variable, or `otherwise`.
std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

template <class S>
void draw(ActivationId id, double decades) {
  Random random;
  Worst<S> worst(decades > 2);
  const std::uint64_t draws = from_environment("LIMEN_DRAWS", 30);
  for (std::uint64_t i = 0; i < draws; ++i) {
    // What the type makes of them, so that edges lie where it sees them.
    const auto rounded = cast<S>(random_parameters(info(id), decades, random));
    const Parameters parameters = {rounded[0], rounded[1], rounded[2]};
    worst.at(parameters);
    const auto one = [&](S z) { judge(worst, id, parameters, z); };
    for_edges<S>(id, parameters, one);
    for_random<S>(id, parameters, 30, random, one);
  }
  worst.check(std::string(info(id).name) + ", drawn from " + std::to_string(static_cast<int>(decades)) + " decades",
              info(id));
}

/// Parameters this many powers of ten from the defaults are promised to meet the bounds.
template <class S>
constexpr double promised_decades = sizeof(S) == 4 ? 8 : 24;

template <class S>
void judge_all(ActivationId id) {
  sweep<S>(id);
  if (info(id).parameter_count == 0) return;
  draw<S>(id, 2);
  draw<S>(id, promised_decades<S>);
}

void sweep_every(ActivationId id, std::uint64_t stride) {
  const Parameters parameters = parameter_sets(info(id))[0];
  Worst<float> worst;
  worst.at(parameters);
  for (std::uint64_t i = 0; i < (std::uint64_t{1} << 32); i += stride) {
    const float z = std::bit_cast<float>(static_cast<std::uint32_t>(i));
    if (std::isfinite(z)) judge(worst, id, parameters, z);
  }
  worst.check(label(info(id), parameters), info(id));
}

class Accuracy : public testing::TestWithParam<int> {};

TEST_P(Accuracy, StaysWithinItsBounds) {
  const auto id = static_cast<ActivationId>(GetParam());
  if (const std::uint64_t stride = from_environment("LIMEN_SWEEP", 0)) return sweep_every(id, stride);
  judge_all<float>(id);
  if (!reference<Precise>(info(id).name, std::array<Precise, max_parameters>{1, 1, 1}.data(), 0))
    GTEST_SKIP() << "f64 was not judged: tests/core/reference.h has no plain formula of " << info(id).name;
  judge_all<double>(id);
}

INSTANTIATE_TEST_SUITE_P(Registry, Accuracy, testing::Range(0, static_cast<int>(activation_count)),
                         [](const auto& i) { return std::string(all_infos[i.param].name); });

}  // namespace
}  // namespace limen::test
