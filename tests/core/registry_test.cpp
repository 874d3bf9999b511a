// Part of limen. SPDX-License-Identifier: MIT
//
// What activations say about themselves is complete and consistent.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "limen/limen.h"

namespace limen {
namespace {

TEST(Registry, NamesAreUniqueAndFound) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < activation_count; ++i) {
    EXPECT_TRUE(names.insert(all_infos[i].name).second) << all_infos[i].name;
    EXPECT_EQ(find(all_infos[i].name), static_cast<ActivationId>(i));
    EXPECT_EQ(&info(static_cast<ActivationId>(i)), &all_infos[i]);
  }
  EXPECT_EQ(find("Gelu"), std::nullopt);
  EXPECT_EQ(find(""), std::nullopt);
}

TEST(Registry, InfosAreComplete) {
  for (const ActivationInfo& a : all_infos) {
    EXPECT_FALSE(a.title.empty() || a.formula.empty() || a.slope.empty()) << a.name;
    EXPECT_FALSE(a.limit.empty() || a.reference.empty()) << a.name;
    EXPECT_TRUE(std::all_of(a.name.begin(), a.name.end(), [](char c) {
      return std::islower(c) || std::isdigit(c) || c == '_';
    })) << a.name;
    EXPECT_LE(a.bound.value, 4) << a.name;
    EXPECT_LE(a.bound.slope, 4) << a.name;
  }
}

TEST(Registry, ParametersHaveAName_ADomain_AndADefaultInsideIt) {
  for (const ActivationInfo& a : all_infos) {
    ASSERT_LE(a.parameter_count, max_parameters);
    for (std::size_t k = 0; k < max_parameters; ++k) {
      const Parameter& p = a.parameter[k];
      EXPECT_EQ(p.name.empty(), k >= a.parameter_count) << a.name << ' ' << k;
      if (k >= a.parameter_count) continue;
      EXPECT_NE(a.formula.find(p.name), std::string_view::npos) << a.formula << " does not mention " << p.name;
      EXPECT_TRUE(p.accepts(p.initial)) << a.name << ' ' << p.name;
      EXPECT_FALSE(p.integer && (p.accepts(p.lower + 0.5) || p.learned != Learned::no)) << a.name << ' ' << p.name;
      EXPECT_FALSE(p.meaning.empty()) << a.name << ' ' << p.name;
      EXPECT_EQ(p.accepts(p.lower), p.closed) << a.name << ' ' << p.name;
      const double infinity = std::numeric_limits<double>::infinity();
      for (const double bad : {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity})
        EXPECT_FALSE(p.accepts(bad)) << a.name << ' ' << p.name << ' ' << bad;
      EXPECT_TRUE(p.accepts(p.start())) << a.name << ' ' << p.name;
      EXPECT_TRUE(p.learned != Learned::softplus || p.start() > p.lower_learned) << a.name << ' ' << p.name;
    }
  }
}

TEST(Registry, VisitReachesTheActivation) {
  for (std::size_t i = 0; i < activation_count; ++i) {
    std::string_view seen;
    visit(static_cast<ActivationId>(i), [&]<class A>() { seen = A::info.name; });
    EXPECT_EQ(seen, all_infos[i].name);
  }
}

TEST(Registry, HoldsNothingThatNeedsTheHeap) {
  static_assert(std::is_trivially_copyable_v<ActivationInfo>);
  static_assert(find("gelu").has_value());
}

}  // namespace
}  // namespace limen
