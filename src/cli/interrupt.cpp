// Part of limen. SPDX-License-Identifier: MIT
#include "cli/interrupt.h"

#include <unistd.h>

#include <csignal>

namespace limen::cli {
namespace {

std::atomic<bool> stop{false};
std::atomic<int> received{SIGINT};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "a signal handler may touch only these");

void handle(int signal) {
  received = signal;
  if (stop.exchange(true)) _exit(128 + signal);
}

}  // namespace

const std::atomic<bool>& watch_interrupts() {
  // A shell starts background jobs with SIGINT ignored; Ctrl-C is not meant for them.
  for (const int signal : {SIGINT, SIGTERM})
    if (std::signal(signal, handle) == SIG_IGN) std::signal(signal, SIG_IGN);
  return stop;
}

int interrupt_status() { return 128 + received; }

}  // namespace limen::cli
