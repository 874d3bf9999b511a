// Part of limen. SPDX-License-Identifier: MIT
#include "io/files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <string>
#include <system_error>

#include "io/error.h"

namespace limen::io {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(std::string_view doing, const fs::path& path, int error) {
  throw SystemError("cannot " + std::string(doing) + " " + path.string() + ": " +
                    std::generic_category().message(error));
}

class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags, std::string_view doing)
      : number_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (number_ < 0) fail(doing, path, errno);
  }
  ~Descriptor() { ::close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return number_; }

 private:
  int number_;
};

/// 0, or why not all of it was written.
int write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno != EINTR) return errno;
    if (written > 0) content.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

void create_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail("create the folder", folder, error.value());
}

/// A new file beside `target` under a name nobody else has, removed on destruction unless it was moved onto the target.
class FileBeside {
 public:
  explicit FileBeside(const fs::path& target) : target_(target) {
    static std::atomic<unsigned> count = 0;
    do {
      std::string name = ".";
      name.append(target.filename().string()).append(".").append(std::to_string(::getpid()));
      name.append("-").append(std::to_string(count++)).append(".new");
      path_ = folder_of(target) / name;
      descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (descriptor_ < 0 && errno == EEXIST);
    if (descriptor_ < 0) fail("write", target, errno);
  }
  ~FileBeside() {
    ::close(descriptor_);
    if (!moved_) ::unlink(path_.c_str());
  }
  FileBeside(const FileBeside&) = delete;
  FileBeside& operator=(const FileBeside&) = delete;

  void write(std::string_view content) {
    if (const int error = write_all(descriptor_, content)) fail("write", target_, error);
  }
  void move_onto_target() {
    if (::fsync(descriptor_) != 0 || ::rename(path_.c_str(), target_.c_str()) != 0) fail("write", target_, errno);
    moved_ = true;
  }

 private:
  fs::path target_, path_;
  int descriptor_ = -1;
  bool moved_ = false;
};

}  // namespace

std::string read_file(const fs::path& path) {
  const Descriptor file(path, O_RDONLY, "read");
  std::string content;
  struct stat status = {};
  if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode)) content.reserve(static_cast<std::size_t>(status.st_size));
  char buffer[1 << 16];
  for (;;) {
    const ssize_t count = ::read(file, buffer, sizeof buffer);
    if (count == 0) return content;
    if (count < 0 && errno != EINTR) fail("read", path, errno);
    if (count > 0) content.append(buffer, static_cast<std::size_t>(count));
  }
}

void write_file(const fs::path& path, std::string_view content) { write_file(path, std::span(&content, 1)); }

void write_file(const fs::path& path, std::span<const std::string_view> pieces) {
  create_folder(folder_of(path));
  {
    FileBeside file(path);
    for (const std::string_view piece : pieces) file.write(piece);
    file.move_onto_target();
  }
  sync_folder(folder_of(path));
}

void append_line(const fs::path& path, std::string_view line) {
  const Descriptor file(path, O_WRONLY | O_CREAT | O_APPEND, "append to");
  const off_t before = ::lseek(file, 0, SEEK_END);
  int error = write_all(file, std::string(line) + '\n');
  if (error == 0 && ::fdatasync(file) != 0) error = errno;
  if (error == 0) return;
  if (before >= 0 && ::ftruncate(file, before) != 0) fail("take back a part of a line from", path, errno);
  fail("append to", path, error);
}

void truncate_file(const fs::path& path, std::uintmax_t size) {
  const Descriptor file(path, O_WRONLY | (size == 0 ? O_CREAT : 0), "cut");
  struct stat status = {};
  if (::fstat(file, &status) != 0) fail("cut", path, errno);
  const auto there = static_cast<std::uintmax_t>(status.st_size);
  if (there < size)
    throw SystemError(path.string() + ": expected at least " + std::to_string(size) + " bytes, got " +
                      std::to_string(there) + ", so a part is lost; try this run again in an empty folder");
  if (::ftruncate(file, static_cast<off_t>(size)) != 0 || ::fsync(file) != 0) fail("cut", path, errno);
}

void sync_folder(const fs::path& folder) {
  const Descriptor descriptor(folder, O_RDONLY | O_DIRECTORY, "sync");
  // Some file systems know no sync of folders and say EINVAL.
  if (::fsync(descriptor) != 0 && errno != EINVAL) fail("sync", folder, errno);
}

FolderLock::FolderLock(const fs::path& folder) {
  create_folder(folder);
  const fs::path path = folder / "lock";
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("lock", path, errno);
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const int error = errno;
    char text[32] = {};
    const ssize_t length = ::pread(descriptor_, text, sizeof text - 1, 0);
    ::close(descriptor_);
    if (error != EWOULDBLOCK) fail("lock", path, error);
    throw SystemError(folder.string() + " is in use by process " + (length > 0 ? text : "(unknown)") +
                      "; wait for it or stop it");
  }
  // The number is for the message above alone; the lock is the system's.
  const std::string number = std::to_string(::getpid());
  if (::ftruncate(descriptor_, 0) == 0) write_all(descriptor_, number);
}

FolderLock::~FolderLock() { ::close(descriptor_); }

}  // namespace limen::io
