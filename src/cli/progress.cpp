// Part of limen. SPDX-License-Identifier: MIT
#include "cli/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "cli/output.h"

namespace limen::cli {
namespace {

using Clock = std::chrono::steady_clock;

/// Between plain lines: often enough to see that the job lives, seldom enough for the log of a night.
constexpr std::chrono::seconds plain_interval{15};
constexpr std::chrono::milliseconds redraw_interval{100};

bool redraws_lines() {
  const char* const terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) && terminal && std::string_view(terminal) != "dumb";
}

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string bar(double fraction) {
  constexpr int width = 24;
  const int full = std::clamp(static_cast<int>(fraction * width), 0, width);
  return fmt::format("[{}{}]", std::string(full, '#'), std::string(width - full, '.'));
}

void write_error(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

Progress::Progress() : redraws_(redraws_lines()), next_(Clock::now()) {}

Progress::~Progress() {
  if (drawn_) write_error("\n");
}

void Progress::show(double fraction, std::optional<double> seconds_left, std::string_view detail) {
  const auto now = Clock::now();
  if (now < next_ && fraction < 1) return;
  std::string line = fmt::format("{:3.0f} %  {}", std::floor(100 * fraction), detail);
  if (seconds_left && fraction < 1) line += fmt::format("  {} left", duration(*seconds_left));
  if (!redraws_) {
    next_ = now + plain_interval;
    complain(line);
    return;
  }
  next_ = now + redraw_interval;
  line = (bar(fraction) + line).substr(0, terminal_width() - 1);
  write_error("\r" + line + "\x1b[K");
  drawn_ = true;
}

void Progress::say(std::string_view line) {
  clear();
  complain(line);
}

void Progress::clear() {
  if (drawn_) write_error("\r\x1b[K");
  drawn_ = false;
}

std::string duration(double seconds) {
  const auto whole = static_cast<long long>(std::llround(std::clamp(seconds, 0.0, 1e9)));
  const long long minutes = whole / 60, hours = minutes / 60, days = hours / 24;
  if (days > 0) return fmt::format("{} d {} h", days, hours % 24);
  if (hours > 0) return fmt::format("{} h {} min", hours, minutes % 60);
  if (minutes > 0) return fmt::format("{} min {} s", minutes, whole % 60);
  return fmt::format("{} s", whole);
}

}  // namespace limen::cli
