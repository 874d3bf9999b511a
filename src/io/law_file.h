// Part of limen. SPDX-License-Identifier: MIT
//
// A law given as data, read from a text file: what `empirical(FILE)` names.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "limen/laws/empirical.h"

namespace limen::io {

/// The law that a text holds: one number a line (samples of the threshold, at least two, in any order) or two,
/// separated by a comma or blanks (a level and its quantile, levels rising from 0 to 1). A first line that begins with
/// a letter (a title), empty lines and what follows a # are skipped. Throws limen::Error naming `where`, the line, and
/// what was expected.
EmpiricalLaw parse_law(std::string_view text, std::string_view where);

/// The same from a file. Throws limen::Error when there is none, SystemError when it cannot be read.
EmpiricalLaw read_law(const std::filesystem::path& path);

/// An activation's name in which "empirical" stands for "empirical(FILE)", and the law of that file; null when the name
/// holds no file.
struct NameAndLaw {
  std::string name;
  EmpiricalLaw law;
};
NameAndLaw read_law_in(std::string_view name);

}  // namespace limen::io
