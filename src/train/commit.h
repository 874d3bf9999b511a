// Part of limen. SPDX-License-Identifier: MIT
#pragma once

namespace limen::train {

struct CommitInfo {
  const char* version;  ///< of the project
  const char* commit;   ///< 40 hexadecimal digits, "-dirty" behind them where tracked files were changed; or "unknown"
};

/// Of the sources this was built from.
CommitInfo commit_info();

}  // namespace limen::train
