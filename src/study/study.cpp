// Part of limen. SPDX-License-Identifier: MIT
#include "study/study.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "io/files.h"
#include "io/toml.h"
#include "limen/error.h"
#include "limen/names.h"
#include "train/activation_options.h"
#include "train/measures.h"

namespace limen::study {
namespace {

// The sections of a settings file, as train writes them: a new one is known here at once.
const std::vector<std::string>& setting_sections() {
  static const std::vector<std::string> sections = [] {
    std::vector<std::string> names;
    const toml::table all = io::parse_toml(train::settings_to_toml({}), "defaults");
    for (const auto& [key, value] : all)
      if (value.is_table()) names.emplace_back(key.str());
    return names;
  }();
  return sections;
}

bool is_name(std::string_view text) {
  return !text.empty() && text.front() != '.' && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.';
  });
}

std::string read_name(const toml::node& node, const io::Place& place) {
  std::string name = io::read_text(node, place);
  if (!is_name(name)) place.expected("a name of letters, digits, '_', '-' and '.', for it names a folder", node);
  return name;
}

// What heads columns, legends and pages.
std::string read_line(const toml::node& node, const io::Place& place) {
  std::string line = io::read_text(node, place);
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  if (std::ranges::any_of(line, is_control)) place.expected("one line without control characters", node);
  return line;
}

// The settings among `table`'s keys as a text in which each key stands on its own line of the file: what
// settings_from_toml says about a line is then true of the file. An inline table keeps its one line.
std::string settings_at_their_lines(const toml::table& table) {
  std::map<toml::source_index, std::string> lines;
  for (const auto& [key, value] : table) {
    const std::string section(key.str());
    const toml::table* keys = value.as_table();
    if (!keys || keys->is_inline()) {
      lines[key.source().begin.line] = section + " = " + io::inline_value(value);
      continue;
    }
    for (const auto& [name, setting] : *keys)
      lines[name.source().begin.line] = section + "." + io::inline_key(name.str()) + " = " + io::inline_value(setting);
  }
  std::string text;
  toml::source_index line = 1;
  for (const auto& [at, content] : lines) {
    for (; line < at; ++line) text += '\n';
    text += content;
  }
  return text;
}

// The sections of settings in a study file or in an arm, `activation = "relu"` spelled out.
toml::table settings_part(const toml::table& from) {
  toml::table part;
  for (const auto& [key, value] : from) {
    const bool known = key.str() == "rng" || std::ranges::count(setting_sections(), key.str()) > 0;
    if (!known) continue;
    if (key.str() == "activation" && value.is_string()) {
      toml::table spelled{{"name", *value.value<std::string>()}};
      spelled.is_inline(true);
      part.insert(key, std::move(spelled));
    } else {
      part.insert(key, value);
    }
  }
  return part;
}

Arm read_arm(const toml::table& table, const toml::table& base, std::string_view where) {
  std::vector<std::string> known = {"name", "label"};
  for (const std::string& section : setting_sections())
    if (section != "data") known.push_back(section);  // Arms on different data cannot be compared.
  io::reject_unknown_keys(table, known, "arm.", where);

  Arm arm;
  const toml::node* name = table.get("name");
  if (!name)
    throw Error(io::at_line(where, table.source()) + ": [[arm]]: expected a name, such as name = \"gelu\", got none");
  arm.name = read_name(*name, {where, "arm.name"});
  const toml::node* label = table.get("label");
  arm.label = label ? read_line(*label, {where, "arm.label"}) : arm.name;

  const toml::table own = settings_part(table);
  train::settings_from_toml(settings_at_their_lines(own), where);  // Names a mistake by its line.
  toml::table all = base;
  io::merge(all, own, 1);  // An arm's `parameters` are all its parameters.
  arm.settings = train::settings_from_toml(io::inline_text_of_keys(all), where);
  try {
    train::check(arm.settings);
    train::pin_files(arm.settings);
  } catch (const Error& error) {
    throw Error(fmt::format("{}, arm \"{}\": {}", io::at_line(where, table.source()), arm.name, error.what()));
  }
  return arm;
}

std::vector<Arm> read_arms(const toml::table& root, const toml::table& base, std::string_view where) {
  const toml::node* node = root.get("arm");
  const toml::array* array = node ? node->as_array() : nullptr;
  if (!array || array->empty() || !array->is_array_of_tables())
    throw Error(fmt::format("{}: expected at least one [[arm]] with a name and an activation, got none", where));
  std::vector<Arm> arms;
  for (const toml::node& entry : *array) {
    Arm arm = read_arm(*entry.as_table(), base, where);
    for (const Arm& other : arms) {
      if (other.name == arm.name)
        throw Error(fmt::format("{}: arm.name: expected a name of its own, got a second \"{}\"",
                                io::at_line(where, entry.source()), arm.name));
      if (train::settings_difference(other.settings) == train::settings_difference(arm.settings))
        throw Error(fmt::format(
            "{}: expected arms that differ, got the same settings for \"{}\" and \"{}\"; change or remove one",
            io::at_line(where, entry.source()), other.name, arm.name));
    }
    arms.push_back(std::move(arm));
  }
  return arms;
}

