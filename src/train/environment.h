// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include "io/json.h"

namespace limen::train {

/// What a run's numbers and times may depend on besides its settings: commit, versions, machine, threads, instruction
/// sets. Holds no names of machines, users or paths.
io::Json environment();

/// The largest memory this process has held so far, in MB.
double peak_rss_mb();

}  // namespace limen::train
