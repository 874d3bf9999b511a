// Part of limen. SPDX-License-Identifier: MIT
//
// What holds at and next to special points besides the table in docs/accuracy.md (special_table_test.cpp), for every
// activation, parameter set and scalar type.
#include <gtest/gtest.h>

#include "core/expression.h"
#include "core/points.h"

namespace limen::test {
namespace {

template <class S>
class SpecialValues : public testing::Test {};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(SpecialValues, Scalars);

template <class S>
inline constexpr S infinity = std::numeric_limits<S>::infinity();
template <class S>
inline constexpr S largest = std::numeric_limits<S>::max();

/// Calls f(info, evaluator, limit at -inf) for every activation and parameter set.
template <class S, class F>
void for_all(F&& f) {
  for (std::size_t i = 0; i < activation_count; ++i)
    for (const Parameters& parameters : parameter_sets(all_infos[i])) {
      SCOPED_TRACE(label(all_infos[i], parameters));
      const auto at = [&](S z) { return evaluate(static_cast<ActivationId>(i), cast<S>(parameters).data(), z); };
      const S limit = static_cast<S>(Expression(all_infos[i], parameters)(all_infos[i].limit));
      if constexpr (requires { f(all_infos[i], at, limit); })
        f(all_infos[i], at, limit);
      else
        f(all_infos[i], at);
    }
}

/// Far out a quantity is its limit; one that nears it like a power of z differs from it by as much as 1 / z may.
template <class S>
void reaches(const ActivationInfo& info, S got, S limit, S z) {
  if (info.power_tails)
    EXPECT_NEAR(got, limit, 2 * std::abs(limit) * std::numeric_limits<S>::epsilon() + 100 / std::abs(z)) << "at " << z;
  else
    EXPECT_EQ(got, limit) << "at " << z;
}

/// All quantities that exist.
template <class S>
std::vector<S> all(const Quantities<S>& q) {
  std::vector<S> list = {q.value, q.slope, q.curvature};
  for (const auto& o : {q.gate, q.density, q.loss, q.centred, q.correction})
    if (o) list.push_back(*o);
  const auto append = [&](const auto& array, std::size_t count) {
    list.insert(list.end(), array.begin(), array.begin() + count);
  };
  append(q.parameter_slopes, q.parameter_count);
  append(q.mixed_curvatures, q.parameter_count);
  append(q.parameter_curvatures, pair_count(q.parameter_count));
  return list;
}

TYPED_TEST(SpecialValues, OrTheirSharePassesAtMinusInfinity) {
  for (const ActivationInfo& info : all_infos) {
    if (!leaks(info)) continue;
    for (const Parameters& parameters : parameter_sets(info)) {
      SCOPED_TRACE(label(info, parameters));
      const auto p = cast<TypeParam>(parameters);
      TypeParam share = 1;
      for (std::size_t k = 0; k < info.parameter_count; ++k)
        if (info.limit == std::string(info.parameter[k].name) + " z") share = p[k];
      for (const TypeParam z : {-infinity<TypeParam>, -largest<TypeParam>}) {
        const auto q = evaluate(*find(info.name), p.data(), z);
        EXPECT_EQ(q.value, share * z);
        EXPECT_EQ(q.slope, share);
        EXPECT_EQ(q.curvature, 0);
        for (const TypeParam x : all(q)) EXPECT_FALSE(std::isnan(x));
      }
    }
  }
  const TypeParam nothing = 0;
  EXPECT_EQ(evaluate(*find("prelu"), &nothing, -infinity<TypeParam>).value, 0) << "not 0 times inf";
}

TYPED_TEST(SpecialValues, KinksBelongToThePieceBelow) {
  for (const char* const name : {"leaky_relu", "prelu", "elu"}) {
    const TypeParam alpha = 0.75;
    const auto q = evaluate(*find(name), &alpha, TypeParam(0));
    EXPECT_EQ(q.slope, alpha) << name;
    EXPECT_EQ(q.curvature, std::string_view(name) == "elu" ? alpha : 0) << name;
    EXPECT_EQ(q.parameter_slopes[0], 0) << name;
    EXPECT_EQ(evaluate(*find(name), &alpha, std::numeric_limits<TypeParam>::denorm_min()).slope, 1) << name;
  }
}

// As much is missing at the far end on the open side as there is on the closed: laws with such tails are symmetric.
TYPED_TEST(SpecialValues, LargeNumbersPassButForTheLimit) {
  for_all<TypeParam>([](const ActivationInfo& info, auto at, TypeParam limit) {
    if (info.law.empty()) return;
    for (const TypeParam z : {TypeParam(1e9), TypeParam(1e30), largest<TypeParam>}) {
      if (limit == 0)
        reaches(info, at(z).value, z, z);
      else
        EXPECT_NEAR(at(z).value, z + limit, z * std::numeric_limits<TypeParam>::epsilon()) << z;
      reaches(info, at(-z).value, limit, z);
    }
  });
}

TYPED_TEST(SpecialValues, BothZerosAreZero) {
  for_all<TypeParam>([](const ActivationInfo& info, auto at) {
    EXPECT_EQ(all(at(TypeParam(0))), all(at(-TypeParam(0))));
    EXPECT_TRUE(info.law.empty() || at(TypeParam(0)).value == 0);
  });
}

TYPED_TEST(SpecialValues, TinyNumbersArePassedByTheGateAtZero) {
  for_all<TypeParam>([](const ActivationInfo& info, auto at) {
    if (info.law.empty() || info.law == "point mass") return;
    const TypeParam unit = std::numeric_limits<TypeParam>::denorm_min();
    const TypeParam gate_0 = *at(0).gate;
    for (const TypeParam z :
         {1 * unit, 2 * unit, 1000001 * unit, std::numeric_limits<TypeParam>::min(), TypeParam(1e-30)})
      for (const TypeParam x : {z, -z}) {
        const TypeParam gate = gate_0 > 0 ? gate_0 : *at(x).gate;  // one that rises from 0 has no limit to pass by
        const TypeParam expected = x * gate,
                        slack = std::max(unit, std::abs(expected) * std::numeric_limits<TypeParam>::epsilon());
        EXPECT_NEAR(at(x).value, expected, 2 * slack) << x;
      }
  });
}

TYPED_TEST(SpecialValues, ThePointMassIsClearedAtItsPlace) {
  const auto q = evaluate<TypeParam>(*find("relu"), nullptr, TypeParam(0));
  EXPECT_EQ(q.gate, 1) << "P(T <= 0) for T = 0";
  EXPECT_EQ(q.slope, 0) << "by convention";
  EXPECT_FALSE(q.density);
}

TYPED_TEST(SpecialValues, NeighboursAreToldApart) {
  for_all<TypeParam>([](const ActivationInfo&, auto at) {
    EXPECT_NE(at(TypeParam(1.0001)).value, at(TypeParam(1.0003)).value);
    EXPECT_LT(at(TypeParam(12.3456)).value, at(TypeParam(12.3457)).value);
  });
}

/// The knees of each activation of the uniform law.
template <class S>
std::array<S, 2> knees(const ActivationInfo& info, const std::array<S, max_parameters>& p) {
  if (info.name == "uelu") return {-p[0], p[0]};
  if (info.name == "aqulu") return {-p[1] / p[0], (1 - p[1]) / p[0]};
  return {-3, 3};
}

TYPED_TEST(SpecialValues, KneesBelongToTheOuterPieces) {
  using S = TypeParam;
  for (const ActivationInfo& info : all_infos) {
    if (info.law != "uniform") continue;
    // Binary fractions, so that the knees are exact.
    const std::array<S, max_parameters> p =
        info.name == "aqulu" ? std::array<S, 3>{0.5, 0.25, 0} : std::array<S, 3>{1.25, 0, 0};
    const auto at = [&](S z) { return evaluate(*find(info.name), p.data(), z); };
    const auto [lower, upper] = knees(info, p);
    const S width = upper - lower;
    const auto closed = at(lower), open = at(upper);
    for (const S zero : {closed.value, closed.slope, closed.curvature, *closed.gate, *closed.density, *closed.loss,
                         closed.parameter_slopes[0], open.curvature, *open.density, open.parameter_slopes[0]})
      EXPECT_EQ(zero, 0) << info.name;
    EXPECT_EQ(open.value, upper) << info.name;
    EXPECT_EQ(open.slope, 1) << info.name;
    EXPECT_EQ(*open.gate, 1) << info.name;
    const S above = std::nextafter(lower, upper), below = std::nextafter(upper, lower);
    EXPECT_NEAR(*at(above).gate, (above - lower) / width, *at(above).gate * std::numeric_limits<S>::epsilon())
        << info.name;
    EXPECT_NEAR(at(above).slope, lower / width, std::numeric_limits<S>::epsilon()) << info.name;
    EXPECT_NEAR(at(below).slope, 1 + upper / width, 2 * std::numeric_limits<S>::epsilon()) << info.name;
    EXPECT_EQ(*at(below).density, 1 / width) << info.name;
    EXPECT_EQ(at(std::nextafter(upper, 2 * upper)).value, std::nextafter(upper, 2 * upper)) << info.name;
  }
}

TYPED_TEST(SpecialValues, NothingPassesOneSidedLawsUpTo0) {
  for_all<TypeParam>([](const ActivationInfo& info, auto at) {
    if (info.law != "exponential" && info.law != "log-logistic") return;
    for (const TypeParam z : {TypeParam(-1), -std::numeric_limits<TypeParam>::denorm_min(), TypeParam(0)}) {
      auto q = at(z);
      EXPECT_EQ(*q.density > 0, z == 0 && info.law == "exponential") << "where F rises at once";
      if (z == 0) q.density.reset();
      for (const TypeParam x : all(q)) EXPECT_EQ(x, 0) << z;
    }
  });
}

TYPED_TEST(SpecialValues, WideParametersOverflowNothing) {
  for (const ActivationInfo& info : all_infos)
    for (std::size_t k = 0; k < info.parameter_count; ++k)
      for (const double extreme : {info.parameter[k].lower, info.parameter[k].upper}) {
        std::array<TypeParam, max_parameters> p{};
        for (std::size_t j = 0; j < info.parameter_count; ++j) p[j] = static_cast<TypeParam>(info.parameter[j].initial);
        p[k] = static_cast<TypeParam>(extreme * (std::abs(extreme) > 1 ? 0.999 : extreme < 1e-20 ? 1.001 : 1));
        if (extreme == 0 && !info.parameter[k].closed) continue;
        if (info.parameter[k].integer) p[k] = static_cast<TypeParam>(extreme);
        for (const TypeParam z :
             {TypeParam(-1e30), TypeParam(-1), TypeParam(0), TypeParam(1e-30), TypeParam(1), TypeParam(1e30)}) {
          const auto q = evaluate(*find(info.name), p.data(), z);
          const bool far_below = leaks(info) && z < 0;  // where the share itself may overflow
          EXPECT_TRUE((far_below || std::isfinite(q.value)) && std::isfinite(q.slope))
              << info.name << ' ' << info.parameter[k].name << ' ' << p[k] << " at " << z;
        }
      }
}

}  // namespace
}  // namespace limen::test
