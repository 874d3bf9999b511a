// Part of limen. SPDX-License-Identifier: MIT
#include "io/checkpoint_folder.h"

#include <ATen/Functions.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>

#include "io/files.h"
#include "io/safetensors.h"
#include "io/temporary_folder.h"
#include "limen/math/random.h"

namespace limen::io {
namespace {

namespace fs = std::filesystem;

/// A checkpoint whose two files say the same number.
void save(const fs::path& target, int number, void (*commit)(const fs::path&)) {
  const fs::path fresh = begin_folder(target);
  write_safetensors(fresh / "model.safetensors", {{{"w", at::full({64, 64}, number, at::kFloat)}}, {}});
  write_file(fresh / "state.json", std::to_string(number));
  commit(target);
}

/// The number, or -1 when the files disagree.
int load(const fs::path& target) {
  const auto w = read_safetensors(target / "model.safetensors").tensors.at("w");
  const int number = std::stoi(read_file(target / "state.json"));
  return at::equal(w, at::full({64, 64}, number, at::kFloat)) ? number : -1;
}

TEST(CheckpointFolder, IsReplacedAsAWhole) {
  const TemporaryFolder folder;
  const fs::path target = folder / "run/checkpoint";
  EXPECT_FALSE(recover_folder(target));
  for (int number : {1, 2, 3}) {
    save(target, number, number == 3 ? commit_folder_in_two_steps : commit_folder);
    EXPECT_TRUE(recover_folder(target));
    EXPECT_EQ(load(target), number);
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / "run"), fs::directory_iterator()), 1);
}

TEST(CheckpointFolder, RecoversFromEveryInterruptedStep) {
  const TemporaryFolder folder;
  const fs::path target = folder / "checkpoint";
  const auto put = [&](const char* name, const char* content) { write_file(folder / name, content); };
  const auto state = [&] { return recover_folder(target) ? read_file(target / "state") : "none"; };
  put("checkpoint.new/state", "torn");
  EXPECT_EQ(state(), "none") << "the first save had not been committed";
  put("checkpoint/state", "1");
  put("checkpoint.new/state", "torn");
  EXPECT_EQ(state(), "1") << "interrupted while the second was being written";
  fs::rename(target, folder / "checkpoint.old");
  put("checkpoint.new/state", "2");
  EXPECT_EQ(state(), "2") << "interrupted between the two steps";
  put("checkpoint.old/state", "1");
  EXPECT_EQ(state(), "2") << "interrupted before the old one was removed";
  fs::rename(target, folder / "checkpoint.old");
  EXPECT_EQ(state(), "2") << "only the old one survived";
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

class Killed : public testing::TestWithParam<void (*)(const fs::path&)> {};

TEST_P(Killed, AtAnyMomentLeavesACompleteCheckpoint) {
  const TemporaryFolder folder;
  const fs::path target = folder / "checkpoint";
  const math::Stream random(3, math::Purpose::shuffle);
  save(target, 0, GetParam());
  int latest = 0;
  for (std::uint64_t round = 0; round < 20; ++round) {
    int saved[2];
    ASSERT_EQ(::pipe(saved), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      for (int number = latest + 1;; ++number) {
        save(target, number, GetParam());
        [[maybe_unused]] const auto told = ::write(saved[1], "x", 1);
      }
    }
    // A random part of a save or two after the first.
    char c;
    ASSERT_EQ(::read(saved[0], &c, 1), 1);
    std::this_thread::sleep_for(std::chrono::microseconds(random.below(2000, round)));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(saved[0]);
    ::close(saved[1]);
    ASSERT_TRUE(recover_folder(target)) << round;
    const int number = load(target);
    ASSERT_GT(number, latest) << round;
    latest = number;
  }
}

INSTANTIATE_TEST_SUITE_P(CheckpointFolder, Killed, testing::Values(commit_folder, commit_folder_in_two_steps),
                         [](const auto& tested) { return tested.index == 0 ? "Exchange" : "TwoSteps"; });

}  // namespace
}  // namespace limen::io
