// Part of limen. SPDX-License-Identifier: MIT
#pragma once

namespace limen::cli {

/// The program: parses the arguments, runs one verb, prints what went wrong as one sentence.
/// Returns 0 for success, 1 for a failed run, 2 for wrong usage, 130 (143) after Ctrl-C (SIGTERM).
int run(int argc, char** argv);

}  // namespace limen::cli
