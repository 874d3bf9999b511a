// Part of limen. SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <torch/torch.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "blocks/loss.h"
#include "data/character_data.h"
#include "io/files.h"
#include "io/safetensors.h"
#include "io/temporary_folder.h"
#include "limen/error.h"
#include "limen/registry.h"
#include "tiny.h"
#include "train/activation_options.h"
#include "train/batches.h"
#include "train/evaluate.h"
#include "train/regions.h"
#include "train/schedule.h"
#include "train/train.h"
#include "train/weights.h"

namespace limen::train {
namespace {

// A run folder that is gone at the end of the scope.
struct TinyRun {
  io::TemporaryFolder place;
  io::RunFolder folder{place / "run"};
  data::CharCorpus corpus = tiny_corpus();
  TrainOptions options{.threads = 1, .on_progress = nullptr, .stop = nullptr};

  explicit TinyRun(const Settings& settings) { io::write_file(folder.settings(), settings_to_toml(settings)); }
  Outcome go() const { return run(folder, options, corpus); }
};

void expect_equal_bytes(const TinyRun& a, const TinyRun& b) {
  for (const auto of : {&io::RunFolder::metrics, &io::RunFolder::best})
    EXPECT_EQ(io::read_file((a.folder.*of)()), io::read_file((b.folder.*of)())) << (a.folder.*of)();
  for (const char* file : {"DONE", "checkpoint/model.safetensors", "checkpoint/optimizer.safetensors"})
    EXPECT_EQ(io::read_file(a.folder.path() / file), io::read_file(b.folder.path() / file)) << file;
}

TEST(Run, WritesOneRowAnEvaluationAndItsEnd) {
  Settings settings = tiny_settings(scheduled_dgelu());
  settings.train.iterations = 25;
  settings.train.horizon = 40;
  const TinyRun tiny(settings);
  ASSERT_EQ(tiny.go(), Outcome::done);
  ASSERT_EQ(tiny.folder.state(), io::RunState::done);
  const auto rows = tiny.folder.read_metrics();
  double best = rows[0]["validation_loss"];
  std::vector<std::int64_t> iterations;
  for (const io::Json& row : rows) {
    const std::int64_t i = row["iteration"];
    iterations.push_back(i);
    best = std::min<double>(best, row["validation_loss"]);
    EXPECT_EQ(row["learning_rate"], learning_rate(settings.train, 40, i)) << "the schedule keeps the horizon's length";
    EXPECT_EQ(row["scheduled"]["gamma"], 1 - static_cast<double>(i - 1) / 39);
    EXPECT_TRUE(row["learned"].empty());
  }
  EXPECT_EQ(iterations, (std::vector<std::int64_t>{1, 10, 20, 25}));
  EXPECT_EQ(tiny.folder.read_timing().size(), 4u);
  const io::Json end = *tiny.folder.read_end();
  EXPECT_EQ(end["best_validation_loss"], best);
  EXPECT_EQ(end["perplexity"], std::exp(end["validation_loss"].get<double>()));
  EXPECT_TRUE(end["regions"].is_null());
  const io::Json machine = io::parse_json(io::read_file(tiny.folder.environment()), "environment");
  EXPECT_EQ(machine["threads"], 1);
  EXPECT_EQ(machine["parameters"], end["parameters"]);
  EXPECT_EQ(machine["decayed"].size(), 2u + 2 * 4);
  EXPECT_EQ(machine["not_decayed"].size(), 2u + 2 * 8);
}

TEST(Run, TheBestWeightsStandInAFileThatExplainsItself) {
  Settings settings = tiny_settings(tuelu());
  settings.train.learning_rate_end = 0.3;  // which undoes what was learned: the last weights are not the best
  const TinyRun tiny(settings);
  ASSERT_EQ(tiny.go(), Outcome::done);
  const io::SafeTensors best = io::read_safetensors(tiny.folder.best());
  EXPECT_EQ(best.metadata.at("settings"), settings_to_toml(settings));
  const auto model = build_model(settings, static_cast<std::int64_t>(tiny.corpus.vocabulary.size()));
  copy_tensors(best.tensors, tensors_of(*model), "the best weights");
  const Batches batches(tiny.corpus, settings.seed, settings.train.batch, settings.model.context);
  const auto losses = estimate_losses(*model, batches, settings.train.evaluate_batches, math::Purpose::final_evaluation,
                                      0, [] { return false; });
  const io::Json end = *tiny.folder.read_end();
  ASSERT_LT(end["best_iteration"], settings.train.iterations);
  EXPECT_EQ(end["validation_loss"], losses->validation);
  EXPECT_EQ(end["train_loss"], losses->train);
  EXPECT_EQ(end["learned"]["model.beta"], model->sites()[0].activation->value("beta").item<double>());
  EXPECT_EQ(end["regions"], regions(*model, batches));
  EXPECT_EQ(end["regions"]["sites"].size(), 2u);
}

TEST(Run, EvaluatesOnBatchesOfTheStepThatTrainingDoesNotSee) {
  const Settings settings = tiny_settings(activation_settings("gelu"));
  const TinyRun tiny(settings);
  ASSERT_EQ(tiny.go(), Outcome::done);
  const Batches batches(tiny.corpus, settings.seed, settings.train.batch, settings.model.context);
  const auto model = build_model(settings, batches.classes());
  const std::filesystem::path last = tiny.folder.checkpoint() / "model.safetensors";
  copy_tensors(io::read_safetensors(last).tensors, tensors_of(*model), last.string());
  const auto losses =
      estimate_losses(*model, batches, settings.train.evaluate_batches, math::Purpose::evaluation_batches,
                      settings.train.iterations, [] { return false; });
  const io::Json row = tiny.folder.read_metrics().back();
  EXPECT_EQ(row["validation_loss"], losses->validation);
  EXPECT_EQ(row["train_loss"], losses->train);
}

TEST(Run, TwoRunsGiveTheSameBytes) {
  TinyRun first(tiny_settings(tuelu())), second(tiny_settings(tuelu()));
  first.options.threads = second.options.threads = 2;
  ASSERT_EQ(first.go(), Outcome::done);
  ASSERT_EQ(second.go(), Outcome::done);
  expect_equal_bytes(first, second);
}

TEST(Run, StoppedAfterEveryStepItGivesTheBytesOfAnUninterruptedRun) {
  for (const ActivationSettings& activation : {tuelu(), scheduled_dgelu(), sampled_silu()}) {
    const TinyRun straight(tiny_settings(activation));
    ASSERT_EQ(straight.go(), Outcome::done);
    TinyRun interrupted(tiny_settings(activation));
    std::atomic<bool> stop = false;
    interrupted.options.stop = &stop;
    interrupted.options.on_progress = [&](const Progress&) { stop = true; };  // after the first step of each process
    int times = 0;
    while (interrupted.go() == Outcome::interrupted) {
      EXPECT_EQ(interrupted.folder.state(), io::RunState::started);
      ++times;
      stop = false;
    }
    EXPECT_EQ(times, 40);
    expect_equal_bytes(straight, interrupted);
  }
}

TEST(Run, KilledAtEvaluationsItGivesTheBytesOfAnUninterruptedRun) {
  const TinyRun straight(tiny_settings(tuelu())), killed(tiny_settings(tuelu()));
  ASSERT_EQ(straight.go(), Outcome::done);
  const std::string worker = LIMEN_BINARY_DIR "/tests/train_worker", folder = killed.folder.path().string();
  for (int kills = 0;; ++kills) {
    const std::size_t rows = killed.folder.read_metrics().size();
    char* arguments[] = {const_cast<char*>(worker.c_str()), const_cast<char*>(folder.c_str()), nullptr};
    pid_t child = 0;
    ASSERT_EQ(posix_spawn(&child, worker.c_str(), nullptr, nullptr, arguments, environ), 0);
    int status = 0;
    pid_t ended = 0;
    // The first kills come right behind a new row: about when the checkpoint that should hold it is written.
    while ((ended = waitpid(child, &status, WNOHANG)) == 0 &&
           (kills >= 3 || killed.folder.read_metrics().size() <= rows))
      usleep(500);
    if (ended == 0) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      continue;
    }
    ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    EXPECT_GT(kills, 0);
    break;
  }
  expect_equal_bytes(straight, killed);
}

TEST(Run, AnotherModelsCheckpointIsRefusedByName) {
  TinyRun tiny(tiny_settings(activation_settings("uelu")));
  ASSERT_EQ(tiny.go(), Outcome::done);
  std::filesystem::remove(tiny.folder.path() / "DONE");
  io::write_file(tiny.folder.settings(), settings_to_toml(tiny_settings(tuelu())));
  const std::string message = io::message_of([&] { tiny.go(); });
  EXPECT_NE(message.find("missing: activations.0.raw_beta"), std::string::npos) << message;
  EXPECT_EQ(tiny.folder.state(), io::RunState::failed);
  EXPECT_EQ((*tiny.folder.read_end())["reason"], message);
}

// The recipe of rng = 1: what it gives today it gives for ever.
TEST(Batches, EachSplitHasAStreamOfItsOwn) {
  const data::CharCorpus corpus = tiny_corpus();
  const Batches batches(corpus, 7, 3, 8);
  for (const Split split : {Split::train, Split::validation}) {
    const data::Tokens& tokens = split == Split::train ? corpus.train : corpus.validation;
    const Batch batch = batches.draw(split, math::Purpose::train_batches, 5, 2);
    const math::Stream stream(7, math::Purpose::train_batches, split == Split::train ? 0 : 1, 5);
    for (std::int64_t row = 0; row < 3; ++row) {
      const std::uint64_t start = stream.below(tokens.size() - 9, static_cast<std::uint64_t>(6 + row));
      for (std::int64_t i = 0; i < 8; ++i) {
        EXPECT_EQ(batch.inputs[row][i].item<std::int64_t>(), tokens[start + static_cast<std::size_t>(i)]);
        EXPECT_EQ(batch.targets[row][i].item<std::int64_t>(), tokens[start + static_cast<std::size_t>(i) + 1]);
      }
    }
  }
}

TEST(Run, ADamagedCheckpointIsNamedWithWhatToDo) {
  TinyRun tiny(tiny_settings(activation_settings("uelu")));
  ASSERT_EQ(tiny.go(), Outcome::done);
  const std::string done = io::read_file(tiny.folder.path() / "DONE");
  for (const char* const file : {"state.json", "model.safetensors", "optimizer.safetensors"})
    for (const char* const content : {"", "{}", "\xff\xfe garbage"}) {
      std::filesystem::remove(tiny.folder.path() / "DONE");
      tiny.folder.clear_failed();
      io::write_file(tiny.folder.checkpoint() / file, content);
      const std::string message = io::message_of([&] { tiny.go(); });
      const std::string advice = "remove " + tiny.folder.checkpoint().string();
      EXPECT_NE(message.find(advice), std::string::npos) << message;
      std::filesystem::remove_all(tiny.folder.checkpoint());
      tiny.folder.clear_failed();
      ASSERT_EQ(tiny.go(), Outcome::done);
      EXPECT_EQ(io::read_file(tiny.folder.path() / "DONE"), done) << "the advice was not good";
    }
}

TEST(Run, WhatLibtorchRefusesIsOneLine) {
  Settings settings = tiny_settings(activation_settings("relu"));
  settings.train.batch = std::int64_t{1} << 50;
  const TinyRun tiny(settings);
  const std::string message = io::message_of([&] { tiny.go(); });
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  EXPECT_EQ((*tiny.folder.read_end())["reason"], message);
}

TEST(Run, AMissingOrTooShortTextIsToldBeforeTheFolderIsTouched) {
  TinyRun tiny(tiny_settings(tuelu()));
  tiny.corpus.validation.resize(9);
  EXPECT_NE(io::message_of([&] { tiny.go(); }).find("tiny, validation"), std::string::npos);
  Settings settings = tiny_settings(tuelu());
  settings.data.name = "tinyshakspeare";
  io::write_file(tiny.folder.settings(), settings_to_toml(settings));
  EXPECT_NE(io::message_of([&] { run(tiny.folder, {}); }).find("tinyshakespeare"), std::string::npos);
  EXPECT_EQ(tiny.folder.state(), io::RunState::started);
  EXPECT_FALSE(std::filesystem::exists(tiny.folder.environment()));
}

TEST(Run, DivergenceIsRecordedWithItsIteration) {
  Settings settings = tiny_settings(activation_settings("relu"));
  settings.train.learning_rate = 1e30;
  settings.train.warmup = 0;
  const TinyRun tiny(settings);
  ASSERT_EQ(tiny.go(), Outcome::diverged);
  EXPECT_EQ(tiny.folder.state(), io::RunState::diverged);
  const std::string reason = (*tiny.folder.read_end())["reason"];
  EXPECT_NE(reason.find("iteration 1"), std::string::npos) << reason;
}

TEST(Run, EveryActivationLearns) {
  std::vector<ActivationSettings> arms{tuelu(), activation_settings("uelu3"), scheduled_dgelu(), sampled_silu()};
  for (const char* name : {"glu", "gated(silu)", "gated(tuelu)"}) arms.push_back(activation_settings(name));
  for (const ActivationInfo& info : all_infos) arms.push_back(activation_settings(std::string(info.name)));
  for (const ActivationSettings& arm : arms) {
    const TinyRun tiny(tiny_settings(arm));
    ASSERT_EQ(tiny.go(), Outcome::done) << arm.name;
    const auto rows = tiny.folder.read_metrics();
    const double first = rows.front()["train_loss"], last = rows.back()["train_loss"];
    EXPECT_LT(last, first - 0.1) << arm.name;
  }
}

// A file with a law, and an arm that is trained with it.
struct LawInAFile {
  io::TemporaryFolder place;
  std::string path = (place / "thresholds.txt").string();
  ActivationSettings arm = activation_settings("empirical(" + path + ")");

