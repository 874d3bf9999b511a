// Part of limen. SPDX-License-Identifier: MIT
#include "train/train.h"
#include "train/activation_options.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>

#include "cli/arguments.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/settings_overlay.h"
#include "cli/verbs.h"
#include "io/files.h"
#include "limen/digits.h"
#include "limen/error.h"

namespace limen::cli {
namespace {

struct TrainArguments {
  std::string run, settings, out, threads = "0";
  std::vector<std::string> changes;
};

/// The run folder that the arguments mean, with its settings written. A folder that already holds the same settings is
/// resumed.
io::RunFolder to_folder(const TrainArguments& arguments) {
  const bool fresh = !arguments.settings.empty() || !arguments.out.empty();
  if (fresh == !arguments.run.empty())
    throw Error("expected either --run FOLDER, or --settings FILE with --out FOLDER");
  if (!fresh) {
    if (!arguments.changes.empty())
      throw Error("--set: expected with --settings, got it with --run, whose settings stay as they are");
    return io::RunFolder(arguments.run);
  }
  if (arguments.settings.empty() || arguments.out.empty())
    throw Error("expected --settings FILE with --out FOLDER, got one of the two");
  expect_file(arguments.settings, "--settings");
  const auto read = [](const std::filesystem::path& path) {
    return train::settings_from_toml(io::read_file(path), path.string());
  };
  train::Settings settings = changed(read(arguments.settings), arguments.changes);
  train::check(settings);
  train::pin_files(settings);
  const io::RunFolder folder(arguments.out);
  const std::string text = train::settings_to_toml(settings);
  if (folder.state() == io::RunState::planned)
    io::write_file(folder.settings(), text);
  else if (train::settings_to_toml(read(folder.settings())) != text)
    throw Error(fmt::format(
        "--out: expected a new folder, got {}, which holds a run with other settings; try --run {} to go on with "
        "it, or another folder",
        arguments.out, arguments.out));
  return folder;
}

/// What is about to happen, so that a wrong setting is seen before it costs a night.
void announce(const train::Settings& s) {
  const train::TrainSettings& t = s.train;
  std::string activation = s.activation.name + (s.activation.sampled ? ", thresholds drawn" : "");
  for (const auto& [name, value] : s.activation.parameters) activation += fmt::format(" {}={}", name, shortest(value));
  complain(fmt::format("model     {}: {} layers, width {}, {} heads, context {}, dropout {}; {}", s.model.name,
                       s.model.layers, s.model.width, s.model.heads, s.model.context, shortest(s.model.dropout),
                       activation));
  complain(fmt::format("data      {}; seed {}; batches of {}", s.data.name, s.seed, t.batch));
  complain(fmt::format("schedule  {} steps; learning rate up to {} in {} steps, down to {} at step {}", t.iterations,
                       shortest(t.learning_rate), t.warmup, shortest(t.learning_rate_end), s.horizon()));
  complain(fmt::format("optimiser AdamW; weight decay {}; gradient norm {}", shortest(t.weight_decay),
                       t.clip > 0 ? "clipped at " + shortest(t.clip) : "not clipped"));
}

/// Which parameters the weight decay reaches, as the run has noted it.
std::string groups(const io::RunFolder& folder) {
  const io::Json machine = io::Json::parse(io::read_file(folder.environment()));
  return fmt::format("groups    {} parameters; {} tensors with weight decay, {} without; {} names them",
                     machine.at("parameters").get<std::int64_t>(), machine.at("decayed").size(),
                     machine.at("not_decayed").size(), folder.environment().string());
}

std::string describe(const train::Progress& now) {
  return fmt::format("{}/{}  loss {:.4f}  {:.3g} it/s", now.iteration, now.iterations, now.loss,
                     1 / now.seconds_per_step);
}

/// Seconds to the end at the pace since the first call, evaluations included; before that, of the steps alone.
class Estimate {
 public:
  double seconds_left(const train::Progress& now) {
    if (!first_) first_ = now.iteration;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    const std::int64_t steps = now.iteration - *first_;
    const double pace = steps > 0 ? elapsed.count() / static_cast<double>(steps) : now.seconds_per_step;
    return pace * static_cast<double>(now.iterations - now.iteration);
  }

