// Part of limen. SPDX-License-Identifier: MIT
//
// The data that tests from end to end are run on: whichever text by characters is there.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace limen::test {

/// What LIMEN_DATA names, else the folder that scripts/get_shakespeare fills.
inline std::string data_folder() {
  const char* const named = std::getenv("LIMEN_DATA");
  return std::filesystem::absolute(named && *named ? named : LIMEN_SOURCE_DIR "/limen-data").string();
}

inline bool has_data(const std::string& set) {
  return std::filesystem::exists(std::filesystem::path(data_folder()) / set / "input.txt");
}

/// "tinyshakespeare", "shakespeare", or "" where neither is there.
inline std::string character_data() {
  for (const char* const set : {"tinyshakespeare", "shakespeare"})
    if (has_data(set)) return set;
  return "";
}

/// Set by scripts/test once it has seen to the data: no test may then pass by skipping.
inline bool data_must_be_there() { return std::getenv("LIMEN_TESTS_HAVE_DATA") != nullptr; }

/// Ends a test that has no data.
#define LIMEN_END_WITHOUT_DATA()                                                                                      \
  do {                                                                                                                \
    const std::string missing = "no text in " + limen::test::data_folder() + "; scripts/get_shakespeare fetches one"; \
    if (limen::test::data_must_be_there()) FAIL() << missing;                                                         \
    GTEST_SKIP() << missing;                                                                                          \
  } while (false)

}  // namespace limen::test
