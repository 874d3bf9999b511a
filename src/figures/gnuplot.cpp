// Part of limen. SPDX-License-Identifier: MIT
#include "figures/gnuplot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/error.h"
#include "io/files.h"
#include "io/process.h"

namespace limen::figures {
namespace {

namespace fs = std::filesystem;

io::Exit wait_for(const fs::path& program, const fs::path& log) {
  try {
    return io::Process({"gnuplot", program.string()}, log).wait();
  } catch (const io::SystemError&) {
    throw io::SystemError("gnuplot was not found; install it (Debian: gnuplot-nox)");
  }
}

/// gnuplot's messages are pages: the last line says what is wrong.
std::string last_line(std::string text) {
  text.erase(text.find_last_not_of(" \n") + 1);
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

double tic_step(double length, double most) {
  const double power = std::pow(10, std::floor(std::log10(length / most)));
  for (const double factor : {1, 2, 5})
    if (length <= most * factor * power) return factor * power;
  return 10 * power;
}

std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out.append(c == '\'' ? 2 : 1, c == '\n' ? ' ' : c);
  out += '\'';
  return out;
}

void run_gnuplot(std::string_view program, const fs::path& folder) {
  const fs::path file = folder / "figures.gnuplot", log = folder / "gnuplot.log";
  io::write_file(file, program);
  const io::Exit exit = wait_for(file, log);
  const std::string said = last_line(io::read_file(log));
  fs::remove(file);
  fs::remove(log);
  if (exit.code != 0 || exit.signal != 0) throw io::SystemError(fmt::format("gnuplot failed and said: {}", said));
}

}  // namespace limen::figures
