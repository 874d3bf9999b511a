// Part of limen. SPDX-License-Identifier: MIT
//
// What users are told: where, what was expected, what came, and what to try. The words between are free.
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

/// Whether the sentence names all of these, in this order.
::testing::AssertionResult names(const std::string& sentence, std::initializer_list<std::string_view> parts) {
  std::size_t from = 0;
  for (const std::string_view part : parts) {
    const std::size_t at = sentence.find(part, from);
    if (at == std::string::npos) return ::testing::AssertionFailure() << "no \"" << part << "\" in: " << sentence;
    from = at + part.size();
  }
  return ::testing::AssertionSuccess();
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
  EXPECT_TRUE(names(told(some(), "gellu"), {"limen::activation", "\"gellu\"", "\"gelu\""}));
  EXPECT_TRUE(names(told(some(), "tuelu"), {"limen::activation", "\"tuelu\"", "\"uelu\""}));
  EXPECT_TRUE(names(told({}, "gelu"), {"limen::activation", "input", "undefined"}));
}

TEST(OperatorErrors, Row71_NameTheTypeOnEveryDevice) {
  for (const auto type : {torch::kInt64, torch::kInt32, torch::kBool, torch::kComplexFloat, torch::kComplexDouble,
                          torch::kFloat8_e4m3fn}) {
    const std::string_view name = c10::getDtypeNames(type).first;
    for (const auto device : {torch::kCPU, torch::kMeta})
      EXPECT_TRUE(
          names(told(torch::empty({2, 3}, torch::dtype(type).device(device)), "relu"),
                {"limen::activation", "float32, float64, bfloat16 or float16", name, "input.to(torch.float32)"}));
  }
  EXPECT_TRUE(names(told(some(), "uelu", {}, {torch::ones({}, torch::kInt64)}),
                    {"limen::activation", "uelu", "beta", "float32, float64, bfloat16 or float16", "int64"}));
}

TEST(OperatorErrors, SayWhatCannotHappenInPlace) {
  const auto in_place = [](at::Tensor z) { return sentence([&] { activation_(z, "gelu"); }); };
  EXPECT_TRUE(names(in_place(torch::ones({1, 3}).expand({2, 3})),
                    {"limen::activation_", "places of their own", "[0, 1]", "contiguous()"}));
  const at::Tensor leaf = torch::ones({3}).requires_grad_();
  EXPECT_TRUE(names(in_place(leaf), {"limen::activation_(gelu)", "without gradients", "limen::activation"}));
  EXPECT_TRUE(names(in_place(leaf * 2), {"limen::activation_(gelu)", "without gradients"}));
}

TEST(OperatorErrors, SayWhatMayStandBesideAnActivation) {
  const auto beside = [](Neighbours with) { return sentence([&] { fused_activation(some(), with, "gelu"); }); };
  EXPECT_TRUE(names(beside({.bias = torch::ones({2})}), {"limen::fused_activation", "bias", "[2, 3]", "[2]"}));
  EXPECT_TRUE(
      names(beside({.bias = torch::ones({3}, torch::kFloat64)}), {"bias", "type", "float64", "bias.to(input)"}));
  EXPECT_TRUE(names(beside({.factor = torch::ones({3})}), {"factor", "[2, 3]", "[3]"}));
  EXPECT_TRUE(names(beside({.dropout = 1.5}), {"0 <= dropout <= 1", "1.5"}));
}

TEST(OperatorErrors, CountAndBoundNumbers) {
  EXPECT_TRUE(names(told(some(), "uelu", {1, 2}), {"limen::activation", "uelu", "1 number ", "beta", "got 2"}));
  EXPECT_TRUE(names(told(some(), "aqulu", {1, 2, 3}), {"limen::activation", "aqulu", "2 numbers", "a, b", "got 3"}));
  EXPECT_TRUE(names(told(some(), "relu", {}, {torch::ones({})}), {"limen::activation", "relu", "no tensors", "got 1"}));
  EXPECT_TRUE(names(told(some(), "dgelu", {1.5}), {"limen::activation", "dgelu", "0 <= gamma <= 1", "got 1.5"}));
  EXPECT_TRUE(names(told(some(), "dgelu", {std::numeric_limits<double>::quiet_NaN()}),
                    {"limen::activation", "dgelu", "0 <= gamma <= 1", "got nan"}));
  // 1 - 1e-12 is inside the open interval, and 1 when rounded to the input's type.
  EXPECT_TRUE(names(told(some(), "aqulu", {0.4, 1 - 1e-12}), {"0 < b < 1", "got 0.999999999999", "float32", "to 1"}));
  EXPECT_EQ(told(some().to(torch::kFloat64), "aqulu", {0.4, 1 - 1e-12}), "(no error)");
  for (const ActivationInfo& about : all_infos)
    for (std::size_t k = 0; k < about.parameter_count; ++k)
      for (const double number : {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                                  std::numeric_limits<double>::quiet_NaN()}) {
        auto numbers = defaults(about);
        numbers[k] = number;
        EXPECT_TRUE(names(told(some(), about.name, numbers), {about.name, about.parameter[k].name, "got"}));
      }
}

