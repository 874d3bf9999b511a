// Part of limen. SPDX-License-Identifier: MIT
//
// The data sets we can read, and where they are looked for: the folder that the environment variable LIMEN_DATA names,
// else ./limen-data. Each has a folder of its own name in it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace limen::data {

struct DataFile {
  std::string path;  ///< below the folder of data sets
  std::uintmax_t size;
  std::string sha256;
};

struct DataSet {
  std::string name;
  std::string description;
  std::string source;      ///< where it is from, and under what licence
  std::string how_to_get;  ///< a sentence on what to do when it is missing
  std::vector<DataFile> files;
};

const std::vector<DataSet>& data_sets();

/// Throws limen::Error naming the nearest for a name that is not in the list.
const DataSet& find_data_set(std::string_view name);

std::filesystem::path data_folder();

/// The file's content. Throws io::SystemError saying how to get the data set when the file is missing, and what differs
/// when its size or SHA-256 is not the expected one: a run on other data would not be comparable.
std::string read_data_file(const DataSet& set, const DataFile& file);

struct Check {
  struct File {
    std::filesystem::path path;
    std::string problem;  ///< "" when size and SHA-256 are as expected
  };
  std::vector<File> files;
  std::vector<std::pair<std::string, std::uint64_t>> counts;  ///< of the whole set, empty when a file has a problem

  bool sound() const;
};

/// Reads every file of the set. Throws limen::Error for an unknown name alone.
Check check(std::string_view name);

}  // namespace limen::data
