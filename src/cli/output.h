// Part of limen. SPDX-License-Identifier: MIT
//
// The only way to standard output and standard error. Results go to the first, everything else to the second.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace limen::cli {

/// The reader of standard output has gone (`limen list | head`): end quietly.
struct ReaderGone {};

/// Makes a closed reader an error code instead of a signal, and takes the places of standard streams that the caller
/// closed, so that no file of ours lands there.
void prepare_streams();

/// Results. Throws ReaderGone, or std::runtime_error when the system refuses (disk full).
void print(std::string_view text);
void flush();

/// One line on standard error; never fails.
void complain(std::string_view line);

/// Rows of cells as lines: columns padded to their widest cell, two spaces between them.
std::string columns(const std::vector<std::vector<std::string>>& rows);

}  // namespace limen::cli