  LawInAFile() { io::write_file(path, "-1.5\n-0.5\n0\n0.5\n1.5\n"); }
};

TEST(Run, LearnsWithALawGivenAsData) {
  const LawInAFile law;
  Settings settings = tiny_settings(law.arm);
  pin_files(settings);
  const TinyRun tiny(settings);
  ASSERT_EQ(tiny.go(), Outcome::done);
  const auto rows = tiny.folder.read_metrics();
  EXPECT_LT(rows.back()["train_loss"].get<double>(), rows.front()["train_loss"].get<double>() - 0.1);
  EXPECT_TRUE((*tiny.folder.read_end())["regions"].is_object()) << "its support has ends";
  const io::TensorMap best = io::read_safetensors(tiny.folder.best()).tensors;
  EXPECT_EQ(best.at("activations.0.quantiles").numel(), 5);
}

TEST(Run, ALawInAFileIsHeldToWhatItWas) {
  const LawInAFile law;
  Settings settings = tiny_settings(law.arm);
  const std::string before = settings_difference(settings);
  pin_files(settings);
  EXPECT_EQ(settings.activation.law.size(), 64u);
  EXPECT_NE(settings_difference(settings), before) << "cells with other laws have other names";
  check(settings);
  io::write_file(law.path, "-1.5\n-0.5\n0\n0.5\n1.25\n");
  EXPECT_TRUE(io::names(io::message_of([&] { check(settings); }), {"activation.law", "another one", law.path}));
  settings.activation.name = "gelu";
  EXPECT_TRUE(io::names(io::message_of([&] { check(settings); }), {"activation.law", "empirical(FILE)", "gelu"}));
}

TEST(Run, LearnedWidthMovesAsPublishedInTheFirstStep) {
  // From 0.5 by a learning rate of 3e-6 the published log shows 0.50000125; per site, each moves on its own.
  Settings settings = tiny_settings(tuelu());
  settings.activation.parameters = {{"beta", 0.5}};
  settings.train.iterations = 1;
  settings.train.horizon = 10000;
  settings.train.warmup = 100;
  settings.train.learning_rate = 3e-4;
  for (const char* scope : {"auto", "site"}) {
    settings.activation.scope = scope;
    const TinyRun tiny(settings);
    ASSERT_EQ(tiny.go(), Outcome::done);
    const io::Json learned = tiny.folder.read_metrics()[0]["learned"];
    EXPECT_EQ(learned.size(), settings.activation.shared() ? 1u : 2u);
    for (const auto& [name, value] : learned.items()) {
      EXPECT_TRUE(name == "model.beta" || name == "block.0.ffn.beta" || name == "block.1.ffn.beta") << name;
      EXPECT_NEAR(std::abs(value.get<double>() - 0.5), 1.18e-6, 0.1e-6) << name;
    }
  }
}

TEST(Batches, DependOnSeedPurposeSplitStepAndIndexAlone) {
  const data::CharCorpus corpus = tiny_corpus();
  const Batches batches(corpus, 1, 4, 8), same(corpus, 1, 4, 8), other_seed(corpus, 2, 4, 8);
  const auto inputs = [](const Batches& of, Split split, math::Purpose purpose, std::int64_t step, std::int64_t index) {
    return of.draw(split, purpose, step, index).inputs;
  };
  const auto train = math::Purpose::train_batches, evaluation = math::Purpose::evaluation_batches;
  const at::Tensor first = inputs(batches, Split::train, train, 1, 0);
  EXPECT_TRUE(torch::equal(first, inputs(same, Split::train, train, 1, 0)));
  for (const at::Tensor& other :
       {inputs(other_seed, Split::train, train, 1, 0), inputs(batches, Split::train, evaluation, 1, 0),
        inputs(batches, Split::validation, train, 1, 0), inputs(batches, Split::train, train, 2, 0),
        inputs(batches, Split::train, train, 1, 1)})
    EXPECT_FALSE(torch::equal(first, other));
  const Batch batch = batches.draw(Split::validation, evaluation, 3);
  EXPECT_TRUE(torch::equal(batch.inputs.slice(1, 1, 8), batch.targets.slice(1, 0, 7)));
}

Activation activation(const std::string& name, const std::map<std::string, double>& parameters) {
  ActivationOptions options;
  options.name = name;
  options.parameters = parameters;
  return Activation(options);
}

TEST(Regions, KneesAreTheEndsOfTheLawsSupport) {
  for (const double beta : {1e-6, 0.1, 1.25, 3.0, 1e6}) {
    const Knees at = knees(activation("uelu", {{"beta", beta}}));
    EXPECT_EQ(at.lower, -beta);
    EXPECT_DOUBLE_EQ(at.upper, beta);
  }
  EXPECT_DOUBLE_EQ(knees(activation("hard_swish", {})).upper, 3);
  const Knees tilted = knees(activation("aqulu", {{"a", 0.5}, {"b", 0.25}}));
  EXPECT_DOUBLE_EQ(tilted.lower, -0.5);
  EXPECT_DOUBLE_EQ(tilted.upper, 1.5);
  const Activation learned = activation("tuelu", {});
  EXPECT_NEAR(knees(learned).upper, 1.25, 1e-6);
  ActivationOptions options;
  options.name = "empirical";
  options.law = std::make_shared<laws::Empirical>(std::vector{0.0, 0.5, 1.0}, std::vector{-0.75, 0.0, 3.5});
  EXPECT_EQ(knees(Activation(options)).lower, -0.75);
  EXPECT_DOUBLE_EQ(knees(Activation(options)).upper, 3.5);
}

TEST(Regions, CountEveryPreActivationOnce) {
  const data::CharCorpus corpus = tiny_corpus();
  Settings settings = tiny_settings(activation_settings("uelu"));
  settings.activation.parameters = {{"beta", 0.05}};
  const auto model = build_model(settings, static_cast<std::int64_t>(corpus.vocabulary.size()));
  const Batches batches(corpus, 1, 4, 8);
  const io::Json json = regions(*model, batches);
  double closed = 0, open = 0;
  for (const io::Json& site : json["sites"]) {
    EXPECT_NEAR(site["closed"].get<double>() + site["transition"].get<double>() + site["open"].get<double>(), 1, 1e-12);
    closed += site["closed"].get<double>() / 2;
    open += site["open"].get<double>() / 2;
  }
  EXPECT_NEAR(json["closed"], closed, 1e-12) << "sites of equal size weigh the same";
  EXPECT_NEAR(json["open"], open, 1e-12);
  // A count of its own over the same batches.
  std::int64_t above = 0, all = 0;
  blocks::Context context;
  context.observe = [&](std::size_t, const at::Tensor& z) {
    for (const float one : std::vector<float>(z.data_ptr<float>(), z.data_ptr<float>() + z.numel()))
      above += one > 0.05F, ++all;
  };
  for (std::int64_t b = 0; b < 20; ++b)
    model->forward(batches.draw(Split::validation, math::Purpose::occupancy, 0, b).inputs, context);
  EXPECT_EQ(json["open"], static_cast<double>(above) / static_cast<double>(all));
  EXPECT_GT(above, 0);
}

TEST(Regions, AreThoseOfActivationsWithKneesAlone) {
  const data::CharCorpus corpus = tiny_corpus();
  const Batches batches(corpus, 1, 4, 8);
  for (const ActivationInfo& info : all_infos) {
    const Settings settings = tiny_settings(activation_settings(std::string(info.name)));
    const auto model = build_model(settings, static_cast<std::int64_t>(corpus.vocabulary.size()));
    EXPECT_EQ(regions(*model, batches).is_object(), has_knees(*find(info.name))) << info.name;
  }
}

TEST(TinyShakespeare, LossBeforeTrainingIsThatOfGuessing) {
  if (!test::has_data("tinyshakespeare")) GTEST_SKIP() << "no tinyshakespeare, of which the figures are";
  ::setenv("LIMEN_DATA", test::data_folder().c_str(), 1);
  const Settings published;
  const data::CharCorpus corpus = data::load_char_corpus(published.data.name, published.data.train_fraction);
  ASSERT_EQ(corpus.vocabulary.size(), 65u);
  const auto model = build_model(published, 65);
  const Batches batches(corpus, 1, 64, 128);
  const auto losses = estimate_losses(*model, batches, 1, math::Purpose::evaluation_batches, 0, [] { return false; });
  for (const double loss : {losses->train, losses->validation}) {
    EXPECT_GT(loss, 4.174);
    EXPECT_LT(loss, 4.28);
  }
}

}  // namespace
}  // namespace limen::train
