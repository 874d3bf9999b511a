// Part of limen. SPDX-License-Identifier: MIT
#include "study/study.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>

#include "cli/arguments.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/verbs.h"
#include "limen/error.h"
#include "report/report.h"
#include "study/plan.h"
#include "study/run.h"

namespace limen::cli {
namespace {

struct StudyArguments {
  std::string file, out, seeds, arms, iterations, horizon;
  std::string jobs = "1", threads = "0";
  bool retry_failed = false;
};

study::Cut to_cut(const StudyArguments& arguments) {
  study::Cut cut;
  for (const std::string& seed : split(arguments.seeds, ','))
    cut.seeds.push_back(static_cast<std::uint64_t>(to_whole(seed, "--seeds")));
  cut.arms = split(arguments.arms, ',');
  if (!arguments.iterations.empty()) cut.iterations = to_whole(arguments.iterations, "--iterations", 1);
  if (!arguments.horizon.empty()) cut.horizon = to_whole(arguments.horizon, "--horizon", 1);
  return cut;
}

/// The plan that the arguments ask for. `latest`: without arguments that cut it down, that of the latest run in the
/// folder.
study::Plan to_plan(const StudyArguments& arguments, bool latest) {
  expect_file(arguments.file, "FILE");
  const study::Study study = study::read_study(arguments.file);
  const std::filesystem::path out =
      arguments.out.empty() ? study::default_out(study) : std::filesystem::path(arguments.out);
  const study::Cut cut = to_cut(arguments);
  if (latest && cut == study::Cut{} && std::filesystem::exists(out / "study.toml")) {
    study::Plan recorded = study::recorded_plan(out);
    if (recorded.study.text == study.text) return recorded;
  }
  return study::make_plan(study, cut, out);
}

/// A report on a folder that no study was run in would be about a name that was mistyped.
const study::Plan& begun(const study::Plan& plan) {
  if (!std::filesystem::exists(plan.out / "study.toml")) study::recorded_plan(plan.out);  // Throws.
  return plan;
}

std::string four_digits(const std::optional<double>& value) { return value ? fmt::format("{:.4g}", *value) : "-"; }

/// One line a cell, then how many cells are in which state.
void print_cells(const study::Plan& plan, bool with_folders) {
  std::vector<std::vector<std::string>> rows{
      {"arm", "seed", "state", "iteration", "validation loss", "s/step", with_folders ? "folder" : "note"}};
  std::map<std::string_view, int> count;
  for (const study::CellStatus& status : study::status(plan)) {
    ++count[io::name(status.state)];
    rows.push_back({status.cell->arm, std::to_string(status.cell->seed), std::string(io::name(status.state)),
                    fmt::format("{}/{}", status.iteration, status.iterations), four_digits(status.validation_loss),
                    four_digits(status.seconds_per_step),
                    with_folders ? status.cell->folder.path().string() : status.reason});
  }
  print(columns(rows));
  std::string sum;
  for (const auto& [state, cells] : count) sum += fmt::format(", {} {}", cells, state);
  print(fmt::format("\n{}: {} cells{}\n", plan.study.name, plan.cells.size(), sum));
}

void print_report(const study::Plan& plan) {
  const report::Files files = report::write(plan);
  print(report::terminal_table(plan));
  if (!files.note.empty()) complain(files.note);
  print(fmt::format("\nreport: {}\n", files.html.string()));
}

void show_progress(Progress& progress, const study::RunProgress& now) {
  double cells = now.done + now.failed;
  std::string running;
  for (const study::CellStatus& cell : now.running) {
    cells += static_cast<double>(cell.iteration) / static_cast<double>(std::max<std::int64_t>(cell.iterations, 1));
    running += fmt::format("  {} s{} {}/{}", cell.cell->arm, cell.cell->seed, cell.iteration, cell.iterations);
  }
  const double fraction = cells / std::max(now.total, 1);
  progress.show(fraction, now.seconds_left, fmt::format("{}/{} cells{}", now.done + now.failed, now.total, running));
}

std::filesystem::path this_program() { return std::filesystem::read_symlink("/proc/self/exe"); }

int run_study(const StudyArguments& arguments) {
  const study::Plan plan = to_plan(arguments, false);
  study::RunOptions options;
  options.worker = {this_program().string(), "train"};
  options.jobs = static_cast<int>(to_whole(arguments.jobs, "--jobs", 1, most_threads));
  options.threads = static_cast<int>(to_whole(arguments.threads, "--threads", 0, most_threads));
  options.retry_failed = arguments.retry_failed;
  options.stop = &watch_interrupts();
  study::RunResult result;
  {
    Progress progress;
    options.on_progress = [&](const study::RunProgress& now) { show_progress(progress, now); };
    options.on_cell = [&](const study::CellEvent& event) {
      progress.say(fmt::format("{} seed {}: {}{}{}", event.cell->arm, event.cell->seed, study::name(event.outcome),
                               event.reason.empty() ? "" : ", ", event.reason));
    };
    result = study::run(plan, options);
  }
  if (result.stopped) {
    complain(fmt::format("limen study run: stopped with {} of {} cells left; the same command goes on from here",
                         result.left, plan.cells.size()));
    return interrupt_status();
  }
  print_report(plan);
  if (result.failed == 0 && result.left == 0) return 0;
  complain(fmt::format("limen study run: {} cells failed or diverged, {} are unfinished; see limen study status {}",
                       result.failed, result.left, arguments.file));
  return 1;
}

void add_file_and_cut(CLI::App& verb, const std::shared_ptr<StudyArguments>& arguments) {
  verb.add_option("FILE", arguments->file, "a study file, such as studies/char-gpt.toml")->type_name("")->required();
  verb.add_option("--out", arguments->out, "the study's folder; default limen-out/NAME")->type_name("FOLDER");
  verb.add_option("--seeds", arguments->seeds, "only these of the file's seeds, such as 1,2")->type_name("N,...");
  verb.add_option("--arms", arguments->arms, "only these of the file's arms, such as relu,gelu")->type_name("ARM,...");
  verb.add_option("--iterations", arguments->iterations, "stop after so many steps; the schedules keep their length")
      ->type_name("N");
  verb.add_option("--horizon", arguments->horizon, "the length of the schedules")->type_name("N");
}

}  // namespace

void add_study(CLI::App& program, Verbs& verbs) {
  CLI::App& study = add_verb(program, "study", "Paired comparisons of activations over seeds");
  study.require_subcommand(1, 1);
  study.footer("Example:\n  limen study run studies/char-gpt.toml --arms relu,gelu --seeds 1,2 --iterations 1000");
  const auto arguments = std::make_shared<StudyArguments>();
  const auto add = [&](const char* name, const char* about, const char* footer, std::function<int()> run) -> CLI::App& {
    CLI::App& verb = add_verb(study, name, about);
    add_file_and_cut(verb, arguments);
    verb.footer(footer);
    verbs.push_back({&verb, std::move(run)});
    return verb;
  };
  add("plan", "List the cells and their states", "Example:\n  limen study plan studies/char-gpt.toml --seeds 1",
      [arguments] { return print_cells(to_plan(*arguments, false), true), 0; });
  CLI::App& run = add("run", "Run what is missing, then report",
                      "Finished cells are kept; interrupted ones resume, in whatever way they were interrupted.\n\n"
                      "Example:\n  limen study run studies/char-gpt.toml --jobs 2 --iterations 1000",
                      [arguments] { return run_study(*arguments); });
  run.add_option("--jobs", arguments->jobs, "cells at a time; default 1")->type_name("N");
  run.add_option("--threads", arguments->threads, "threads a job; default: cores / jobs")->type_name("N");
  run.add_flag("--retry-failed", arguments->retry_failed, "also run cells that failed or diverged before");
  add("status", "Say how far the cells of the latest run are", "Example:\n  limen study status studies/char-gpt.toml",
      [arguments] { return print_cells(to_plan(*arguments, true), false), 0; });
  add("report", "Write tables, figures and the page of the latest run",
      "Example:\n  limen study report studies/char-gpt.toml",
      [arguments] { return print_report(begun(to_plan(*arguments, true))), 0; });
}

}  // namespace limen::cli
