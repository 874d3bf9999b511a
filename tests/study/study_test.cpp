// Part of limen. SPDX-License-Identifier: MIT
#include "study/study.h"

#include <gtest/gtest.h>

#include "io/files.h"
#include "io/temporary_folder.h"
#include "study/plan.h"
#include "study/small_study.h"
#include "train/measures.h"

namespace limen::study {
namespace {

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

TEST(StudyFile, ArmsTakeTheFilesDefaultsAndTheirOwnSettings) {
  std::string text =
      replaced(small_study_text, "activation = \"relu\"",
               "activation = \"relu\"\ntrain = {batch = 8, evaluate_every = 5}\n[arm.model]\ndropout = 0.0");
  const Study study = study_from_toml(text, "x.toml");
  ASSERT_EQ(study.arms.size(), 3U);
  EXPECT_EQ(study.arm("relu").settings.activation.name, "relu");
  EXPECT_EQ(study.arm("relu").settings.train.batch, 8);
  EXPECT_EQ(study.arm("relu").settings.train.evaluate_every, 5) << "an arm's own setting wins";
  EXPECT_EQ(study.arm("relu").settings.train.iterations, 30);
  EXPECT_EQ(study.arm("relu").settings.model.dropout, 0);
  EXPECT_EQ(study.arm("relu").settings.model.layers, 2);
  EXPECT_EQ(study.arm("relu").label, "relu");
  EXPECT_EQ(study.arm("gelu").settings.train.batch, train::Settings{}.train.batch);
  EXPECT_EQ(study.arm("tuelu").settings.activation.parameters.at("beta"), 1.25);
  EXPECT_EQ(study.baseline, "gelu");
  EXPECT_EQ(study_from_toml(replaced(text, "baseline = \"gelu\"\n", ""), "x.toml").baseline, "relu");
  EXPECT_EQ(study.text, text);
}

TEST(StudyFile, MistakesAreNamedWithLineAndNearestKey) {
  const std::string published = "\n[published]\nsource = \"s\"\nn = 5\ndivisor = \"n\"\n";
  const struct {
    std::string what, by, message;
  } cases[] = {
      {"seeds =", "seed =", "x.toml, line 4: unknown key \"seed\"; try \"seeds\""},
      {"layers = 2", "layer = 2", "x.toml, line 8: unknown key \"model.layer\"; try \"model.layers\""},
      {"evaluate_every = 10", "evaluate_every = true",
       "x.toml, line 13: train.evaluate_every: expected a whole number, got true"},
      {"activation = \"relu\"", "activtion = \"relu\"",
       "x.toml, line 17: unknown key \"arm.activtion\"; try \"arm.activation\""},
      {"activation = \"gelu\"", "activation = \"gelu\"\ntrain = {batches = 3}",
       "x.toml, line 23: unknown key \"train.batches\""},
      {"activation = \"gelu\"", "activation = 3", "x.toml, line 22"},
      {"activation = \"gelu\"", "activation = \"gellu\"", "x.toml, line 19, arm \"gelu\": "},
      {"activation = \"gelu\"", "activation = \"gelu\"\n[arm.data]\nname = \"other\"", "unknown key \"arm.data\""},
      {"name = \"gelu\"\n", "name = \"relu\"\n",
       "x.toml, line 19: arm.name: expected a name of its own, got a second \"relu\""},
      {"activation = \"gelu\"", "activation = \"relu\"", "got the same settings for \"relu\" and \"gelu\""},
      {"name = \"gelu\"\n", "name = \"ge lu\"\n", "x.toml, line 20: arm.name: expected a name of letters"},
      {"name = \"gelu\"\n", "", "x.toml, line 19: [[arm]]: expected a name"},
      {"GELU <exact>", "GELU\\n<exact>", "x.toml, line 21: arm.label: expected one line without control characters"},
      {"Small & quick", "Small\\u0000", "x.toml, line 3: title: expected one line without control characters"},
      {"[train]", "[data]\nname = \"shakespear\"\n[train]", "unknown data set \"shakespear\""},
      {"[1, 2]", "[]", "x.toml, line 4: seeds: expected an array of at least one seed"},
      {"[1, 2]", "[1, 1]", "seeds: expected each seed once"},
      {"[1, 2]", "[1, -2]", "seeds: expected whole numbers, not negative, got -2"},
      {"[1, 2]", "[1, 2.5]", "seeds: expected a whole number, got 2.5"},
      {"\"gelu\"\n", "\"gellu\"\n", "x.toml, line 5: baseline: study small: unknown arm \"gellu\"; try \"gelu\""},
      {"format = 1", "format = 2", "x.toml, line 1: format: expected 1"},
      {"format = 1\n", "", "expected format = 1"},
      {"name = \"small\"\n", "", "name: expected a text"},
      {"layers = 2", "layers 2", "x.toml, line 8: not valid TOML"},
      {"activation = \"relu\"", "activation = \"relu\"" + published + "[published.gel]\n",
       "unknown key \"published.gel\"; try \"published.gelu\""},
      {"activation = \"relu\"", "activation = \"relu\"" + published + "[published.gelu]\nloss = 3\n",
       "unknown key \"published.gelu.loss\""},
      {"activation = \"relu\"", "activation = \"relu\"" + published + "[published.gelu]\nperplexity = [1, 2, 3]\n",
       "expected a mean, or [mean, standard deviation]"},
      {"activation = \"relu\"", "activation = \"relu\"\n[published]\nn = 5\n", "published: expected source"},
      {"activation = \"relu\"", "activation = \"relu\"" + replaced(published, "\"n\"", "\"2\""),
       "published.divisor: expected \"n\" or \"n-1\""},
  };
  for (const auto& [what, by, message] : cases) {
    const std::string text = replaced(small_study_text, what, by);
    EXPECT_NE(io::message_of([&] { study_from_toml(text, "x.toml"); }).find(message), std::string::npos)
        << "expected: " << message << "\nfound: " << io::message_of([&] { study_from_toml(text, "x.toml"); });
  }
  const std::string without_arms = small_study_text.substr(0, small_study_text.find("[[arm]]"));
  EXPECT_NE(io::message_of([&] { study_from_toml(without_arms, "x.toml"); }).find("at least one [[arm]]"),
            std::string::npos);
}

TEST(StudyFile, PublishedValuesAreOfMeasuresAndLearnedParameters) {
  const std::string published = "\n[published]\nsource = \"s\"\nn = 5\ndivisor = \"n\"\n[published.tuelu]\n";
  const std::string text = replaced(small_study_text, "{name = \"tuelu\", parameters = {beta = 1.25}}", "\"tuelu\"");
  EXPECT_EQ(study_from_toml(text + published + "beta = 0.7\n", "x").published->arms.at("tuelu").at("beta").mean, 0.7);
  EXPECT_TRUE(io::names(io::message_of([&] { study_from_toml(text + published + "gamma = 1\n", "x"); }),
                        {"published.tuelu.gamma"}));
  const std::string page = io::read_file(LIMEN_SOURCE_DIR "/docs/studies.md");
  for (const train::Measure& measure : train::measures) {
    const std::string key(measure.key);
    EXPECT_NO_THROW(study_from_toml(text + published + key + " = [0.5, 0.1]\n", "x")) << key;
    EXPECT_TRUE(io::names(page, {"`" + key + "`"})) << key << " is not in docs/studies.md";
  }
}

TEST(StudyFile, ThePublishedCharacterExperiment) {
  const Study study = read_study(LIMEN_SOURCE_DIR "/studies/char-gpt.toml");
  EXPECT_EQ(study.seeds, (std::vector<std::uint64_t>{1, 2, 3, 4, 5}));
  std::vector<std::string> arms;
  for (const Arm& arm : study.arms) {
    arms.push_back(arm.name);
    EXPECT_EQ(arm.settings.train.decay, "all");
    EXPECT_EQ(arm.settings.train.iterations, 10000);
    EXPECT_EQ(arm.settings.train.weight_decay, 0.1);
    EXPECT_EQ(arm.settings.model.width, 128);
    EXPECT_EQ(arm.settings.data.name, "tinyshakespeare");
  }
  EXPECT_EQ(arms, (std::vector<std::string>{"relu", "silu", "gelu", "dgelu", "uelu3", "uelu", "tuelu"}));
  EXPECT_EQ(study.arm("uelu").settings.activation.parameters.at("beta"), 1.25);
  EXPECT_EQ(study.arm("dgelu").settings.activation.schedule.at("gamma"), "linear");
  ASSERT_TRUE(study.published);
  EXPECT_EQ(study.published->n, 5);
  EXPECT_EQ(study.published->arms.size(), 7U);
  EXPECT_EQ(study.published->arms.at("tuelu").at("beta").mean, 0.696);
  EXPECT_EQ(make_plan(study, {}, "out").cells.size(), 35U);
}

TEST(StudyFile, TheQuickstart) {
  const Study study = read_study(LIMEN_SOURCE_DIR "/studies/quickstart.toml");
  EXPECT_EQ(study.arms.size(), 4U);
  EXPECT_EQ(make_plan(study, {}, "out").cells.size(), 8U);
  EXPECT_EQ(study.arm("tuelu").settings.train.decay, "weights");
  EXPECT_EQ(study.arm("tuelu").settings.data.name, "shakespeare");
}

}  // namespace
}  // namespace limen::study
