// Part of limen. SPDX-License-Identifier: MIT
//
// What users are told: expected, came, and what to try, word by word.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>

#include "operators/cases.h"

namespace limen::testing {
namespace {

std::string sentence(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "(no error)";
}

std::string told(const at::Tensor& input, std::string_view name, std::vector<double> numbers = {},
                 OptionalTensors tensors = {}, std::int64_t axis = 1) {
  return sentence([&] { activation(input, name, numbers, tensors, axis); });
}

std::string told(ActivationOptions options) {
  return sentence([&] { resolve(std::move(options)); });
}

const at::Tensor& some() {
  static const at::Tensor z = torch::ones({2, 3});
  return z;
}

TEST(OperatorErrors, NameTheActivation) {
  EXPECT_EQ(
      told(some(), "gellu"),
      "limen::activation: the name of an activation was expected, \"gellu\" came; the nearest known one is \"gelu\"");
  EXPECT_EQ(told({}, "gelu"), "limen::activation: an input was expected, an undefined tensor came");
}

TEST(OperatorErrors, NameTheType) {
  const auto expected = [](const std::string& type) {
    return "limen::activation: an input of type float32 or float64 was expected, " + type +
           " came; convert it, as in input.to(torch.float32)";
  };
  EXPECT_EQ(told(some().to(torch::kInt64), "relu"), expected("int64"));
  EXPECT_EQ(told(some().to(torch::kInt32), "relu"), expected("int32"));
  EXPECT_EQ(told(some().to(torch::kBool), "relu"), expected("bool"));
  EXPECT_EQ(told(some().to(torch::kComplexFloat), "relu"), expected("complex64"));
  EXPECT_EQ(told(some().to(torch::kBFloat16), "relu"), expected("bfloat16"));
  EXPECT_EQ(told(some().to(torch::kFloat16), "relu"), expected("float16"));
  EXPECT_EQ(told(some(), "uelu", {}, {torch::ones({}, torch::kInt64)}),
            "limen::activation: beta of uelu as a tensor of type float32 or float64 was expected, int64 came");
}

TEST(OperatorErrors, CountAndBoundNumbers) {
  EXPECT_EQ(told(some(), "uelu", {1, 2}),
            "limen::activation: at most 1 numbers for uelu were expected (its parameters: beta), 2 came");
  EXPECT_EQ(told(some(), "relu", {}, {torch::ones({})}),
            "limen::activation: at most 0 tensors for relu were expected (its parameters: none), 1 came");
  EXPECT_EQ(told(some(), "dgelu", {1.5}),
            "limen::activation: gamma of dgelu with 0 <= gamma <= 1 was expected, 1.5 came");
  EXPECT_EQ(told(some(), "dgelu", {std::numeric_limits<double>::quiet_NaN()}),
            "limen::activation: gamma of dgelu with 0 <= gamma <= 1 was expected, nan came");
  // 1 - 1e-12 is inside the open interval, and 1 when rounded to the input's type.
  EXPECT_EQ(
      told(some(), "aqulu", {0.4, 1 - 1e-12}),
      "limen::activation: b of aqulu with 0 < b < 1 was expected, 0.999999999999 came, which leaves the domain when "
      "rounded to float32");
  EXPECT_EQ(told(some().to(torch::kFloat64), "aqulu", {0.4, 1 - 1e-12}), "(no error)");
  for (const ActivationInfo& about : all_infos)
    for (std::size_t k = 0; k < about.parameter_count; ++k)
      for (const double number : {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                                  std::numeric_limits<double>::quiet_NaN()}) {
        auto numbers = defaults(about);
        numbers[k] = number;
        EXPECT_NE(told(some(), about.name, numbers), "(no error)") << about.name;
      }
}

TEST(OperatorErrors, NameTechnicalLimitsOnlyWhereTheyAreBroken) {
  const auto says = [](std::string_view name, std::vector<double> numbers, std::string_view domain) {
    return told(some(), name, std::move(numbers)).find(domain) != std::string::npos;
  };
  EXPECT_TRUE(says("uelu", {-1}, " beta > 0 ")) << told(some(), "uelu", {-1});
  EXPECT_TRUE(says("uelu", {0}, " beta > 0 ")) << told(some(), "uelu", {0});
  EXPECT_TRUE(says("uelu", {1e30}, " 1e-24 < beta < 1e+24 ")) << told(some(), "uelu", {1e30});
  EXPECT_TRUE(says("uelu", {1e-30}, " 1e-24 < beta < 1e+24 ")) << told(some(), "uelu", {1e-30});
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(says("gelu_mu_sigma", {infinity}, " finite mu ")) << told(some(), "gelu_mu_sigma", {infinity});
  EXPECT_TRUE(says("gelu_mu_sigma", {-1e30}, " -1e+24 < mu < 1e+24 ")) << told(some(), "gelu_mu_sigma", {-1e30});
}

TEST(OperatorErrors, SayWhatShapeATensorShouldHave) {
  EXPECT_EQ(told(some(), "uelu", {}, {torch::ones({2})}),
            "limen::activation: beta of uelu of shape [], [1] or [C] with C = input.size(axis) was expected, [2] came "
            "with an input of shape [2, 3] and axis 1");
  EXPECT_EQ(
      told(some(), "uelu", {}, {torch::ones({1, 3})}),
      "limen::activation: beta of uelu of shape [], [1] or [C] with C = input.size(axis) was expected, [1, 3] came "
      "with an input of shape [2, 3] and axis 1");
  EXPECT_EQ(
      told(some(), "uelu", {}, {torch::ones({3})}, 2),
      "limen::activation: beta of uelu has [3] values, one a channel, so an axis from -2 to 1 was expected for an "
      "input of shape [2, 3], axis 2 came");
  EXPECT_EQ(told(some(), "uelu", {}, {torch::ones({}, torch::kMeta)}),
            "limen::activation: beta of uelu on the input's device cpu was expected, meta came");
  // The axis means nothing where no parameter has channels.
  EXPECT_EQ(told(torch::ones({}), "uelu", {}, {torch::ones({1})}, 7), "(no error)");
}

// LIMEN_ISA is read once a process: another process reads a wrong one.
TEST(OperatorErrorsDeathTest, NameAnInstructionSetThatIsNotThere) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  ::setenv("LIMEN_ISA", "avx1024", 1);
  const auto say = [] {
    std::fputs(told(some(), "relu").c_str(), stderr);
    std::exit(3);
  };
  EXPECT_EXIT(say(), ::testing::ExitedWithCode(3), "^LIMEN_ISA.*avx1024");
  ::unsetenv("LIMEN_ISA");
}

TEST(OptionErrors, NameActivationAndParameter) {
  EXPECT_EQ(told(ActivationOptions{.name = "tuelo"}),
            "the name of an activation was expected, \"tuelo\" came; the nearest known one is \"tuelu\"");
  EXPECT_EQ(told(ActivationOptions{.name = "uelu", .parameters = {{"bta", 1}}}),
            "a parameter of uelu was expected (beta), \"bta\" came; the nearest known one is \"beta\"");
  EXPECT_EQ(told(ActivationOptions{.name = "relu", .learned = {"beta"}}),
            "a parameter of relu was expected (none), \"beta\" came");
  EXPECT_EQ(told(ActivationOptions{.name = "uelu", .parameters = {{"beta", -1}}}).find("beta of uelu with "), 0u);
}

TEST(OptionErrors, SayWhatCanBeLearned) {
  EXPECT_EQ(told(ActivationOptions{.name = "dgelu", .learned = {"gamma"}}),
            "a parameter that can be learned was expected, gamma of dgelu came, which cannot; give it a number");
  EXPECT_EQ(told(ActivationOptions{.name = "uelu", .learned = {"beta", "beta"}}),
            "each learned parameter once was expected, beta of uelu came twice");
  EXPECT_EQ(
      told(ActivationOptions{.name = "tuelu", .parameters = {{"beta", 0.001}}}),
      "a start value of the learned beta of uelu that a raw number reaches was expected (beta > 0.001), 0.001 came");
  EXPECT_EQ(
      told(ActivationOptions{.name = "uelu", .channels = 4}),
      "channels = 0, or a number of channels with a learned parameter, was expected for uelu; channels = 4 came and "
      "nothing is learned");
}

TEST(ModuleErrors, SayWhatCanBeSet) {
  Activation fixed(ActivationOptions{.name = "dgelu"});
  EXPECT_EQ(sentence([&] { fixed->set("gamma", 2); }), "gamma of dgelu with 0 <= gamma <= 1 was expected, 2 came");
  EXPECT_EQ(sentence([&] { fixed->set("beta", 1); }), "a parameter of dgelu was expected (gamma), \"beta\" came");
  Activation learned(ActivationOptions{.name = "tuelu"});
  EXPECT_EQ(sentence([&] { learned->set("beta", 1); }),
            "a fixed parameter to set was expected, beta of uelu came, which is learned");
}

}  // namespace
}  // namespace limen::testing
