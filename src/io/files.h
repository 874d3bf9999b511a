// Part of limen. SPDX-License-Identifier: MIT
//
// Files that are never half there. Every function throws SystemError naming the path and the system's reason.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace limen::io {

/// The whole file.
std::string read_file(const std::filesystem::path& path);

/// Writes beside the target (".NAME.PID-N.new"), syncs, renames over it, syncs the folder: after a crash the old or the
/// new content is there, never a part. Creates missing parent folders. When it fails (disk full, no permission) the old
/// file stays and the new one is removed. Safe to call for one path from several threads and processes: one of the
/// contents wins.
void write_file(const std::filesystem::path& path, std::string_view content);
/// The same for content in pieces, written one after the other.
void write_file(const std::filesystem::path& path, std::span<const std::string_view> pieces);

/// Appends the line and its end in one write and syncs; a line that does not fit on the disk leaves the file as it was.
/// Creates the file, not its folder.
void append_line(const std::filesystem::path& path, std::string_view line);

/// Cuts the file to `size` bytes (a resume drops what came after its checkpoint); creates it when missing and size is
/// 0. A file shorter than that is an error: bytes the checkpoint counted on are lost.
void truncate_file(const std::filesystem::path& path, std::uintmax_t size);

/// Makes creations and renames inside the folder survive a power cut.
void sync_folder(const std::filesystem::path& folder);

/// SHA-256 (FIPS 180-4) in lower-case hexadecimal.
std::string sha256(std::string_view data);

/// An exclusive lock on a folder (a file `lock` inside it, both created when missing), held until destruction or the
/// process's end, however it ends.
class FolderLock {
 public:
  /// Throws SystemError, naming the process, when another holder exists.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace limen::io
