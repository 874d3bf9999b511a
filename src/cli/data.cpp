// Part of limen. SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>

#include "cli/output.h"
#include "cli/verbs.h"
#include "data/datasets.h"

namespace limen::cli {
namespace {

/// By sizes alone: a listing reads no file.
std::string state(const data::DataSet& set) {
  const auto found = [](const data::DataFile& file) {
    std::error_code missing;
    return std::filesystem::file_size(data::data_folder() / file.path, missing) == file.size && !missing;
  };
  return std::all_of(set.files.begin(), set.files.end(), found) ? "here" : "missing";
}

int list_data() {
  std::vector<std::vector<std::string>> rows;
  for (const data::DataSet& set : data::data_sets()) rows.push_back({set.name, state(set), set.description});
  print(columns(rows));
  print(fmt::format("\nlooked for in {} (LIMEN_DATA names another folder)\n", data::data_folder().string()));
  return 0;
}

int check_data(const std::string& name) {
  const data::Check check = data::check(name);
  for (const data::Check::File& file : check.files)
    print(fmt::format("{}: {}\n", file.path.string(), file.problem.empty() ? "as expected" : file.problem));
  for (const auto& [what, count] : check.counts) print(fmt::format("{}: {}\n", what, count));
  return check.sound() ? 0 : 1;
}

int get_data(const std::string& name) {
  const data::DataSet& set = data::find_data_set(name);
  if (data::check(name).sound()) {
    print(fmt::format("{} is in {}\n", name, data::data_folder().string()));
    return 0;
  }
  for (const data::DataFile& file : set.files)
    print(fmt::format("wanted: {}, {} bytes, SHA-256 {}\n", (data::data_folder() / file.path).string(), file.size,
                      file.sha256));
  print(fmt::format("source: {}\nhow:    {}\n", set.source, set.how_to_get));
  return 1;
}

}  // namespace

void add_data(CLI::App& program, Verbs& verbs) {
  CLI::App& data = add_verb(program, "data", "The data sets that studies use");
  data.require_subcommand(1, 1);
  data.footer("Example:\n  limen data list");
  CLI::App& list = add_verb(data, "list", "Name every data set and say whether it is here");
  list.footer("Example:\n  LIMEN_DATA=/path/to/data limen data list");
  verbs.push_back({&list, list_data});

  const auto name = std::make_shared<std::string>();
  const auto add = [&](const char* verb_name, const char* about, const char* footer, int (*run)(const std::string&)) {
    CLI::App& verb = add_verb(data, verb_name, about);
    verb.add_option("NAME", *name, "a data set of limen data list")->type_name("")->required();
    verb.footer(footer);
    verbs.push_back({&verb, [name, run] { return run(*name); }});
  };
  add("check", "Compare every file with its known size and SHA-256, and count what is in it",
      "Example:\n  limen data check tinyshakespeare", check_data);
  add("get", "Say where a data set comes from and how to put it in place; status 1 while it is not",
      "Example:\n  limen data get shakespeare", get_data);
}

}  // namespace limen::cli
