// Part of limen. SPDX-License-Identifier: MIT
//
// Holds every activation to the bounds in its own info, over a sample of all bit patterns. Prints the worst points;
// LIMEN_SWEEP=N in the environment takes every N-th f32 pattern at the default parameters instead.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "core/points.h"
#include "core/reference.h"

namespace limen::test {
namespace {

/// Errors below the bound of values; everything else is below the bound of slopes, whose terms may cancel.
bool is_value(std::string_view quantity) { return quantity == "value" || quantity == "gate" || quantity == "loss"; }

template <class S>
class Worst {
 public:
  template <class R>
  void add(const std::string& quantity, S got, Term<R> want, S z) {
    if (abs(want.exact) > R(std::numeric_limits<S>::max())) return;
    double error = static_cast<double>(abs(R(got) - want.exact) / ulp<S>(want.size));
    if (!(error < 1e9)) error = 1e9;
    Entry& entry = worst_[quantity];
    if (!(error <= entry.error)) entry = {error, z};
  }

  template <class R>
  void add(const Quantities<S>& got, const Reference<R>& want, const ActivationInfo& info, S z) {
    add("value", got.value, want.value, z);
    add("slope", got.slope, want.slope, z);
    add("curvature", got.curvature, want.curvature, z);
    if (got.gate) add("gate", *got.gate, *want.gate, z);
    if (got.density) add("density", *got.density, *want.density, z);
    if (got.loss) add("loss", *got.loss, *want.loss, z);
    if (got.centred) add("centred", *got.centred, *want.centred, z);
    if (got.correction) add("correction", *got.correction, *want.correction, z);
    for (std::size_t k = 0; k < got.parameter_count; ++k)
      add(std::string("d/d").append(info.parameter[k].name), got.parameter_slopes[k], want.parameter_slopes[k], z);
  }

  void check(const std::string& label, const ErrorBound& bound) const {
    std::printf("%s %-24s", sizeof(S) == 4 ? "f32" : "f64", label.c_str());
    for (const auto& [quantity, entry] : worst_) {
      std::printf(" %s %.2f at %.9g;", quantity.c_str(), entry.error, static_cast<double>(entry.z));
      EXPECT_LE(entry.error, is_value(quantity) ? bound.value : bound.slope)
          << label << ' ' << quantity << " at " << std::hexfloat << entry.z << ", in units of the last place";
    }
    std::printf("\n");
  }

 private:
  struct Entry {
    double error = 0;
    S z = 0;
  };
  std::map<std::string, Entry> worst_;
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
  if (q.loss) r.loss = T(*q.loss);
  if (q.loss && q.correction) r.correction = T(*q.loss, *q.correction - *q.loss);
  if (q.centred) r.centred = T(q.value, *q.centred - q.value);
  for (std::size_t k = 0; k < q.parameter_count; ++k) r.parameter_slopes[k] = T(q.parameter_slopes[k]);
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
void sweep(ActivationId id, int per_octave) {
  const ActivationInfo& about = info(id);
  for (const Parameters& parameters : parameter_sets(about)) {
    Worst<S> worst;
    for_stratified<S>(id, parameters, per_octave, [&](S z) { judge(worst, id, parameters, z); });
    worst.check(label(about, parameters), about.bound);
  }
}

void sweep_every(ActivationId id, std::uint64_t stride) {
  const Parameters parameters = parameter_sets(info(id))[0];
  Worst<float> worst;
  for (std::uint64_t i = 0; i < (std::uint64_t{1} << 32); i += stride) {
    const float z = std::bit_cast<float>(static_cast<std::uint32_t>(i));
    if (std::isfinite(z)) judge(worst, id, parameters, z);
  }
  worst.check(label(info(id), parameters), info(id).bound);
}

class Accuracy : public testing::TestWithParam<int> {};

TEST_P(Accuracy, StaysWithinItsBounds) {
  const auto id = static_cast<ActivationId>(GetParam());
  const char* const every = std::getenv("LIMEN_SWEEP");
  if (every != nullptr) return sweep_every(id, std::strtoull(every, nullptr, 10));
  sweep<float>(id, 60);
  if (!reference<Wide<double>>(info(id).name, std::array<Wide<double>, max_parameters>{1, 1, 1}.data(), 0))
    GTEST_SKIP() << "f64 was not judged: tests/core/reference.h has no plain formula of " << info(id).name;
  sweep<double>(id, 3);
}

INSTANTIATE_TEST_SUITE_P(Registry, Accuracy, testing::Range(0, static_cast<int>(activation_count)),
                         [](const auto& i) { return std::string(all_infos[i.param].name); });

}  // namespace
}  // namespace limen::test
