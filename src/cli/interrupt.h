// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

namespace limen::cli {

/// From here on the first Ctrl-C (SIGINT) or SIGTERM sets the flag returned here, so that work stops at its next
/// resumable point; a second one ends the process at once. A signal that the caller has ignored stays ignored.
const std::atomic<bool>& watch_interrupts();

/// What a shell expects of a program stopped by the signal that came: 130 for SIGINT, 143 for SIGTERM.
int interrupt_status();

}  // namespace limen::cli
