// Part of limen. SPDX-License-Identifier: MIT
//
// One verb a file. Each adds its arguments to the program and says what to run once they are parsed.
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <string>
#include <vector>

namespace limen::cli {

struct Verb {
  CLI::App* arguments;
  std::function<int()> run;  ///< returns the exit status
};
using Verbs = std::vector<Verb>;

inline CLI::App& add_verb(CLI::App& parent, const std::string& name, const std::string& about) {
  return *parent.add_subcommand(name, about)->group("Verbs");
}

void add_list(CLI::App& program, Verbs& verbs);
void add_eval(CLI::App& program, Verbs& verbs);
void add_bench(CLI::App& program, Verbs& verbs);
void add_calibrate(CLI::App& program, Verbs& verbs);
void add_plot(CLI::App& program, Verbs& verbs);
void add_table(CLI::App& program, Verbs& verbs);
void add_train(CLI::App& program, Verbs& verbs);
void add_study(CLI::App& program, Verbs& verbs);
void add_data(CLI::App& program, Verbs& verbs);

}  // namespace limen::cli
