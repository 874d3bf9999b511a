// Part of limen. SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>

#include "cli/shell.h"

namespace limen::test {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Calibrate, GivesTheWidthAndWhatRemains) {
  const Result result = sh("limen calibrate --match curvature uelu gelu");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "uelu(beta = 1.25331413731550")) << result.out;
  EXPECT_TRUE(contains(result.out, "0.131655 at ")) << result.out;
}

TEST(Calibrate, MovesTheParameterThatIsNamed) {
  const Result result =
      sh("limen calibrate --match variance gelu_mu_sigma uelu --set mu=0 --set-to beta=3 --parameter sigma");
  EXPECT_TRUE(contains(result.out, "gelu_mu_sigma(mu = 0, sigma = 1.7320508075688")) << result.out << result.err;
}

TEST(Calibrate, SaysWhatItCannotDo) {
  const struct {
    std::string arguments, said;
  } all[] = {
      {"--match curvatur uelu gelu", "try 'curvature'"},
      {"--match rms relu gelu", "relu: expected an activation with a width"},
      {"--match rms uelu gelu --parameter sigma", "expected one of beta of uelu"},
      {"--match correction uelu mish", "--match correction: expected an activation with a finite correction, got mish"},
      {"--match variance uelu iglu", "got iglu"}};
  for (const auto& [arguments, said] : all) {
    const Result result = sh("limen calibrate " + arguments);
    EXPECT_EQ(result.status, 2) << arguments;
    EXPECT_TRUE(contains(result.err, said)) << result.err;
    EXPECT_EQ(result.out, "");
  }
}

}  // namespace
}  // namespace limen::test
