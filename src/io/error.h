// Part of limen. SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>

namespace limen::io {

/// What the machine does not give: a file cannot be read or written, or is missing, altered or damaged; a folder is in
/// use; a program cannot be started. The text is one sentence, as that of limen::Error, which is the user's mistake:
/// the program ends with 1 for this one and with 2 for that.
class SystemError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace limen::io
