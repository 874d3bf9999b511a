// Part of limen. SPDX-License-Identifier: MIT
#include "train/settings.h"

#include <algorithm>
#include <concepts>
#include <string>

#include "io/json.h"
#include "io/toml.h"
#include "limen/error.h"
#include "limen/names.h"
#include "limen/registry.h"

namespace limen::train {
namespace {

using io::Place;

constexpr std::int64_t format = 1;

// Every setting once: reading, writing and comparing walk this list, in this order.
template <class S, class Visit>
void each_setting(S& s, Visit&& visit) {
  visit("", "seed", s.seed);
  visit("", "rng", s.rng);
  visit("activation", "name", s.activation.name);
  visit("activation", "law", s.activation.law);
  visit("activation", "sampled", s.activation.sampled);
  visit("activation", "parameters", s.activation.parameters);
  visit("activation", "learned", s.activation.learned);
  visit("activation", "scope", s.activation.scope);
  visit("activation", "schedule", s.activation.schedule);
  visit("activation", "schedule_from", s.activation.schedule_from);
  visit("activation", "schedule_to", s.activation.schedule_to);
  visit("model", "name", s.model.name);
  visit("model", "layers", s.model.layers);
  visit("model", "heads", s.model.heads);
  visit("model", "width", s.model.width);
  visit("model", "context", s.model.context);
  visit("model", "dropout", s.model.dropout);
  visit("data", "name", s.data.name);
  visit("data", "train_fraction", s.data.train_fraction);
  visit("train", "iterations", s.train.iterations);
  visit("train", "horizon", s.train.horizon);
  visit("train", "batch", s.train.batch);
  visit("train", "learning_rate", s.train.learning_rate);
  visit("train", "learning_rate_end", s.train.learning_rate_end);
  visit("train", "warmup", s.train.warmup);
  visit("train", "weight_decay", s.train.weight_decay);
  visit("train", "decay", s.train.decay);
  visit("train", "clip", s.train.clip);
  visit("train", "evaluate_every", s.train.evaluate_every);
  visit("train", "evaluate_batches", s.train.evaluate_batches);
}

// Reading.

template <std::integral I>
void read(const toml::node& node, const Place& place, I& out) {
  const auto* value = node.as_integer();
  if (!value || !std::in_range<I>(value->get()))
    place.expected(std::unsigned_integral<I> ? "a whole number, not negative" : "a whole number", node);
  out = static_cast<I>(value->get());
}

void read(const toml::node& node, const Place& place, bool& out) {
  const auto* value = node.as_boolean();
  if (!value) place.expected("true or false", node);
  out = value->get();
}

void read(const toml::node& node, const Place& place, double& out) { out = io::read_number(node, place); }
void read(const toml::node& node, const Place& place, std::string& out) { out = io::read_text(node, place); }

void read(const toml::node& node, const Place& place, std::vector<std::string>& out) {
  const auto* array = node.as_array();
  if (!array) place.expected("an array of texts, such as [\"beta\"]", node);
  out.clear();
  for (const toml::node& entry : *array) read(entry, place, out.emplace_back());
}

template <class T>
void read(const toml::node& node, const Place& place, std::map<std::string, T>& out) {
  const auto* table = node.as_table();
  if (!table) place.expected("a table, such as {beta = ...}", node);
  out.clear();
  for (const auto& [key, value] : *table) read(value, place.inside(key.str()), out[std::string(key.str())]);
}

// The keys known in a section; those of the top ("") include the sections' names.
std::vector<std::string> known_keys(std::string_view section) {
  std::vector<std::string> known;
  if (section.empty()) known.push_back("format");
  Settings settings;
  each_setting(settings, [&](std::string_view of, std::string_view key, auto&) {
    if (of == section) known.emplace_back(key);
    if (section.empty() && !of.empty() && known.back() != of) known.emplace_back(of);
  });
  return known;
}

void reject_unknown_keys(const toml::table& root, std::string_view where) {
  io::reject_unknown_keys(root, known_keys(""), "", where);
  for (const auto& [key, value] : root) {
    const std::string section(key.str());
    const std::vector<std::string> known = known_keys(section);
    if (known.empty()) continue;  // a setting of the top
    if (!value.is_table()) Place{where, section}.expected("a table, [" + section + "]", value);
    io::reject_unknown_keys(*value.as_table(), known, section + ".", where);
  }
}

// Writing.

std::string written(bool value) { return value ? "true" : "false"; }
std::string written(std::integral auto value) { return std::to_string(value); }
std::string written(double value) { return io::shortest(value); }
std::string written(const std::string& value) { return io::inline_text(value); }

std::string written(const std::vector<std::string>& values) {
  std::string out;
  for (const std::string& value : values) out += (out.empty() ? "" : ", ") + io::inline_text(value);
  return "[" + out + "]";
}

template <class T>
std::string written(const std::map<std::string, T>& values) {
  std::string out;
  for (const auto& [key, value] : values)
    out += (out.empty() ? "" : ", ") + io::inline_key(key) + " = " + written(value);
  return "{" + out + "}";
}

struct Line {
  std::string section, text;
  bool operator==(const Line&) const = default;
};

std::vector<Line> lines(const Settings& settings) {
  std::vector<Line> out;
  each_setting(settings, [&](std::string_view section, std::string_view key, const auto& value) {
    out.push_back({std::string(section), std::string(key) + " = " + written(value) + "\n"});
  });
  return out;
}

std::string joined(const std::vector<Line>& lines) {
  std::string out, section;
  for (const Line& line : lines) {
    if (line.section != section) out += (out.empty() ? "[" : "\n[") + line.section + "]\n";
    section = line.section;
    out += line.text;
  }
  return out;
}

}  // namespace

bool ActivationSettings::shared() const {
  const Alias* const alias = find_alias(name);
  return scope == "model" || (scope == "auto" && alias != nullptr && alias->shared);
}

Settings settings_from_toml(std::string_view text, std::string_view where) {
  const toml::table root = io::parse_toml(text, where);
  reject_unknown_keys(root, where);
  if (const toml::node* node = root.get("format")) {
    std::int64_t came = 0;
    read(*node, {where, "format"}, came);
    if (came != format) Place{where, "format"}.expected("1, the only format that this version knows", *node);
  }
  Settings settings;
  each_setting(settings, [&](std::string_view section, std::string_view key, auto& value) {
    const toml::table* table = section.empty() ? &root : root[section].as_table();
    const toml::node* node = table ? table->get(key) : nullptr;
    if (node) read(*node, {where, (section.empty() ? "" : std::string(section) + ".") + std::string(key)}, value);
  });
  return settings;
}

std::string settings_to_toml(const Settings& settings) {
  return "format = " + std::to_string(format) + "\n" + joined(lines(settings));
}

std::string settings_difference(const Settings& settings) {
  std::vector<Line> differing = lines(settings);
  const std::vector<Line> defaults = lines(Settings{});
  std::size_t i = 0;
  std::erase_if(differing, [&](const Line& line) { return line == defaults[i++]; });
  return joined(differing);
}

}  // namespace limen::train
