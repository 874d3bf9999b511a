// Part of limen. SPDX-License-Identifier: MIT
#include "io/files.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <string>
#include <thread>
#include <vector>

#include "io/error.h"
#include "io/temporary_folder.h"

namespace limen::io {
namespace {

namespace fs = std::filesystem;
using ::testing::Test;

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// No file may grow beyond `bytes`, as on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit = {bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() { ::setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_ = {};
};

TEST(WriteFile, ReplacesContentAndCreatesFolders) {
  const TemporaryFolder folder;
  const fs::path path = folder / "a/b/file.txt";
  write_file(path, "first");
  const std::array<std::string_view, 3> pieces = {"se", "", std::string_view("co\0nd", 5)};
  write_file(path, pieces);
  EXPECT_EQ(read_file(path), std::string("seco\0nd", 7));
  EXPECT_EQ(entries(path.parent_path()), 1U);
  write_file(path, "");
  EXPECT_EQ(read_file(path), "");
}

TEST(WriteFile, FullDiskKeepsTheOldFile) {
  const TemporaryFolder folder;
  const fs::path path = folder / "file.txt";
  write_file(path, "old");
  const std::string message = [&] {
    const FileSizeLimit limit(1000);
    return message_of([&] { write_file(path, std::string(5000, 'x')); });
  }();
  EXPECT_TRUE(contains(message, path.string()) && contains(message, "File too large")) << message;
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(entries(folder.path()), 1U) << "a part of the new file was left behind";
  const FileSizeLimit limit(1000);
  EXPECT_THROW(write_file(path, std::string(5000, 'x')), SystemError) << "not the user's mistake";
}

TEST(WriteFile, NamesPathAndReasonWhenItMayNot) {
  const TemporaryFolder folder;
  write_file(folder / "file", "x");
  EXPECT_TRUE(contains(message_of([&] { write_file(folder / "file/inside", "y"); }), "Not a directory"));
  fs::create_directory(folder / "taken");
  EXPECT_TRUE(contains(message_of([&] { write_file(folder / "taken", "y"); }), (folder / "taken").string()));
  EXPECT_EQ(entries(folder.path()), 2U);

  const uid_t me = ::geteuid();
  ::chmod(folder.path().c_str(), 0555);
  if (me == 0 && ::seteuid(65534) != 0) GTEST_SKIP() << "cannot give up the rights of root";
  const std::string message = message_of([&] { write_file(folder / "file", "y"); });
  ASSERT_EQ(::seteuid(me), 0);
  ::chmod(folder.path().c_str(), 0755);
  EXPECT_TRUE(contains(message, "Permission denied")) << message;
  EXPECT_EQ(read_file(folder / "file"), "x");
}

TEST(WriteFile, OneOfManyWritersWins) {
  const TemporaryFolder folder;
  const fs::path path = folder / "file";
  std::vector<std::thread> writers;
  for (char c = 'a'; c < 'e'; ++c)
    writers.emplace_back([&path, c] {
      for (int i = 0; i < 20; ++i) write_file(path, std::string(100'000, c));
    });
  for (auto& writer : writers) writer.join();
  const std::string content = read_file(path);
  EXPECT_EQ(content, std::string(100'000, content.at(0)));
  EXPECT_EQ(entries(folder.path()), 1U);
}

TEST(ReadFile, NamesPathAndReason) {
  const TemporaryFolder folder;
  const std::string message = message_of([&] { read_file(folder / "absent"); });
  EXPECT_TRUE(contains(message, (folder / "absent").string()) && contains(message, "No such file")) << message;
  EXPECT_TRUE(contains(message_of([&] { read_file(folder.path()); }), "Is a directory"));
}

TEST(AppendLine, LeavesNoPartOfALine) {
  const TemporaryFolder folder;
  const fs::path path = folder / "metrics.jsonl";
  append_line(path, "one");
  append_line(path, "");
  {
    const FileSizeLimit limit(8);  // room for three bytes of the next line
    EXPECT_TRUE(contains(message_of([&] { append_line(path, "three"); }), "File too large"));
  }
  EXPECT_EQ(read_file(path), "one\n\n");
  append_line(path, "three");
  EXPECT_EQ(read_file(path), "one\n\nthree\n");
}

TEST(TruncateFile, CutsCreatesAndRefusesToGrow) {
  const TemporaryFolder folder;
  const fs::path path = folder / "metrics.jsonl";
  truncate_file(path, 0);
  EXPECT_EQ(read_file(path), "");
  append_line(path, "one");
  append_line(path, "two");
  truncate_file(path, 4);
  EXPECT_EQ(read_file(path), "one\n");
  EXPECT_TRUE(contains(message_of([&] { truncate_file(path, 5); }), "at least 5 bytes"));
  EXPECT_EQ(read_file(path), "one\n");
  EXPECT_THROW(truncate_file(folder / "absent", 1), SystemError);
}

TEST(Sha256, AnswersKnownFromFips180) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  // Around the block's edge, where the padding takes a block of its own.
  EXPECT_EQ(sha256(std::string(55, 'a')), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  EXPECT_EQ(sha256(std::string(56, 'a')), "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  EXPECT_EQ(sha256(std::string(64, 'a')), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

TEST(FolderLock, HoldsOthersOffUntilReleased) {
  const TemporaryFolder folder;
  {
    const FolderLock lock(folder / "run");
    const std::string message = message_of([&] { FolderLock second(folder / "run"); });
    EXPECT_TRUE(contains(message, (folder / "run").string()) && contains(message, std::to_string(::getpid())))
        << message;
  }
  const FolderLock again(folder / "run");
}

TEST(FolderLock, EndsWithTheProcessHoweverItEnds) {
  const TemporaryFolder folder;
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const FolderLock lock(folder.path());
    [[maybe_unused]] const auto written = ::write(ready[1], "x", 1);
    ::pause();
  }
  char c;
  ASSERT_EQ(::read(ready[0], &c, 1), 1);
  EXPECT_TRUE(contains(message_of([&] { FolderLock lock(folder.path()); }), std::to_string(child)));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  const FolderLock lock(folder.path());
  ::close(ready[0]);
  ::close(ready[1]);
}

}  // namespace
}  // namespace limen::io
