// Part of limen. SPDX-License-Identifier: MIT
#include "train/settings.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <locale>

#include "limen/error.h"

namespace limen::train {
namespace {

std::string error_of(std::string_view text) {
  try {
    settings_from_toml(text, "study.toml");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

Settings unusual() {
  Settings s;
  s.seed = 9223372036854775807u;
  s.activation = {.name = "uelu",
                  .law = "00ff",
                  .sampled = true,
                  .parameters = {{"beta", 0.1}, {"odd key", 1e-300}},
                  .learned = {"beta"},
                  .scope = "model",
                  .schedule = {{"gamma", "cosine"}},
                  .schedule_from = {{"gamma", 2.0 / 3}},
                  .schedule_to = {{"gamma", 5e-324}}};
  s.model = {.name = "a \"b\" \\ \n\x01 c", .layers = 1, .heads = 2, .width = 64, .context = 32, .dropout = 1.0 / 3};
  s.data = {.name = "shakespeare", .train_fraction = 0.1 + 0.2};
  s.train = {.iterations = 7,
             .horizon = 9,
             .batch = 3,
             .learning_rate = 1e22,
             .learning_rate_end = 1.0,
             .warmup = 4,
             .weight_decay = 0,
             .decay = "all",
             .clip = 123456789,
             .evaluate_every = 2,
             .evaluate_batches = 5};
  return s;
}

TEST(Settings, DefaultsHaveOneWrittenForm) {
  EXPECT_EQ(settings_to_toml(Settings{}),
            "format = 1\n"
            "seed = 1\n"
            "rng = 1\n"
            "\n[activation]\n"
            "name = \"gelu\"\n"
            "law = \"\"\n"
            "sampled = false\n"
            "parameters = {}\n"
            "learned = []\n"
            "scope = \"auto\"\n"
            "schedule = {}\n"
            "schedule_from = {}\n"
            "schedule_to = {}\n"
            "\n[model]\n"
            "name = \"gpt\"\n"
            "layers = 4\n"
            "heads = 4\n"
            "width = 128\n"
            "context = 128\n"
            "dropout = 0.1\n"
            "\n[data]\n"
            "name = \"tinyshakespeare\"\n"
            "train_fraction = 0.9\n"
            "\n[train]\n"
            "iterations = 10000\n"
            "horizon = 0\n"
            "batch = 64\n"
            "learning_rate = 3e-04\n"
            "learning_rate_end = 3e-05\n"
            "warmup = 100\n"
            "weight_decay = 0.1\n"
            "decay = \"weights\"\n"
            "clip = 1\n"
            "evaluate_every = 500\n"
            "evaluate_batches = 50\n");
}

TEST(Settings, WrittenFormReadsBackToTheSameBytesAndFields) {
  const Settings s = unusual();
  const Settings back = settings_from_toml(settings_to_toml(s), "written");
  EXPECT_EQ(settings_to_toml(back), settings_to_toml(s));
  EXPECT_EQ(back.seed, s.seed);
  EXPECT_EQ(back.activation.parameters, s.activation.parameters);
  EXPECT_EQ(back.activation.schedule_to.at("gamma"), 5e-324);
  EXPECT_EQ(back.model.name, s.model.name);
  EXPECT_EQ(back.model.dropout, s.model.dropout);
  EXPECT_EQ(back.train.learning_rate, 1e22);
}

TEST(Settings, EveryFieldIsWrittenReadAndCompared) {
  // `unusual` differs from the defaults in every field but rng, so a field missing from the list of settings shows as
  // an equal line.
  const std::string all = settings_to_toml(unusual()), differing = settings_difference(unusual());
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  EXPECT_EQ(lines(all), 3 + 2 + 9 + 2 + 6 + 2 + 2 + 2 + 11);
  EXPECT_EQ(lines(all) - lines(differing), 2) << "only format and rng may be left out:\n" << differing;
  EXPECT_EQ(settings_to_toml(settings_from_toml(differing, "difference")), all);
}

TEST(Settings, DifferenceOfTheDefaultsIsEmpty) {
  EXPECT_EQ(settings_difference(Settings{}), "");
  Settings s;
  s.seed = 3;
  s.train.batch = 32;
  EXPECT_EQ(settings_difference(s), "seed = 3\n\n[train]\nbatch = 32\n");
  s.seed = 1;
  EXPECT_EQ(settings_difference(s), "[train]\nbatch = 32\n");
}

TEST(Settings, AnyPartMayBeGivenInAnyOfTomlsSpellings) {
  const Settings s = settings_from_toml(
      "[train]\nclip = 2\nweight_decay = 5e-2\n[activation]\nname = 'uelu'\n[activation.parameters]\nbeta = 3\n",
      "part");
  EXPECT_EQ(s.train.clip, 2);
  EXPECT_EQ(s.train.weight_decay, 0.05);
  EXPECT_EQ(s.activation.parameters.at("beta"), 3);
  EXPECT_EQ(s.train.batch, TrainSettings{}.batch);
  EXPECT_EQ(settings_to_toml(settings_from_toml("", "empty")), settings_to_toml(Settings{}));
}

struct Mistake {
  std::string text;
  std::vector<std::string> named;
};

void expect_named(const std::vector<Mistake>& all) {
  for (const Mistake& mistake : all) {
    const std::string said = error_of(mistake.text);
    for (const std::string& part : mistake.named)
      EXPECT_NE(said.find(part), std::string::npos) << mistake.text << said << "\nlacks: " << part;
  }
}

TEST(Settings, AnUnknownKeyIsNamedWithItsLineAndTheNearestKnownOne) {
  expect_named({{"seed = 1\n[train]\nbatch = 3\nlerning_rate = 1\n",
                 {"study.toml, line 4", "\"train.lerning_rate\"", "\"train.learning_rate\""}},
                {"sed = 1\n", {"study.toml, line 1", "\"sed\"", "\"seed\""}},
                {"\n[trian]\nbatch = 1\n", {"study.toml, line 2", "\"trian\"", "\"train\""}}});
}

TEST(Settings, AWrongTypeIsToldWithWhatWasExpected) {
  expect_named({{"[train]\nbatch = \"sixty\"\n", {"study.toml, line 2: train.batch", "whole number", "got \"sixty\""}},
                {"[train]\nbatch = 6.5\n", {"line 2: train.batch", "whole number", "got 6.5"}},
                {"[train]\nbatch = 6.0\n", {"line 2: train.batch", "whole number", "got 6.0"}},
                {"seed = -1\n", {"line 1: seed", "not negative", "got -1"}},
                {"rng = 4294967297\n", {"line 1: rng", "whole number", "got 4294967297"}},
                {"[model]\ndropout = true\n", {"line 2: model.dropout", "a number", "got true"}},
                {"[model]\nname = 3\n", {"line 2: model.name", "text in quotes", "got 3"}},
                {"model = 3\n", {"line 1: model", "[model]", "got 3"}},
                {"[activation]\nlearned = \"beta\"\n", {"line 2: activation.learned", "array", "got \"beta\""}},
                {"[activation]\nsampled = 1\n", {"line 2: activation.sampled", "true or false", "got 1"}},
                {"[activation.parameters]\nbeta = \"wide\"\n",
                 {"line 2: activation.parameters.beta", "a number", "got \"wide\""}},
                {"format = 2\n", {"line 1: format", "expected 1", "got 2"}}});
}

TEST(Settings, BrokenTomlIsToldWithItsLine) {
  expect_named({{"seed = 1\n[train\n", {"study.toml, line 2", "not valid TOML"}},
                {"seed = 1\nseed = 2\n", {"study.toml, line 2", "not valid TOML"}}});
}

// As of a German locale: decimal commas and points between thousands.
struct Commas : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(Settings, NumbersDoNotDependOnTheLocale) {
  const std::string before = settings_to_toml(unusual());
  const std::locale old = std::locale::global(std::locale(std::locale(), new Commas));
  EXPECT_EQ(settings_to_toml(unusual()), before);
  EXPECT_EQ(settings_from_toml("[model]\ndropout = 0.25\n", "x").model.dropout, 0.25);
  EXPECT_EQ(settings_from_toml("[train]\niterations = 10_000\n", "x").train.iterations, 10000);
  expect_named({{"[train]\nbatch = 1234.5\n", {"got 1234.5"}}});
  std::locale::global(old);
}

std::string check_error(const std::function<void(Settings&)>& change) {
  Settings settings;
  change(settings);
  try {
    check(settings);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Check, TakesTheDefaultsAndThePublishedArms) {
  EXPECT_EQ(check_error([](Settings&) {}), "no error");
  for (const char* name : {"relu", "silu", "gelu", "uelu3", "uelu", "tuelu"})
    EXPECT_EQ(check_error([&](Settings& s) { s.activation.name = name; }), "no error") << name;
  EXPECT_EQ(check_error([](Settings& s) {
              s.activation.name = "dgelu";
              s.activation.schedule = {{"gamma", "linear"}};
            }),
            "no error");
}

TEST(Check, ValuesOutOfRangeAreToldWithWhatWasExpected) {
  const struct {
    void (*change)(Settings&);
    std::vector<std::string> named;
  } all[] = {
      {[](Settings& s) { s.train.batch = 0; }, {"train.batch: ", "at least 1", "got 0"}},
      {[](Settings& s) { s.model.heads = 3; }, {"model.width: ", "model.heads (3)", "got 128"}},
      {[](Settings& s) { s.model.name = "gtp"; }, {"model.name: ", "\"gtp\"", "try \"gpt\""}},
      {[](Settings& s) { s.train.decay = "weight"; },
       {"train.decay: ", "\"all\", \"weights\"", "got \"weight\"", "try \"weights\""}},
      {[](Settings& s) { s.train.clip = -1; }, {"train.clip: ", "at least 0", "got -1"}},
      {[](Settings& s) { s.model.dropout = 1; }, {"model.dropout: ", "below 1", "got 1"}},
      {[](Settings& s) { s.rng = 2; }, {"rng: ", "expected 1", "got 2"}},
  };
  for (const auto& [change, named] : all)
    for (const std::string& part : named)
      EXPECT_NE(check_error(change).find(part), std::string::npos) << check_error(change) << "\nlacks: " << part;
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {nan, infinity, -infinity, -1.0}) {
    EXPECT_NE(check_error([&](Settings& s) { s.model.dropout = bad; }), "no error") << bad;
    EXPECT_NE(check_error([&](Settings& s) { s.train.learning_rate = bad; }), "no error") << bad;
    EXPECT_NE(check_error([&](Settings& s) { s.train.learning_rate_end = bad; }), "no error") << bad;
    EXPECT_NE(check_error([&](Settings& s) { s.train.weight_decay = bad; }), "no error") << bad;
    EXPECT_NE(check_error([&](Settings& s) { s.data.train_fraction = bad; }), "no error") << bad;
  }
  for (const auto change : std::initializer_list<void (*)(Settings&)>{
           [](Settings& s) { s.seed = 1ULL << 63; }, [](Settings& s) { s.model.layers = 0; },
           [](Settings& s) { s.model.heads = 0; }, [](Settings& s) { s.model.context = 0; },
           [](Settings& s) { s.model.dropout = 0.999999; }, [](Settings& s) { s.train.iterations = 0; },
           [](Settings& s) { s.train.iterations = 1LL << 32; }, [](Settings& s) { s.train.horizon = -1; },
           [](Settings& s) { s.train.warmup = -1; }, [](Settings& s) { s.train.evaluate_every = 0; },
           [](Settings& s) { s.train.evaluate_batches = 0; }, [](Settings& s) { s.activation.scope = "global"; }})
    EXPECT_NE(check_error(change), "no error");
}

TEST(Check, ActivationsAndTheirSchedulesMustExistAndFit) {
  EXPECT_NE(check_error([](Settings& s) { s.activation.name = "gleu"; }).find("\"gelu\""), std::string::npos);
  for (const auto change : std::initializer_list<void (*)(ActivationSettings&)>{
           [](ActivationSettings& a) {
             a.parameters = {{"beta", 1}};
           },  // of gelu
           [](ActivationSettings& a) {
             a = {.name = "uelu", .parameters = {{"beta", -1}}, .learned = {}};
           },
           [](ActivationSettings& a) { a = {.name = "uelu", .parameters = {}, .learned = {"betta"}}; },
           [](ActivationSettings& a) {
             a.schedule = {{"gamma", "linear"}};
           },  // of gelu
           [](ActivationSettings& a) {
             a.schedule_to = {{"gamma", 1}};
           },
           [](ActivationSettings& a) {
             a.name = "tuelu";
             a.schedule = {{"beta", "linear"}};
           },
           [](ActivationSettings& a) {
             a.name = "dgelu";
             a.schedule = {{"gamma", "liner"}};
           },
           [](ActivationSettings& a) {  // ends at 0, where no beta may be
             a.name = "uelu";
             a.schedule = {{"beta", "linear"}};
           }})
    EXPECT_NE(check_error([&](Settings& s) { change(s.activation); }), "no error");
}

}  // namespace
}  // namespace limen::train
