// Part of limen. SPDX-License-Identifier: MIT
#include "study/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "io/files.h"
#include "io/toml.h"
#include "limen/error.h"

namespace limen::study {
namespace {

constexpr std::string_view cut_mark = "\n# Written by limen below this line: how the latest run was cut down.\n";

void apply(const Cut& cut, train::TrainSettings& settings) {
  std::int64_t horizon = settings.horizon > 0 ? settings.horizon : settings.iterations;
  if (cut.horizon) horizon = *cut.horizon;
  if (cut.iterations) settings.iterations = *cut.iterations;
  if (settings.iterations < 1) throw Error(fmt::format("iterations: expected at least 1, got {}", settings.iterations));
  if (settings.iterations > horizon)
    throw Error(fmt::format(
        "iterations: expected at most {}, for which the schedules are made, got {}; try --horizon {} too, or fewer "
        "iterations",
        horizon, settings.iterations, settings.iterations));
  // A full run has one spelling, so that it has one hash.
  settings.horizon = horizon == settings.iterations ? 0 : horizon;
}

std::vector<std::uint64_t> kept_seeds(const Study& study, const Cut& cut) {
  if (cut.seeds.empty()) return study.seeds;
  for (const std::uint64_t seed : cut.seeds)
    if (std::ranges::count(study.seeds, seed) == 0)
      throw Error(
          fmt::format("seed: expected one of study {}'s, {}, got {}", study.name, fmt::join(study.seeds, ", "), seed));
  std::vector<std::uint64_t> kept = study.seeds;
  std::erase_if(kept, [&](std::uint64_t seed) { return std::ranges::count(cut.seeds, seed) == 0; });
  return kept;
}

std::vector<Arm> kept_arms(const Study& study, const Cut& cut) {
  for (const std::string& name : cut.arms) study.arm(name);  // Throws for an unknown one.
  std::vector<Arm> kept = study.arms;
  if (!cut.arms.empty())
    std::erase_if(kept, [&](const Arm& arm) { return std::ranges::count(cut.arms, arm.name) == 0; });
  for (Arm& arm : kept) {
    apply(cut, arm.settings.train);
    train::check(arm.settings);
  }
  return kept;
}

std::string cut_text(const Cut& cut) {
  std::string text = "[cut]\n";
  if (!cut.seeds.empty()) text += fmt::format("seeds = [{}]\n", fmt::join(cut.seeds, ", "));
  // An arm's name needs no escapes.
  if (!cut.arms.empty()) text += fmt::format("arms = [\"{}\"]\n", fmt::join(cut.arms, "\", \""));
  if (cut.iterations) text += fmt::format("iterations = {}\n", *cut.iterations);
  if (cut.horizon) text += fmt::format("horizon = {}\n", *cut.horizon);
  return text;
}

Cut cut_from_text(std::string_view text, std::string_view where) {
  const toml::table root = io::parse_toml(text, where);
  const toml::table* table = root["cut"].as_table();
  if (!table) throw Error(fmt::format("{}: expected a table [cut] at the end, got none", where));
  io::reject_unknown_keys(*table, {"seeds", "arms", "iterations", "horizon"}, "cut.", where);
  Cut cut;
  const auto each = [&](const char* key, auto&& take) {
    const toml::node* node = table->get(key);
    if (!node) return;
    const io::Place place{where, std::string("cut.") + key};
    if (!node->is_array()) place.expected("an array", *node);
    for (const toml::node& entry : *node->as_array()) take(entry, place);
  };
  each("seeds", [&](const toml::node& entry, const io::Place& place) {
    cut.seeds.push_back(static_cast<std::uint64_t>(io::read_whole(entry, place)));
  });
  each("arms",
       [&](const toml::node& entry, const io::Place& place) { cut.arms.push_back(io::read_text(entry, place)); });
  if (const toml::node* node = table->get("iterations"))
    cut.iterations = io::read_whole(*node, {where, "cut.iterations"});
  if (const toml::node* node = table->get("horizon")) cut.horizon = io::read_whole(*node, {where, "cut.horizon"});
  return cut;
}

std::filesystem::path record_file(const std::filesystem::path& out) { return out / "study.toml"; }

struct Record {
  Study study;
  Cut cut;
};

Record read_record(const std::filesystem::path& out) {
  const std::string where = record_file(out).string();
  const std::string text = io::read_file(record_file(out));
  const std::size_t mark = text.rfind(cut_mark);
  if (mark == std::string::npos)
    throw Error(fmt::format(
        "{}: expected a study folder's record, which ends with a table [cut], got another file; remove it if "
        "`limen study run` wrote it, else give another --out",
        where));
  return {study_from_toml(std::string_view(text).substr(0, mark), where),
          cut_from_text(std::string_view(text).substr(mark), where)};
}

}  // namespace

std::filesystem::path default_out(const Study& study) { return std::filesystem::path("limen-out") / study.name; }

std::string cell_hash(const train::Settings& settings) {
  return io::sha256(train::settings_difference(settings)).substr(0, 10);
}

Plan make_plan(const Study& study, const Cut& cut, const std::filesystem::path& out) {
  Plan plan{study, cut, out, kept_arms(study, cut), kept_seeds(study, cut), {}};
  for (const std::uint64_t seed : plan.seeds) {
    for (const Arm& arm : plan.arms) {
      train::Settings settings = arm.settings;
      settings.seed = seed;
      const std::string folder = fmt::format("{}-s{}-{}", arm.name, seed, cell_hash(settings));
      plan.cells.push_back({arm.name, seed, settings, io::RunFolder(out / "cells" / folder)});
    }
  }
  return plan;
}

void record_plan(const Plan& plan) {
  const std::filesystem::path file = record_file(plan.out);
  if (std::filesystem::exists(file)) {
    const Record before = read_record(plan.out);
    if (before.study.name != plan.study.name)
      throw Error(fmt::format("{}: expected a folder of study {}, got one of study {}; try another --out",
                              plan.out.string(), plan.study.name, before.study.name));
  }
  std::string text = plan.study.text;
  if (!text.ends_with('\n')) text += '\n';
  text += cut_mark;
  io::write_file(file, text + cut_text(plan.cut));
}

Plan recorded_plan(const std::filesystem::path& out) {
  if (!std::filesystem::exists(record_file(out)))
    throw Error(fmt::format(
        "{}: expected a study's folder, got one without study.toml; try `limen study run FILE.toml --out {}`",
        out.string(), out.string()));
  const Record record = read_record(out);
  return make_plan(record.study, record.cut, out);
}

}  // namespace limen::study
