// Part of limen. SPDX-License-Identifier: MIT
//
// Files that are never half there.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace limen::io {

/// The whole file. Throws limen::Error naming the path and the system's reason.
std::string read_file(const std::filesystem::path& path);

/// Writes beside the target, syncs, renames over it, syncs the folder: after a crash the old or the new content is there, never a part.
/// Creates missing parent folders. Throws limen::Error (disk full, no permission), leaving the old file.
void write_file(const std::filesystem::path& path, std::string_view content);

/// Appends one line and flushes it to the system in one write.
void append_line(const std::filesystem::path& path, std::string_view line);

/// Cuts the file to `size` bytes (a resume drops what came after its checkpoint); creates it when missing and size is 0.
void truncate_file(const std::filesystem::path& path, std::uintmax_t size);

/// SHA-256 in lower-case hexadecimal.
std::string sha256(std::string_view data);

/// An exclusive lock on a folder (a file `lock` inside it), held until destruction or the process's end, however it ends.
class FolderLock {
 public:
  /// Throws limen::Error when another process holds it.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace limen::io
