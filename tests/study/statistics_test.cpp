// Part of limen. SPDX-License-Identifier: MIT
#include "study/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "study/estimate.h"

namespace limen::study {
namespace {

TEST(Statistics, SpreadIsTheSampleStandardDeviation) {
  const Sample three = sample({0.10, 0.12, 0.30});
  EXPECT_EQ(three.n, 3);
  EXPECT_NEAR(three.mean, 0.17333333333333334, 1e-15);
  EXPECT_NEAR(*three.deviation, 0.11015141094572204, 1e-15);
  EXPECT_NEAR(*three.population_deviation, 0.08993825042154695, 1e-15);
  EXPECT_EQ(sample({2.5}).mean, 2.5);
  EXPECT_FALSE(sample({2.5}).deviation);
  EXPECT_TRUE(std::isnan(sample({}).mean));
}

TEST(Statistics, MedianOfAnEvenCountLiesBetween) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median({7}), 7);
  EXPECT_TRUE(std::isnan(median({})));
}

// Roots of the distribution function, found with mpmath in 30 digits (regularised incomplete beta).
TEST(Statistics, StudentQuantiles) {
  const struct {
    double probability;
    int degrees;
    double t;
  } known[] = {{0.975, 1, 12.706204736174705},
               {0.975, 2, 4.3026527297494639},
               {0.975, 3, 3.1824463052837096},
               {0.975, 4, 2.7764451051977944},
               {0.975, 9, 2.2621571627982055},
               {0.995, 30, 2.7499956535672253},
               {0.95, 5, 2.0150483733330242},
               {0.6, 3, 0.27667066233268991},
               {0.999, 7, 4.7852896286383341},
               {0.975, 200, 1.9718962236339094},
               {0.75, 1, 1.0}};
  for (const auto& [probability, degrees, t] : known) {
    EXPECT_NEAR(student_t_quantile(probability, degrees), t, 1e-10 * std::abs(t)) << probability << " " << degrees;
    EXPECT_NEAR(student_t_quantile(1 - probability, degrees), -t, 1e-9 * std::abs(t)) << probability << " " << degrees;
  }
}

TEST(Statistics, DifferencesArePaired) {
  // Five seeds whose level varies by ten times what the arms differ.
  const std::vector<double> gelu = {1.50, 1.61, 1.43, 1.55, 1.58}, uelu = {1.49, 1.59, 1.42, 1.55, 1.56};
  const Paired difference = paired(uelu, gelu);
  EXPECT_EQ(difference.n, 5);
  EXPECT_NEAR(difference.mean, -0.012, 1e-12);
  // s = 0.00836660026534, t = 2.776445105197799: reach 0.010388505...
  EXPECT_NEAR(*difference.low, -0.012 - 2.776445105197799 * 0.00836660026534 / std::sqrt(5.0), 1e-12);
  EXPECT_NEAR(*difference.high, -0.012 + 2.776445105197799 * 0.00836660026534 / std::sqrt(5.0), 1e-12);
  EXPECT_EQ(sentence("uelu", "gelu", difference, 3),
            "uelu minus gelu: -0.012 (95 % interval -0.022 to -0.002, n = 5): lower by more than seed noise.");
  EXPECT_EQ(sentence("gelu", "uelu", paired(gelu, uelu), 3),
            "gelu minus uelu: 0.012 (95 % interval 0.002 to 0.022, n = 5): higher by more than seed noise.");
  EXPECT_EQ(sentence("uelu", "gelu", paired({1.0, 1.5}, {1.1, 1.3}), 3),
            "uelu minus gelu: 0.050 (95 % interval -1.856 to 1.956, n = 2): within seed noise.");
  EXPECT_EQ(sentence("uelu", "gelu", paired({1.0, 1.5}, {1.25, 1.75}), 2),
            "uelu minus gelu: -0.25 (95 % interval -0.25 to -0.25, n = 2): lower by more than seed noise, but two "
            "seeds are few.");
}

TEST(Statistics, OneSeedAllowsNoClaim) {
  EXPECT_EQ(sentence("uelu", "gelu", paired({1.0}, {1.5}), 2),
            "uelu minus gelu: -0.50 (one seed: no spread, so nothing can be said).");
  EXPECT_EQ(sentence("uelu", "gelu", paired({}, {}), 2), "uelu minus gelu: no seed is done for both.");
  EXPECT_EQ(fixed(-0.0004, 3), "0.000");
  EXPECT_EQ(fixed(-0.0006, 3), "-0.001");
  EXPECT_EQ(fixed(INFINITY, 3), "inf");
}

TEST(Estimate, CountsWhatIsLeftAtTheMeasuredPace) {
  using namespace std::chrono_literals;
  const Cell a{"a", 1, {}, io::RunFolder("a")}, b{"b", 1, {}, io::RunFolder("b")};
  CellStatus of_a, of_b;
  of_a.cell = &a;
  of_b.cell = &b;
  of_a.iterations = of_b.iterations = 100;
  const Estimate::Time start = Estimate::Time() + 1000h;
  Estimate estimate;
  EXPECT_FALSE(estimate.seconds_left({of_a}, {of_b}, 1, start));
  of_a.iteration = 40;
  of_a.pace = 0.5;
  estimate.observe_running(of_a, start);
  EXPECT_DOUBLE_EQ(*estimate.seconds_left({of_a}, {}, 1, start), 30);
  EXPECT_DOUBLE_EQ(*estimate.seconds_left({of_a}, {}, 1, start + 10s), 20);
  EXPECT_DOUBLE_EQ(*estimate.seconds_left({of_a}, {}, 1, start + 100s), 0);
  // b was never measured and counts like a; two at a time the longer one decides.
  EXPECT_DOUBLE_EQ(*estimate.seconds_left({of_a}, {of_b}, 1, start), 80);
  EXPECT_DOUBLE_EQ(*estimate.seconds_left({of_a}, {of_b}, 2, start), 50);
  EXPECT_DOUBLE_EQ(*estimate.seconds_left({of_a}, {of_b, of_b}, 2, start), 65);
  // Time that passes shortens a running cell only, from when it began to run.
  EXPECT_DOUBLE_EQ(*estimate.seconds_left({of_a}, {of_b}, 1, start + 10s), 70);
  estimate.observe_running(of_b, start + 10s);
  EXPECT_DOUBLE_EQ(*estimate.seconds_left({of_a, of_b}, {}, 1, start + 10s), 70);
  EXPECT_DOUBLE_EQ(*estimate.seconds_left({of_a, of_b}, {}, 1, start + 15s), 60);
}

}  // namespace
}  // namespace limen::study
