// Part of limen. SPDX-License-Identifier: MIT
#include "io/checkpoint_folder.h"

#include <fcntl.h>
#include <stdio.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "io/error.h"
#include "io/files.h"

namespace limen::io {
namespace {

namespace fs = std::filesystem;

fs::path with_suffix(fs::path path, const char* suffix) { return path += suffix; }
fs::path new_folder(const fs::path& target) { return with_suffix(target, ".new"); }
fs::path old_folder(const fs::path& target) { return with_suffix(target, ".old"); }

void check(const std::error_code& error, const char* doing, const fs::path& path) {
  if (error) throw SystemError(std::string("cannot ") + doing + " " + path.string() + ": " + error.message());
}

void remove_folder(const fs::path& folder) {
  std::error_code error;
  fs::remove_all(folder, error);
  check(error, "remove", folder);
}

void rename_folder(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  check(error, "rename", from);
}

void sync_parent(const fs::path& path) { sync_folder(path.has_parent_path() ? path.parent_path() : fs::path(".")); }

/// False where there is no b yet, or the system or the file system cannot.
bool exchange(const fs::path& a, const fs::path& b) {
#ifdef RENAME_EXCHANGE
  if (::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0) return true;
  if (errno != ENOENT && errno != EINVAL && errno != ENOSYS) check({errno, std::generic_category()}, "rename", a);
#endif
  return false;
}

}  // namespace

fs::path begin_folder(const fs::path& target) {
  recover_folder(target);
  const fs::path fresh = new_folder(target);
  std::error_code error;
  fs::create_directories(fresh, error);
  check(error, "create the folder", fresh);
  return fresh;
}

void commit_folder(const fs::path& target) {
  const fs::path fresh = new_folder(target);
  sync_folder(fresh);
  if (!exchange(fresh, target)) return commit_folder_in_two_steps(target);
  sync_parent(target);
  remove_folder(fresh);  // which holds the old files now
}

void commit_folder_in_two_steps(const fs::path& target) {
  const fs::path fresh = new_folder(target), old = old_folder(target);
  sync_folder(fresh);
  remove_folder(old);
  if (fs::exists(target)) rename_folder(target, old);
  rename_folder(fresh, target);
  sync_parent(target);
  remove_folder(old);
}

bool recover_folder(const fs::path& target) {
  const fs::path fresh = new_folder(target), old = old_folder(target);
  // Without the target, TARGET.old says that the two steps had begun, so TARGET.new is complete: after an interruption
  // between the steps it is moved into place; TARGET.old serves where even that name was lost.
  if (!fs::exists(target) && fs::exists(old)) rename_folder(fs::exists(fresh) ? fresh : old, target);
  remove_folder(fresh);
  remove_folder(old);
  return fs::exists(target);
}

}  // namespace limen::io
