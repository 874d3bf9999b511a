// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace limen::cli {

/// How far a job is, on standard error. A terminal gets one line that is redrawn in place; anything else (a file, a
/// pipe, TERM=dumb) gets a whole line now and then, without control characters.
class Progress {
 public:
  Progress();
  ~Progress();  ///< ends the redrawn line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// fraction: done of 1. seconds_left: none while unknown. detail: what else to show.
  void show(double fraction, std::optional<double> seconds_left, std::string_view detail);
  /// A line of its own, above the redrawn one.
  void say(std::string_view line);

 private:
  void clear();

  bool redraws_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point next_;
};

/// "42 s", "3 min 20 s", "2 h 5 min", "4 d 3 h".
std::string duration(double seconds);

}  // namespace limen::cli
