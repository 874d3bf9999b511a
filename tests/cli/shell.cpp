// Part of limen. SPDX-License-Identifier: MIT
#include "cli/shell.h"

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace limen::test {
namespace {

std::string with_path(const std::string& command) {
  return "PATH='" LIMEN_BINARY_DIR "':\"$PATH\"; export PATH; unset LIMEN_ISA; " + command;
}

int shell_status(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

}  // namespace

Result sh(const std::string& command) {
  const TemporaryFolder folder;
  const std::string out = (folder / "out").string(), err = (folder / "err").string();
  const std::string line = "{ " + with_path(command) + "\n} >'" + out + "' 2>'" + err + "' </dev/null";
  const int status = std::system(line.c_str());
  return {shell_status(status), read(out), read(err)};
}

Result sh_on_terminal(const std::string& command) {
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child < 0) throw std::runtime_error("no pseudo terminal");
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", with_path(command).c_str(), nullptr);
    _exit(127);
  }
  Result result;
  char buffer[4096];
  // Reading fails, rather than ends, once the last process on the terminal has gone.
  for (ssize_t n = 0; (n = ::read(terminal, buffer, sizeof buffer)) > 0;)
    result.out.append(buffer, static_cast<std::size_t>(n));
  int status = 0;
  waitpid(child, &status, 0);
  close(terminal);
  result.status = shell_status(status);
  return result;
}

std::string read(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

}  // namespace limen::test
