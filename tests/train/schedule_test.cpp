// Part of limen. SPDX-License-Identifier: MIT
#include "train/schedule.h"

#include <gtest/gtest.h>

#include "limen/error.h"

namespace limen::train {
namespace {

TEST(Schedule, LearningRateIsThePublishedOne) {
  const TrainSettings published;
  EXPECT_DOUBLE_EQ(learning_rate(published, 10000, 1), 3e-6);
  EXPECT_DOUBLE_EQ(learning_rate(published, 10000, 99), 2.97e-4);
  EXPECT_DOUBLE_EQ(learning_rate(published, 10000, 100), 3e-4);
  EXPECT_EQ(learning_rate(published, 10000, 500), 2.9891389973215736e-4);
  EXPECT_EQ(learning_rate(published, 10000, 10000), 3e-5);
}

TEST(Schedule, LearningRateStartsAboveZeroHasNoJumpsAndEndsAtItsEnd) {
  for (const std::int64_t warmup : {0, 1, 4, 10, 20})
    for (const std::int64_t horizon : {1, 10, 300}) {
      TrainSettings settings;
      settings.warmup = warmup;
      SCOPED_TRACE(testing::Message() << "warmup " << warmup << ", horizon " << horizon);
      EXPECT_GT(learning_rate(settings, horizon, 1), 0);
      if (horizon >= warmup) {
        EXPECT_DOUBLE_EQ(learning_rate(settings, horizon, horizon), settings.learning_rate_end);
        EXPECT_EQ(learning_rate(settings, horizon, horizon + 5), settings.learning_rate_end) << "beyond the horizon";
      }
      if (horizon < 300) continue;
      const double largest = settings.learning_rate / std::max<double>(1, static_cast<double>(warmup));
      for (std::int64_t i = 2; i <= horizon; ++i)
        EXPECT_LE(std::abs(learning_rate(settings, horizon, i) - learning_rate(settings, horizon, i - 1)),
                  largest * (1 + 1e-9));
    }
}

TEST(Schedule, GammaIsThePublishedOne) {
  const auto gamma = [](std::int64_t horizon, std::int64_t i) {
    return scheduled("linear", 1, 0, progress(horizon, i));
  };
  EXPECT_EQ(gamma(10000, 1), 1);
  EXPECT_DOUBLE_EQ(gamma(10000, 500), 0.95009500950095);
  EXPECT_DOUBLE_EQ(gamma(20, 2), 0.9473684210526316);
  EXPECT_EQ(gamma(10000, 10000), 0);
  EXPECT_EQ(gamma(10000, 12000), 0);
  EXPECT_EQ(progress(1, 1), 0);
}

TEST(Schedule, ShapesAreNamed) {
  EXPECT_DOUBLE_EQ(scheduled("cosine", 3, 1, 0.5), 2);
  EXPECT_DOUBLE_EQ(scheduled("cosine", 3, 1, 0.25), 3 - 2 * 0.14644660940672624);
  EXPECT_EQ(scheduled("cosine", 1, 0, 1), 0);
  EXPECT_EQ(scheduled("constant", 3, 1, 0.5), 3);
  EXPECT_THROW(scheduled("liner", 1, 0, 0.5), Error);
  ActivationSettings activation;
  activation.schedule = {{"gamma", "linear"}};
  EXPECT_EQ(scheduled(activation, "gamma", 0.25), 0.75) << "from 1 to 0 unless told otherwise";
  activation.schedule_to = {{"gamma", 0.5}};
  EXPECT_EQ(scheduled(activation, "gamma", 0.5), 0.75);
}

}  // namespace
}  // namespace limen::train
