// Part of limen. SPDX-License-Identifier: MIT
//
// A study file: which arms, which seeds, what they share. docs/studies.md describes the format.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "train/settings.h"

namespace limen::study {

struct Arm {
  std::string name;          ///< letters, digits, '_', '-', '.': it becomes part of a folder's name
  std::string label;         ///< for tables and figures; the name when the file gives none
  train::Settings settings;  ///< the file's defaults with this arm's own settings; the seed is a cell's
};

/// A published figure: mean and, where printed, standard deviation.
struct PublishedValue {
  double mean = 0;
  std::optional<double> deviation;
};

/// Published values, to be shown beside ours.
struct Published {
  std::string source;
  std::int64_t n = 0;                                                 ///< runs behind each value
  std::string divisor;                                                ///< of the deviations: "n" or "n-1"
  std::map<std::string, std::map<std::string, PublishedValue>> arms;  ///< arm -> measure -> value
};

struct Study {
  std::string name;
  std::string title;
  std::vector<std::uint64_t> seeds;
  std::vector<Arm> arms;
  std::string baseline;  ///< the arm the others are compared with; the first one when the file names none
  std::optional<Published> published;
  std::string text;  ///< the file itself, byte for byte

  /// Throws limen::Error naming the nearest arm.
  const Arm& arm(std::string_view arm_name) const;
};

/// Throws limen::Error: an unknown key is named with its line and the nearest known key; so are doubled arm names or
/// seeds, wrong types, an empty list of seeds or arms, and settings that cannot be run (see train::check). `where`
/// names the source in messages.
Study study_from_toml(std::string_view text, std::string_view where);

/// The same for a file.
Study read_study(const std::filesystem::path& file);

}  // namespace limen::study
