// Part of limen. SPDX-License-Identifier: MIT
#include "cli/app.h"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <charconv>

#include "cli/output.h"
#include "cli/verbs.h"
#include "limen/error.h"
#include "limen/kernels.h"
#include "limen/names.h"

namespace limen::cli {
namespace {

std::string version() {
  std::string isas;
  for (const kernels::Isa isa : kernels::all_isas())
    if (kernels::supported(isa))
      isas += fmt::format(" {}{}", kernels::name(isa), isa == kernels::active_isa() ? "*" : "");
  return fmt::format("limen {}\nkernels here (* in use; LIMEN_ISA forces one):{}\n", LIMEN_VERSION, isas);
}

/// The arguments as CLI11 wants them: it takes -inf, -nan and -.5 for options, so a leading blank, which every reader
/// of numbers trims, makes them values; after that nothing needs a `--`, which it would hand to the wrong verb.
std::vector<std::string> prepare_arguments(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  std::erase(arguments, "--");
  for (std::string& argument : arguments) {
    double number;
    const char* const last = argument.data() + argument.size();
    if (argument.starts_with('-') && std::from_chars(argument.data(), last, number).ptr == last)
      argument.insert(0, " ");
  }
  std::reverse(arguments.begin(), arguments.end());
  return arguments;
}

const CLI::App& innermost(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  return parsed.empty() ? app : innermost(*parsed.back());
}

std::string full_name(const CLI::App& app) {
  return app.get_parent() ? full_name(*app.get_parent()) + ' ' + app.get_name() : app.get_name();
}

/// What is wrong with an argument that nothing took, with the nearest thing that would have been.
std::string describe_unexpected(const CLI::App& app, const std::string& argument) {
  std::vector<std::string> known;
  std::string kind = "option";
  if (argument.starts_with('-')) {
    for (const CLI::Option* option : app.get_options())
      if (option->nonpositional()) known.push_back(option->get_name());
  } else {
    kind = "verb";
    for (const CLI::App* verb : app.get_subcommands({})) known.push_back(verb->get_name());
  }
  if (known.empty()) return fmt::format("unexpected argument '{}'", argument);
  const std::string name = argument.substr(0, argument.find('='));
  return fmt::format("unknown {} '{}'; try '{}'", kind, name, nearest(name, known));
}

/// One sentence for arguments that do not parse. Something unknown is named first: it may be why something else is
/// missing.
std::string describe(const CLI::App& program, const CLI::ParseError& error) {
  const CLI::App& app = innermost(program);
  const auto unexpected = app.remaining();
  std::string what = unexpected.empty() ? error.what() : describe_unexpected(app, unexpected.front());
  if (unexpected.empty() && app.get_require_subcommand_min() > 0) what = "expected a verb";
  return fmt::format("{} {} --help", what + (what.find("; try") == what.npos ? "; try" : ", or"), full_name(app));
}

/// One line on standard error that ends with a full stop.
void complain_of(const std::string& who, std::string_view what) {
  complain(fmt::format("{}: {}{}", who, what, what.ends_with('.') ? "" : "."));
}

/// Runs `body`, whose results are flushed before its status counts; what it throws becomes one sentence and a status.
template <class Body>
int run_reporting(const std::string& name, Body body) {
  try {
    const int status = body();
    flush();
    return status;
  } catch (const ReaderGone&) {
    return 0;
  } catch (const Error& error) {
    complain_of(name, error.what());
    return 2;
  } catch (const std::exception& error) {
    complain_of(name, error.what());
    return 1;
  }
}

int show(const std::string& text) {
  return run_reporting("limen", [&] { return print(text), 0; });
}

}  // namespace

int run(int argc, char** argv) {
  prepare_streams();
  CLI::App program("Threshold-transmission activation functions z F(z): values, training runs, paired studies.",
                   "limen");
  program.require_subcommand(1, 1);
  program.get_formatter()->label("SUBCOMMAND", "VERB");
  program.set_version_flag("--version", version);
  program.footer("Example:\n  limen eval uelu --set beta=1.25 -1 0.5\n");
  Verbs verbs;
  add_list(program, verbs);
  add_eval(program, verbs);
  add_calibrate(program, verbs);
  add_plot(program, verbs);
  add_table(program, verbs);
  add_bench(program, verbs);
  add_train(program, verbs);
  add_study(program, verbs);
  add_data(program, verbs);
  auto arguments = prepare_arguments(argc, argv);
  if (std::ranges::count(arguments, "") > 0) {  // To take it for "not given" would run what nobody asked for.
    complain_of("limen", "an argument is empty; is a variable of the shell not set?");
    return 2;
  }
  try {
    program.parse(arguments);
  } catch (const CLI::CallForHelp&) {
    return show(program.help());
  } catch (const CLI::CallForVersion& call) {
    return show(call.what());
  } catch (const CLI::ParseError& error) {
    complain_of(full_name(innermost(program)), describe(program, error));
    return 2;
  }
  const auto parsed = [](const Verb& verb) { return verb.arguments->parsed(); };
  const Verb& verb = *std::find_if(verbs.begin(), verbs.end(), parsed);
  return run_reporting(full_name(*verb.arguments), verb.run);
}

}  // namespace limen::cli
