// Part of limen. SPDX-License-Identifier: MIT
#include "io/run_folder.h"

#include <string_view>
#include <system_error>

#include "io/error.h"
#include "io/files.h"

namespace limen::io {
namespace {

// Whoever meets a damaged file wants to know how to go on.
Json parse(std::string_view text, const std::filesystem::path& path, const std::string& place = "") {
  try {
    return parse_json(text, place + path.string());
  } catch (const SystemError& error) {
    throw SystemError(std::string(error.what()) + "; remove " + path.parent_path().string() + " to run it anew");
  }
}

// Calls take(line, its number). A last line without its end was being written when the process died: it is not there
// yet.
template <class Take>
void each_line(const std::filesystem::path& path, Take&& take) {
  if (!std::filesystem::exists(path)) return;
  const std::string text = read_file(path);
  std::size_t number = 0;
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    take(std::string_view(text).substr(begin, end - begin), ++number);
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

std::vector<Json> RunFolder::read_metrics() const {
  std::vector<Json> rows;
  each_line(metrics(), [&](std::string_view line, std::size_t number) {
    rows.push_back(parse(line, metrics(), "line " + std::to_string(number) + " of "));
  });
  return rows;
}

std::vector<Json> RunFolder::read_timing() const {
  std::vector<Json> rows;
  each_line(timing(), [&](std::string_view line, std::size_t) {
    if (Json row = Json::parse(line, nullptr, false); row.is_object()) rows.push_back(std::move(row));
  });
  return rows;
}

std::optional<Json> RunFolder::read_end() const {
  for (const char* mark : {"DONE", "FAILED"})
    if (std::filesystem::exists(path_ / mark)) return parse(read_file(path_ / mark), path_ / mark);
  return std::nullopt;
}

void RunFolder::append_metrics(const Json& row) const { append_line(metrics(), to_line(row)); }
void RunFolder::append_timing(const Json& row) const { append_line(timing(), to_line(row)); }

void RunFolder::mark_done(const Json& final_measures) const {
  write_file(path_ / "DONE", to_line(final_measures) + '\n');
}

void RunFolder::mark_failed(std::string_view kind, std::string_view reason) const {
  // A reason may quote bytes of a path or of a log that are not UTF-8: it is written all the same.
  const Json end = {{"kind", kind}, {"reason", reason}};
  write_file(path_ / "FAILED", end.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n');
}

void RunFolder::clear_failed() const {
  std::error_code error;
  std::filesystem::remove(path_ / "FAILED", error);
  if (error) throw SystemError("cannot remove " + (path_ / "FAILED").string() + ": " + error.message());
  sync_folder(path_);
}

}  // namespace limen::io