 private:
  std::optional<std::int64_t> first_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

train::Outcome run_with_progress(const io::RunFolder& folder, train::TrainOptions options) {
  const auto start = std::chrono::steady_clock::now();
  Progress progress;
  std::optional<Estimate> estimate;
  options.on_progress = [&](const train::Progress& now) {
    if (!estimate) progress.say(groups(folder));
    if (!estimate) estimate.emplace();
    const double fraction = static_cast<double>(now.iteration) / static_cast<double>(now.iterations);
    progress.show(fraction, estimate->seconds_left(now), describe(now));
  };
  try {
    const train::Outcome outcome = train::run(folder, options);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    if (outcome == train::Outcome::done) progress.say("done      in " + duration(elapsed.count()));
    return outcome;
  } catch (const Error& error) {
    if (folder.state() != io::RunState::failed) throw;  // Settings or data were not in order: nothing has begun.
    throw std::runtime_error(error.what());
  }
}

void print_measures(const io::Json& measures) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, value] : measures.items()) {
    if (value.is_number_float())
      rows.push_back({name, shortest(value.get<double>())});
    else if (value.is_number() || value.is_string())
      rows.push_back({name, value.is_string() ? value.get<std::string>() : value.dump()});
    else if (name == "learned" || name == "scheduled")
      for (const auto& [parameter, amount] : value.items())
        rows.push_back({parameter, shortest(io::to_number(amount))});
  }
  print(columns(rows));
}

int run_train(const TrainArguments& arguments) {
  const io::RunFolder folder = to_folder(arguments);
  const std::string where = folder.settings().string();
  if (folder.state() == io::RunState::planned)
    throw Error(fmt::format("--run: expected a run's folder, got one without {}", where));
  const io::FolderLock lock(folder.path());
  const train::Settings settings = train::settings_from_toml(io::read_file(folder.settings()), where);
  train::check(settings);
  train::TrainOptions options;
  options.threads = static_cast<int>(to_whole(arguments.threads, "--threads", 0, most_threads));
  options.stop = &watch_interrupts();
  if (folder.state() != io::RunState::done) {
    folder.clear_failed();
    announce(settings);
    const train::Outcome outcome = run_with_progress(folder, options);
    if (outcome == train::Outcome::interrupted) {
      complain(fmt::format("limen train: stopped; limen train --run {} goes on from here", folder.path().string()));
      return interrupt_status();
    }
  }
  const auto end = folder.read_end();
  if (folder.state() != io::RunState::done)
    throw std::runtime_error(end && end->contains("reason") ? end->at("reason").get<std::string>() : "the run failed");
  print_measures(*end);
  return 0;
}

}  // namespace

void add_train(CLI::App& program, Verbs& verbs) {
  const auto arguments = std::make_shared<TrainArguments>();
  CLI::App& verb = add_verb(program, "train", "One training run in a folder of its own");
  verb.add_option("--run", arguments->run, "a run's folder with its settings.toml: begins, resumes or shows the run")
      ->type_name("FOLDER");
  verb.add_option("--settings", arguments->settings, "settings of a new run, or any part of them (TOML)")
      ->type_name("FILE");
  verb.add_option("--out", arguments->out, "the new run's folder")->type_name("FOLDER");
  verb.add_option("--set", arguments->changes, "a setting of the new run; may be repeated")
      ->allow_extra_args(false)
      ->type_name("SECTION.KEY=VALUE");
  verb.add_option("--threads", arguments->threads, "default: as many as PyTorch takes")->type_name("N");
  verb.footer(
      "Ctrl-C leaves a run that --run resumes; the result is that of an uninterrupted one.\n\n"
      "Example:\n  limen train --settings run.toml --out runs/first --set train.iterations=1000");
  verbs.push_back({&verb, [arguments] { return run_train(*arguments); }});
}

}  // namespace limen::cli
