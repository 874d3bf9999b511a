// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <system_error>

#include "io/error.h"
#include "limen/error.h"

namespace limen::io {

/// An empty folder of its own, gone at the end of the scope. In memory where the system has such a place: syncs take
/// long on disks.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    const std::filesystem::path memory = "/dev/shm";
    const bool usable = ::access(memory.c_str(), W_OK | X_OK) == 0;
    std::string name = ((usable ? memory : std::filesystem::temp_directory_path()) / "limen-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// The message of the limen::Error or SystemError that `call` throws; a failure and "" when it throws none.
template <class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  } catch (const SystemError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error was thrown";
  return "";
}

/// Whether the text names all of `parts`: a message must say what, where and what came, in whatever words.
inline bool names(const std::string& text, std::initializer_list<std::string_view> parts) {
  return std::ranges::all_of(parts, [&](std::string_view part) { return text.find(part) != std::string::npos; });
}

}  // namespace limen::io
