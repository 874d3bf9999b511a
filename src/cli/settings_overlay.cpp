// Part of limen. SPDX-License-Identifier: MIT
#include "cli/settings_overlay.h"

#include <fmt/format.h>

#include "cli/arguments.h"
#include "io/toml.h"
#include "limen/error.h"

namespace limen::cli {
namespace {

toml::table parse_change(const std::string& key, const std::string& value) {
  try {
    return toml::parse(key + " = " + value);
  } catch (const toml::parse_error&) {
  }
  try {
    return toml::parse(key + " = '" + value + "'");
  } catch (const toml::parse_error&) {
    throw Error(
        fmt::format("--set: expected section.key=value, such as train.iterations=100, got '{}={}'", key, value));
  }
}

}  // namespace

train::Settings changed(const train::Settings& settings, const std::vector<std::string>& changes) {
  if (changes.empty()) return settings;
  toml::table all = io::parse_toml(train::settings_to_toml(settings), "settings");
  for (const std::string& change : changes) {
    const auto [key, value] = to_assignment(change, "--set");
    io::merge(all, parse_change(key, value));
  }
  try {
    return train::settings_from_toml(io::inline_text_of_keys(all), "--set");
  } catch (const Error& error) {  // Its line is one of the text above, which nobody has seen.
    const std::string_view what = error.what();
    throw Error("--set" + std::string(what.substr(what.find(':'))));
  }
}

}  // namespace limen::cli
