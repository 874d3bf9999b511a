// Part of limen. SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <memory>

#include "cli/arguments.h"
#include "cli/output.h"
#include "cli/quantities.h"
#include "cli/verbs.h"
#include "io/json.h"
#include "limen/error.h"
#include "limen/names.h"
#include "limen/registry.h"
#include "tools/throughput.h"

namespace limen::cli {
namespace {

using tools::Load;
using tools::Throughput;

struct BenchArguments {
  std::vector<std::string> names, types, paths, directions, elements;
  std::string threads = "1";
  bool json = false;
};

ActivationId to_activation(const std::string& name) {
  if (const auto id = find(name)) return *id;
  std::vector<std::string_view> known;
  for (const ActivationInfo& about : all_infos) known.push_back(about.name);
  throw Error(fmt::format("expected an activation of limen list, got '{}'; try '{}'", name, nearest(name, known)));
}

tools::Direction to_direction(const std::string& name) {
  std::vector<std::string_view> known;
  for (const tools::Direction direction : tools::all_directions) {
    if (tools::name(direction) == name) return direction;
    known.push_back(tools::name(direction));
  }
  throw Error(fmt::format("--direction: expected a direction, got '{}'; try '{}'", name, nearest(name, known)));
}

/// Every combination of what was asked for.
std::vector<Load> loads(const BenchArguments& arguments) {
  std::vector<ActivationId> ids;
  for (const std::string& name : arguments.names) ids.push_back(to_activation(name));
  for (std::size_t i = 0; arguments.names.empty() && i < activation_count; ++i)
    ids.push_back(static_cast<ActivationId>(i));
  std::vector<kernels::Isa> isas;
  for (const std::string& path : arguments.paths) isas.push_back(to_isa(path));
  if (isas.empty()) isas.push_back(kernels::active_isa());
  const int threads = static_cast<int>(to_whole(arguments.threads, "--threads", 1, most_threads));

  std::vector<Load> all;
  for (const ActivationId id : ids)
    for (const std::string& type : arguments.types)
      for (const kernels::Isa isa : isas)
        for (const std::string& direction : arguments.directions)
          for (const std::string& elements : arguments.elements)
            all.push_back({id, type, isa, to_direction(direction),
                           static_cast<std::size_t>(to_whole(elements, "--elements", 1, std::int64_t{1} << 32)),
                           threads});
  return all;
}

io::Json json(const Load& load, const Throughput& found) {
  io::Json row = {{"activation", info(load.id).name}, {"type", load.type},
                  {"path", kernels::name(load.isa)},  {"direction", tools::name(load.direction)},
                  {"elements", load.elements},        {"threads", load.threads}};
  if (!found.refusal.empty()) {
    row["refused"] = found.refusal;
    return row;
  }
  row["elements_per_second"] = found.rate;
  row["slowest"] = found.slowest;
  row["fastest"] = found.fastest;
  row["of_copy"] = found.of_copy;
  return row;
}

std::vector<std::string> cells(const Load& load, const Throughput& found) {
  std::vector<std::string> row = {std::string(info(load.id).name), load.type, std::string(kernels::name(load.isa)),
                                  std::string(tools::name(load.direction)), fmt::format("{}", load.elements)};
  const auto giga = [](double rate) { return fmt::format("{:.3g}", rate / 1e9); };
  if (found.refusal.empty())
    row.insert(row.end(), {giga(found.rate), fmt::format("{}-{}", giga(found.slowest), giga(found.fastest)),
                           fmt::format("{:.2f}", found.of_copy)});
  else
    row.push_back("not timed: " + found.refusal);
  return row;
}

int run_bench(const BenchArguments& arguments) {
  if (const auto error = kernels::isa_error(); !error.empty()) throw Error(std::string(error));
  std::vector<std::vector<std::string>> rows = {
      {"activation", "type", "path", "direction", "elements", "Gelem/s", "spread", "of copy"}};
  io::Json all = io::Json::array();
  bool refused = false;
  for (const Load& load : loads(arguments)) {
    const Throughput found = tools::measure(load);
    refused = refused || !found.refusal.empty();
    all.push_back(json(load, found));
    rows.push_back(cells(load, found));
  }
  print(arguments.json ? all.dump(2) + '\n' : columns(rows));
  return refused ? 1 : 0;
}

}  // namespace

void add_bench(CLI::App& program, Verbs& verbs) {
  const auto arguments = std::make_shared<BenchArguments>();
  arguments->types = {"f32"};
  arguments->directions = {"forward", "backward"};
  arguments->elements = {"4096", "16777216"};
  CLI::App& verb = add_verb(program, "bench", "Throughput of the kernels, beside a copy of as many bytes");
  verb.add_option("NAME", arguments->names, "activations of limen list; without any, all")->type_name("");
  const auto list = [&](const char* option, std::vector<std::string>& values, const char* about, const char* type) {
    verb.add_option(option, values, about)->delimiter(',')->allow_extra_args(false)->type_name(type);
  };
  list("--type", arguments->types, "f32 (default), f64, bf16, f16; separated by commas", "TYPES");
  list("--path", arguments->paths, "scalar, sse4, avx2, avx512; the one in use by default", "PATHS");
  list("--direction", arguments->directions,
       "forward,backward (default), backward_with_sums (of the slopes in parameters), second_backward", "DIRECTIONS");
  list("--elements", arguments->elements, "4096,16777216 (default): in the first cache, and out of all", "COUNTS");
  verb.add_option("--threads", arguments->threads, "1 (default)")->type_name("N");
  verb.add_flag("--json", arguments->json, "one JSON list");
  verb.footer(
      "Each result is first compared with the scalar path's, bit for bit; what differs is not timed, and the exit is "
      "1.\n"
      "Gelem/s is the median of 7 samples of 10 ms or more, spread the slowest and the fastest; 'of copy' is the time "
      "of\n"
      "a memcpy that moves as many bytes, measured in turn with the kernel, over the kernel's time.\n\n"
      "Examples:\n  limen bench uelu gelu\n  limen bench --path avx2,avx512 --type f32,bf16 --elements 4096 silu "
      "--json");
  verbs.push_back({&verb, [arguments] { return run_bench(*arguments); }});
}

}  // namespace limen::cli
