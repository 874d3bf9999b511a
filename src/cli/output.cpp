// Part of limen. SPDX-License-Identifier: MIT
#include "cli/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <system_error>

namespace limen::cli {
namespace {

void refuse_output() {
  if (errno == EPIPE) throw ReaderGone{};
  throw std::runtime_error("standard output could not be written: " + std::generic_category().message(errno));
}

}  // namespace

void prepare_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  for (const int descriptor : {0, 1, 2})
    if (fcntl(descriptor, F_GETFD) == -1 && open("/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY) != descriptor)
      std::abort();
}

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) refuse_output();
}

void flush() {
  if (std::fflush(stdout) != 0) refuse_output();
}

void complain(std::string_view line) {
  const std::string text = std::string(line) + '\n';
  std::fwrite(text.data(), 1, text.size(), stderr);
}

std::string columns(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) line += row[c] + std::string(widths[c] - row[c].size() + 2, ' ');
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return text;
}

}  // namespace limen::cli
