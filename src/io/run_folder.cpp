// Part of limen. SPDX-License-Identifier: MIT
#include "io/run_folder.h"

#include <string_view>
#include <system_error>

#include "io/error.h"
#include "io/files.h"

namespace limen::io {
namespace {

std::vector<Json> read_lines(const std::filesystem::path& path) {
  std::vector<Json> rows;
  if (!std::filesystem::exists(path)) return rows;
  const std::string text = read_file(path);
  // A last line without its end was being written when the process died: it is not there yet.
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    rows.push_back(parse_json(std::string_view(text).substr(begin, end - begin),
                              "line " + std::to_string(rows.size() + 1) + " of " + path.string()));
  return rows;
}

}  // namespace

std::string_view name(RunState state) {
  switch (state) {
    case RunState::planned:
      return "planned";
    case RunState::started:
      return "started";
    case RunState::done:
      return "done";
    case RunState::failed:
      return "failed";
    case RunState::diverged:
      return "diverged";
  }
  return "";
}

RunState RunFolder::state() const {
  using std::filesystem::exists;
  if (exists(path_ / "DONE")) return RunState::done;
  if (exists(path_ / "FAILED")) {
    const auto end = read_end();
    return end && end->is_object() && end->value("kind", Json()) == "diverged" ? RunState::diverged : RunState::failed;
  }
  return exists(settings()) ? RunState::started : RunState::planned;
}

std::vector<Json> RunFolder::read_metrics() const { return read_lines(metrics()); }
std::vector<Json> RunFolder::read_timing() const { return read_lines(timing()); }

std::optional<Json> RunFolder::read_end() const {
  for (const char* mark : {"DONE", "FAILED"})
    if (std::filesystem::exists(path_ / mark)) return parse_json(read_file(path_ / mark), (path_ / mark).string());
  return std::nullopt;
}

void RunFolder::append_metrics(const Json& row) const { append_line(metrics(), to_line(row)); }
void RunFolder::append_timing(const Json& row) const { append_line(timing(), to_line(row)); }

void RunFolder::mark_done(const Json& final_measures) const {
  write_file(path_ / "DONE", to_line(final_measures) + '\n');
}

void RunFolder::mark_failed(std::string_view kind, std::string_view reason) const {
  write_file(path_ / "FAILED", to_line(Json{{"kind", kind}, {"reason", reason}}) + '\n');
}

void RunFolder::clear_failed() const {
  std::error_code error;
  std::filesystem::remove(path_ / "FAILED", error);
  if (error) throw SystemError("cannot remove " + (path_ / "FAILED").string() + ": " + error.message());
  sync_folder(path_);
}

}  // namespace limen::io
