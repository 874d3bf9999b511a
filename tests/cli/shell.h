// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

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

/// An empty folder that goes when the object does.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

std::string read(const std::filesystem::path& file);
void write(const std::filesystem::path& file, const std::string& text);

}  // namespace limen::test
