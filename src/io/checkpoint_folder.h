// Part of limen. SPDX-License-Identifier: MIT
//
// A folder of several files that is replaced as one: at every instant, also after a kill or a power cut, a complete one
// is there. Beside `target` stand, while work is under way, TARGET.new (being filled) and TARGET.old (on its way out).
//
//   const auto fresh = begin_folder(target);            // at the start of each save
//   write_file(fresh / "state.json", ...);              // any number of files
//   commit_folder(target);
//   ...
//   if (recover_folder(target)) read_file(target / "state.json");  // at the start of a process
//
// For one process at a time: hold a FolderLock.
#pragma once

#include <filesystem>

namespace limen::io {

/// An empty TARGET.new to write into, after recover_folder. Throws SystemError, as all of these.
std::filesystem::path begin_folder(const std::filesystem::path& target);

/// TARGET.new becomes the target; its files must have been written with write_file. One step where the file system can
/// exchange two names (Linux: ext4, xfs, btrfs, tmpfs and more), else in two.
void commit_folder(const std::filesystem::path& target);

/// The way without exchange: target -> TARGET.old, TARGET.new -> target. Between the two the target's name is missing,
/// which recover_folder mends.
void commit_folder_in_two_steps(const std::filesystem::path& target);

/// True when a complete target is there; puts right and tidies what an interruption left behind.
bool recover_folder(const std::filesystem::path& target);

}  // namespace limen::io
