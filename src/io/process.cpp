// Part of limen. SPDX-License-Identifier: MIT
#include "io/process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>
#include <string_view>

#include "io/error.h"

namespace limen::io {
namespace {

[[noreturn]] void fail(std::string_view what, int error) {
  throw SystemError("cannot start " + std::string(what) + ": " + std::strerror(error));
}

// In the child, between fork and exec: only calls that are safe there. Writes errno to `report` and exits when exec
// fails.
[[noreturn]] void become(char* const* arguments, int input, int output, int report, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(0);  // It died before the line above could tell.
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  execvp(arguments[0], arguments);
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(report, &error, sizeof error);
  _exit(127);
}

Exit exit_of(int status) { return WIFSIGNALED(status) ? Exit{0, WTERMSIG(status)} : Exit{WEXITSTATUS(status), 0}; }

}  // namespace

Process::Process(const std::vector<std::string>& command, const std::filesystem::path& log) {
  if (command.empty()) throw SystemError("process: expected a command, got none");
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);

  const int output = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (output < 0) throw SystemError("cannot write " + log.string() + ": " + std::strerror(errno));
  const int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
  int report[2] = {-1, -1};
  if (input < 0 || pipe2(report, O_CLOEXEC) != 0) fail(command[0], errno);

  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) become(arguments.data(), input, output, report[1], parent);
  int error = pid_ < 0 ? errno : 0;
  for (const int descriptor : {input, output, report[1]}) close(descriptor);
  // The pipe closes when exec succeeds; then nothing can be read.
  if (pid_ > 0 && read(report[0], &error, sizeof error) > 0) wait();
  close(report[0]);
  if (error != 0) fail(command[0], error);
}

Process::~Process() {
  if (pid_ < 0) return;
  ask_to_stop();
  wait();
}

std::optional<Exit> Process::ended() {
  int status = 0;
  const pid_t child = waitpid(pid_, &status, WNOHANG);
  if (child == 0) return {};
  pid_ = -1;
  return exit_of(status);
}

Exit Process::wait() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
  pid_ = -1;
  return exit_of(status);
}

void Process::ask_to_stop() const { kill(pid_, SIGTERM); }

}  // namespace limen::io
