// Part of limen. SPDX-License-Identifier: MIT
//
// Child processes that do not outlive this one.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace limen::io {

/// How a child ended.
struct Exit {
  int code = 0;    ///< when it exited
  int signal = 0;  ///< when a signal ended it, else 0
};

/// A running child in a process group of its own (Ctrl-C on the terminal reaches this process alone, which then asks
/// its children to stop once). It gets SIGTERM when the thread that started it ends, however it ends.
class Process {
 public:
  /// Starts `command` (looked up in PATH), its input empty, its output and errors appended to `log`.
  /// Throws SystemError when it cannot be started.
  Process(const std::vector<std::string>& command, const std::filesystem::path& log);
  Process(Process&& other) noexcept : pid_(std::exchange(other.pid_, -1)) {}
  Process& operator=(Process&&) = delete;
  ~Process();  ///< asks it to stop and waits

  std::optional<Exit> ended();  ///< without waiting; once it said so, the object is spent
  Exit wait();
  void ask_to_stop() const;  ///< SIGTERM

 private:
  pid_t pid_ = -1;
};

}  // namespace limen::io
