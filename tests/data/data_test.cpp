// Part of limen. SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "data/character_data.h"
#include "data/datasets.h"
#include "data/sampling.h"
#include "data/text.h"
#include "io/files.h"
#include "io/temporary_folder.h"

namespace limen::data {
namespace {

using io::message_of;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// LIMEN_DATA with another value for a scope.
class DataFolder {
 public:
  explicit DataFolder(const std::string& folder) {
    if (const char* named = std::getenv("LIMEN_DATA")) before_ = named;
    ::setenv("LIMEN_DATA", folder.c_str(), 1);
  }
  ~DataFolder() { before_.empty() ? ::unsetenv("LIMEN_DATA") : ::setenv("LIMEN_DATA", before_.c_str(), 1); }

 private:
  std::string before_;
};

TEST(CharCorpus, SortsTheVocabularyAndCutsAtTheIntegerPart) {
  const CharCorpus corpus = char_corpus("fox", "hello world\n\xE4!", 0.75);  // 14 bytes, 10.5 for training
  EXPECT_EQ(corpus.vocabulary, "\n !dehlorw\xE4");
  EXPECT_EQ(corpus.train, (Tokens{5, 4, 6, 6, 7, 1, 9, 7, 8, 6}));
  EXPECT_EQ(corpus.validation, (Tokens{3, 0, 10, 2}));
}

TEST(CharCorpus, RefusesWhatCannotBeSplit) {
  EXPECT_TRUE(contains(message_of([] { char_corpus("none", "", 0.9); }), "none: expected a text"));
  for (const double fraction : {0.0, 1.0, -1.0, 2.0, std::nan("")})
    EXPECT_TRUE(contains(message_of([&] { char_corpus("x", "abc", fraction); }), "between 0 and 1")) << fraction;
}

TEST(CharCorpus, TinyShakespeareHasItsPublishedCounts) {
  if (!test::has_data("tinyshakespeare")) GTEST_SKIP() << "no tinyshakespeare, of which the figures are";
  const DataFolder here(test::data_folder());
  const CharCorpus corpus = load_char_corpus("tinyshakespeare");
  EXPECT_EQ(corpus.vocabulary.size(), 65U);
  EXPECT_EQ(corpus.train.size(), 1003854U);
  EXPECT_EQ(corpus.validation.size(), 111540U);
  std::string begin;
  for (const auto token : std::span(corpus.train).first(14)) begin += corpus.vocabulary[token];
  EXPECT_EQ(begin, "First Citizen:");
}

TEST(DataSets, CheckOfWhatIsThere) {
  if (test::character_data().empty()) LIMEN_END_WITHOUT_DATA();
  const DataFolder here(test::data_folder());
  for (const DataSet& set : data_sets()) {
    if (!test::has_data(set.name)) continue;
    const Check result = check(set.name);
    EXPECT_TRUE(result.sound()) << result.files.front().problem;
    ASSERT_EQ(result.counts.size(), 4U);
    EXPECT_TRUE(contains(set.description, "vocabulary " + std::to_string(result.counts[1].second))) << set.name;
    EXPECT_EQ(result.counts[0].second, set.files.front().size);
  }
}

TEST(DataSets, MissingAndDamagedFilesSayWhatToDo) {
  const io::TemporaryFolder folder;
  const DataFolder here(folder.path().string());
  const std::string path = (folder / "shakespeare/input.txt").string();
  const std::string missing = message_of([] { load_char_corpus("shakespeare"); });
  EXPECT_TRUE(contains(missing, path) && contains(missing, "scripts/get_shakespeare")) << missing;
  io::write_file(path, "To be");
  const std::string shorter = message_of([] { load_char_corpus("shakespeare"); });
  EXPECT_TRUE(io::names(shorter, {"4850380 bytes", path, "got 5"})) << shorter;
  io::write_file(path, std::string(4850380, 'x'));
  const std::string other = message_of([] { load_char_corpus("shakespeare"); });
  EXPECT_TRUE(contains(other, "expected SHA-256 " + find_data_set("shakespeare").files.front().sha256)) << other;

  const Check result = check("shakespeare");
  EXPECT_FALSE(result.sound());
  EXPECT_EQ(result.files.front().path, path);
  EXPECT_EQ(result.files.front().problem, other);
  EXPECT_TRUE(result.counts.empty());
}

TEST(DataSets, UnknownNamesGiveTheNearest) {
  EXPECT_TRUE(
      io::names(message_of([] { check("tinyshakespear"); }), {"\"tinyshakespear\"", "try \"tinyshakespeare\""}));
}

Tokens counting(std::size_t n) {
  Tokens tokens(n);
  std::iota(tokens.begin(), tokens.end(), std::uint16_t{0});
  return tokens;
}

TEST(Windows, NeedContextPlusTwoTokens) {
  constexpr std::int64_t context = 8;
  for (const std::size_t n : {0, 1, 2, 8, 9}) {
    const std::string message = message_of([&] { Windows(counting(n), context, 100, "short"); });
    EXPECT_TRUE(io::names(message, {"short", "at least 10", "got " + std::to_string(n)})) << message;
  }
  EXPECT_EQ(Windows(counting(10), context, 100, "enough").count(), 1U);
  EXPECT_EQ(Windows(counting(100), context, 100, "enough").count(), 91U);
  EXPECT_THROW(Windows(counting(10), 0, 100, "none"), Error);
  EXPECT_THROW(Windows(counting(10), -3, 100, "none"), Error);
}

TEST(Windows, RefuseTokensBeyondTheVocabulary) {
  const std::string message = message_of([] { Windows(counting(20), 4, 19, "wrong"); });
  EXPECT_TRUE(io::names(message, {"text wrong", "below 19", "got 19 at place 19"})) << message;
}

TEST(Windows, SampleRowsOfTheTextShiftedByOne) {
  const Tokens tokens = counting(30);
  const Windows windows(tokens, 8, 30, "counting");
  std::vector<std::int64_t> inputs(500 * 8), targets(500 * 8);
  windows.sample(math::Stream(1, math::Purpose::train_batches, 0, 7), inputs, targets);
  std::set<std::int64_t> starts;
  for (std::size_t row = 0; row < 500; ++row) {
    const std::int64_t start = inputs[row * 8];
    starts.insert(start);
    for (std::size_t t = 0; t < 8; ++t) {
      ASSERT_EQ(inputs[row * 8 + t], start + static_cast<std::int64_t>(t));
      ASSERT_EQ(targets[row * 8 + t], start + static_cast<std::int64_t>(t) + 1);
    }
  }
  // Every start of {0, ..., n - T - 2} and no other: the text's last token is never reached, as in the published runs.
  EXPECT_EQ(starts.size(), 21U);
  EXPECT_EQ(*starts.rbegin(), 20);
}

TEST(Windows, BatchesFollowFromSeedStepAndPlaceAlone) {
  const Tokens tokens = counting(60000);
  const Windows windows(tokens, 1, 60000, "counting");
  const auto starts = [&](std::uint32_t step, std::size_t size, std::uint64_t first) {
    std::vector<std::int64_t> inputs(size), targets(size);
    windows.sample(math::Stream(1, math::Purpose::train_batches, 0, step), inputs, targets, first);
    return inputs;
  };
  const auto whole = starts(3, 8, 0);
  const auto begin = starts(3, 4, 0), end = starts(3, 4, 4);
  EXPECT_TRUE(std::equal(begin.begin(), begin.end(), whole.begin()));
  EXPECT_TRUE(std::equal(end.begin(), end.end(), whole.begin() + 4));
  EXPECT_NE(starts(4, 8, 0), whole);
  // Fixed with rng = 1; from a program in another language.
  EXPECT_EQ(whole, (std::vector<std::int64_t>{38555, 362, 59601, 36582, 41469, 36939, 33606, 59373}));
}

}  // namespace
}  // namespace limen::data
