// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "io/temporary_folder.h"

namespace limen::test {

struct Result {
  int status = -1;  ///< as a shell reports it: 128 + the signal's number for a killed command
  std::string out;
  std::string err;
};

/// Runs a line of shell in which `limen` is the program under test.
Result sh(const std::string& command);

/// The same on a pseudo terminal that is standard output and error at once.
Result sh_on_terminal(const std::string& command);

using io::TemporaryFolder;

std::string read(const std::filesystem::path& file);
void write(const std::filesystem::path& file, const std::string& text);

}  // namespace limen::test
