// Part of limen. SPDX-License-Identifier: MIT
//
// The documents show what the present program makes.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cli/shell.h"
#include "limen/registry.h"

namespace limen::test {
namespace {

namespace fs = std::filesystem;

const fs::path tree = LIMEN_SOURCE_DIR;

/// The commands of a page's blocks of shell, each on one line.
std::vector<std::string> commands(const fs::path& page) {
  std::vector<std::string> all;
  std::stringstream lines(read(page));
  std::string begun;
  bool shell = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      shell = line == "```sh";
    } else if (shell) {
      const bool goes_on = line.ends_with('\\');
      if (goes_on) line.pop_back();
      begun += line;
      if (!goes_on) all.push_back(std::exchange(begun, ""));
    }
  }
  return all;
}

/// "GNUPLOT 5.4 patchlevel 4": another version writes other digits.
std::string drawn_by(const std::string& svg) {
  const std::size_t from = svg.find("GNUPLOT");
  return svg.substr(from, svg.find('<', from) - from);
}

/// Of pictures, which none but scripts/pictures puts there.
std::set<std::string> files_under(const fs::path& root) {
  std::set<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(root))
    if (entry.is_regular_file()) files.insert(fs::relative(entry.path(), root).string());
  return files;
}

TEST(Papers, CommandsGiveThePagesTables) {
  const std::string page = read(tree / "docs/papers.md");
  std::size_t tables = 0;
  for (const std::string& command : commands(tree / "docs/papers.md")) {
    if (!command.starts_with("limen table")) continue;
    const Result result = sh(command);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_NE(page.find(result.out), std::string::npos) << "docs/papers.md does not show what this prints: " << command;
    ++tables;
  }
  EXPECT_EQ(tables, 2u);
}

TEST(Pictures, AreThereForEveryActivationAndSmall) {
  for (const ActivationInfo& about : all_infos) {
    const fs::path file = tree / "docs/images/functions" / (std::string(about.name) + ".svg");
    ASSERT_TRUE(fs::exists(file)) << file << " is missing; run scripts/pictures";
    EXPECT_LT(fs::file_size(file), 15'000u) << file;
  }
}

TEST(Pictures, AreWhatTheProgramDraws) {
  if (sh("command -v gnuplot").status != 0) GTEST_SKIP() << "gnuplot is not here";
  const TemporaryFolder folder;
  const Result result =
      sh("LIMEN=$(command -v limen) '" + (tree / "scripts/pictures").string() + "' '" + folder.path().string() + "'");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(files_under(tree / "docs/images"), files_under(folder / "docs/images"));
  std::size_t pictures = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder / "docs/images")) {
    if (!entry.is_regular_file()) continue;
    const std::string now = read(entry.path()), kept = read(tree / fs::relative(entry.path(), folder.path()));
    if (!kept.empty() && drawn_by(now) != drawn_by(kept))
      GTEST_SKIP() << "drawn by " << drawn_by(kept) << ", here is " << drawn_by(now);
    EXPECT_TRUE(now == kept) << entry.path().filename() << " is stale; run scripts/pictures";
    ++pictures;
  }
  EXPECT_EQ(pictures, activation_count + commands(tree / "docs/papers.md").size() - 2);
  EXPECT_TRUE(read(folder / "docs/functions.md") == read(tree / "docs/functions.md"));
}

}  // namespace
}  // namespace limen::test