TEST(OperatorErrors, NameTechnicalLimitsOnlyWhereTheyAreBroken) {
  EXPECT_TRUE(names(told(some(), "uelu", {-1}), {" beta > 0, ", "-1"}));
  EXPECT_TRUE(names(told(some(), "uelu", {0}), {" beta > 0, ", "0"}));
  EXPECT_TRUE(names(told(some(), "uelu", {1e30}), {" 1e-24 < beta < 1e+24, ", "1e+30"}));
  EXPECT_TRUE(names(told(some(), "uelu", {1e-30}), {" 1e-24 < beta < 1e+24, ", "1e-30"}));
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(names(told(some(), "gelu_mu_sigma", {infinity}), {"finite mu, ", "inf"}));
  EXPECT_TRUE(names(told(some(), "gelu_mu_sigma", {-1e30}), {" -1e+24 < mu < 1e+24, ", "-1e+30"}));
}

TEST(OperatorErrors, SayWhatShapeATensorShouldHave) {
  for (const at::Tensor& beta : {torch::ones({2}), torch::ones({1, 3})})
    EXPECT_TRUE(names(told(some(), "uelu", {}, {beta}),
                      {"uelu", "beta", "[], [1] or [C]", c10::str(beta.sizes()), "[2, 3]", "axis 1"}));
  EXPECT_TRUE(names(told(torch::ones({}), "uelu", {}, {torch::ones({3})}, 0), {"uelu", "beta", "[], [1]", "[3]"}));
  EXPECT_TRUE(
      names(told(some(), "uelu", {}, {torch::ones({3})}, 2), {"uelu", "axis from -2 to 1", "beta", "got 2", "[2, 3]"}));
  EXPECT_TRUE(names(told(some(), "uelu", {}, {torch::ones({}, torch::kMeta)}), {"uelu", "beta", "cpu", "got meta"}));
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
  EXPECT_TRUE(names(told(ActivationOptions{.name = "tuelo"}), {"activation", "\"tuelo\"", "\"tuelu\""}));
  EXPECT_TRUE(
      names(told(ActivationOptions{.name = "aqulu", .parameters = {{"bb", 1}}}), {"aqulu", "a, b", "\"bb\"", "\"b\""}));
  EXPECT_TRUE(
      names(told(ActivationOptions{.name = "relu", .learned = {"beta"}}), {"relu", "no parameter", "\"beta\""}));
  EXPECT_TRUE(names(told(ActivationOptions{.name = "uelu", .parameters = {{"beta", -1}}}), {"uelu", "beta > 0", "-1"}));
}

TEST(OptionErrors, SayWhatCanBeLearned) {
  EXPECT_TRUE(names(told(ActivationOptions{.name = "dgelu", .learned = {"gamma"}}),
                    {"dgelu", "gamma", "cannot be learned", "number"}));
  EXPECT_TRUE(names(told(ActivationOptions{.name = "uelu", .learned = {"beta", "beta"}}), {"uelu", "beta", "twice"}));
  EXPECT_TRUE(names(told(ActivationOptions{.name = "tuelu", .parameters = {{"beta", 0.001}}}),
                    {"uelu", "beta > 0.001", "learned", "got 0.001"}));
  EXPECT_TRUE(names(told(ActivationOptions{.name = "uelu", .channels = 4}),
                    {"uelu", "learned parameter", "channels = 4", "channels = 0"}));
  EXPECT_TRUE(names(told(ActivationOptions{.name = "tuelu", .channels = -1}), {"uelu", "channels", "got -1"}));
}

TEST(ModuleErrors, SayWhatCanBeSet) {
  Activation fixed(ActivationOptions{.name = "dgelu"});
  EXPECT_TRUE(names(sentence([&] { fixed->set("gamma", 2); }), {"dgelu", "0 <= gamma <= 1", "got 2"}));
  EXPECT_TRUE(names(sentence([&] { fixed->set("beta", 1); }), {"dgelu", "gamma", "\"beta\"", "\"gamma\""}));
  Activation learned(ActivationOptions{.name = "tuelu"});
  EXPECT_TRUE(names(sentence([&] { learned->set("beta", 1); }), {"uelu", "beta", "learned"}));
}

}  // namespace
}  // namespace limen::testing