std::vector<std::uint64_t> read_seeds(const toml::table& root, std::string_view where) {
  const toml::node* node = root.get("seeds");
  if (!node) throw Error(fmt::format("{}: seeds: expected an array, such as [1, 2, 3], got none", where));
  const io::Place place{where, "seeds"};
  const toml::array* array = node->as_array();
  if (!array || array->empty()) place.expected("an array of at least one seed, such as [1, 2, 3]", *node);
  std::vector<std::uint64_t> seeds;
  for (const toml::node& entry : *array) {
    const std::int64_t seed = io::read_whole(entry, place);
    if (seed < 0) place.expected("whole numbers, not negative", entry);
    if (std::ranges::count(seeds, static_cast<std::uint64_t>(seed))) place.expected("each seed once", entry);
    seeds.push_back(static_cast<std::uint64_t>(seed));
  }
  return seeds;
}

// A mean, or [mean, standard deviation].
PublishedValue read_published_value(const toml::node& node, const io::Place& place) {
  if (node.is_number()) return {io::read_number(node, place), {}};
  const toml::array* array = node.as_array();
  if (!array || array->size() != 2) place.expected("a mean, or [mean, standard deviation]", node);
  return {io::read_number(*array->get(0), place), io::read_number(*array->get(1), place)};
}

std::map<std::string, PublishedValue> read_published_arm(const toml::table& table, const Arm& arm,
                                                         std::string_view where) {
  std::vector<std::string> known = train::learned_parameters(arm.settings.activation);
  for (const train::Measure& measure : train::measures) known.emplace_back(measure.key);
  const std::string prefix = "published." + arm.name + ".";
  io::reject_unknown_keys(table, known, prefix, where);
  std::map<std::string, PublishedValue> values;
  for (const auto& [key, value] : table)
    values[std::string(key.str())] = read_published_value(value, {where, prefix + std::string(key.str())});
  return values;
}

std::optional<Published> read_published(const toml::table& root, const std::vector<Arm>& arms, std::string_view where) {
  const toml::node* node = root.get("published");
  if (!node) return {};
  const toml::table* table = node->as_table();
  if (!table) io::Place{where, "published"}.expected("a table, [published]", *node);
  std::vector<std::string> known = {"source", "n", "divisor"};
  for (const Arm& arm : arms) known.push_back(arm.name);
  io::reject_unknown_keys(*table, known, "published.", where);
  for (const char* key : {"source", "n", "divisor"})
    if (!table->contains(key))
      throw Error(fmt::format(
          "{}: published: expected {}, got none: source, n and divisor (\"n\" or \"n-1\") say where the values are "
          "from, of how many runs, and what their standard deviations are divided by",
          io::at_line(where, table->source()), key));

  Published published;
  published.source = read_line(*table->get("source"), {where, "published.source"});
  published.n = io::read_whole(*table->get("n"), {where, "published.n"});
  if (published.n < 1) io::Place{where, "published.n"}.expected("at least 1", *table->get("n"));
  published.divisor = io::read_text(*table->get("divisor"), {where, "published.divisor"});
  if (published.divisor != "n" && published.divisor != "n-1")
    io::Place{where, "published.divisor"}.expected("\"n\" or \"n-1\"", *table->get("divisor"));
  for (const Arm& arm : arms)
    if (const toml::node* values = table->get(arm.name)) {
      if (!values->is_table()) io::Place{where, "published." + arm.name}.expected("a table", *values);
      published.arms[arm.name] = read_published_arm(*values->as_table(), arm, where);
    }
  return published;
}

void check_format(const toml::table& root, std::string_view where) {
  const toml::node* node = root.get("format");
  if (!node) throw Error(fmt::format("{}: format: expected format = 1, got none", where));
  const io::Place place{where, "format"};
  if (io::read_whole(*node, place) != 1) place.expected("1, the only format that this version knows", *node);
}

}  // namespace

const Arm& Study::arm(std::string_view arm_name) const {
  std::vector<std::string> names;
  for (const Arm& candidate : arms) {
    if (candidate.name == arm_name) return candidate;
    names.push_back(candidate.name);
  }
  throw Error(fmt::format("study {}: unknown arm \"{}\"; try \"{}\" (all: {})", name, arm_name,
                          nearest(arm_name, names), fmt::join(names, ", ")));
}

Study study_from_toml(std::string_view text, std::string_view where) {
  const toml::table root = io::parse_toml(text, where);
  std::vector<std::string> known = {"format", "name", "title", "seeds", "baseline", "rng", "arm", "published"};
  known.insert(known.end(), setting_sections().begin(), setting_sections().end());
  io::reject_unknown_keys(root, known, "", where);
  check_format(root, where);

  Study study;
  study.text = text;
  const toml::node* name = root.get("name");
  if (!name) throw Error(fmt::format("{}: name: expected a text, such as \"char-gpt\", got none", where));
  study.name = read_name(*name, {where, "name"});
  const toml::node* title = root.get("title");
  study.title = title ? read_line(*title, {where, "title"}) : study.name;
  study.seeds = read_seeds(root, where);

  const toml::table base = settings_part(root);
  train::settings_from_toml(settings_at_their_lines(base), where);  // Names a mistake by its line.
  study.arms = read_arms(root, base, where);
  study.baseline = study.arms.front().name;
  if (const toml::node* baseline = root.get("baseline")) {
    study.baseline = io::read_text(*baseline, {where, "baseline"});
    try {
      study.arm(study.baseline);
    } catch (const Error& error) {
      throw Error(io::at_line(where, baseline->source()) + ": baseline: " + error.what());
    }
  }
  study.published = read_published(root, study.arms, where);
  return study;
}

Study read_study(const std::filesystem::path& file) { return study_from_toml(io::read_file(file), file.string()); }

}  // namespace limen::study
