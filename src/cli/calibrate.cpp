// Part of limen. SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "cli/output.h"
#include "cli/quantities.h"
#include "cli/verbs.h"
#include "limen/error.h"
#include "limen/names.h"
#include "tools/match.h"

namespace limen::cli {
namespace {

struct CalibrateArguments {
  std::string match, from, to, parameter;
  std::vector<std::string> from_settings, to_settings;
};

tools::Criterion to_criterion(const std::string& name) {
  const auto& names = tools::criterion_names;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw Error(fmt::format("--match: expected one of {}, got '{}'; try '{}'", fmt::join(names, ", "), name,
                            nearest(name, names)));
  return static_cast<tools::Criterion>(found - names.begin());
}

/// The parameter to move: the one that is named, or the first that is positive, which is a width, a scale or a rate.
std::size_t free_parameter(const ActivationInfo& about, const std::string& name) {
  std::vector<std::string_view> positive;
  for (std::size_t k = 0; k < about.parameter_count; ++k) {
    const Parameter& p = about.parameter[k];
    if (!(p.lower >= 0 && p.upper >= widest)) continue;
    if (name.empty() || name == p.name) return k;
    positive.push_back(p.name);
  }
  if (positive.empty())
    throw Error(
        fmt::format("{}: expected an activation with a width, scale or rate to move, got one without", about.name));
  throw Error(
      fmt::format("--parameter: expected one of {} of {}, got '{}'", fmt::join(positive, ", "), about.name, name));
}

std::string describe(const Member& member) {
  const std::string settings = settings_of(member);
  return settings.empty() ? std::string(member.info().name) : fmt::format("{}({})", member.info().name, settings);
}

int run_calibrate(const CalibrateArguments& arguments) {
  const tools::Criterion criterion = to_criterion(arguments.match);
  const Member from = choose(arguments.from, arguments.from_settings, {});
  const Member to = choose(arguments.to, arguments.to_settings, {});
  const std::size_t free = free_parameter(from.info(), arguments.parameter);
  const Member found = tools::matched(from, free, to, criterion);
  const tools::Sup sup = tools::sup_difference(found, to);
  print(
      fmt::format("{}\n\nnearest to {} by {}; what remains:\n"
                  "  root mean square for inputs from N(0, 1)  {:.6g}\n"
                  "  largest on the line                       {:.6g} at {:.6g}\n",
                  describe(found), describe(to), arguments.match, tools::rms_difference(found, to), sup.size, sup.at));
  return 0;
}

}  // namespace

void add_calibrate(CLI::App& program, Verbs& verbs) {
  const auto arguments = std::make_shared<CalibrateArguments>();
  CLI::App& verb = add_verb(program, "calibrate", "The width that brings one activation nearest to another");
  verb.add_option("FROM", arguments->from, "the activation whose width is wanted")->type_name("")->required();
  verb.add_option("TO", arguments->to, "the activation to come near to")->type_name("")->required();
  verb.add_option("--match", arguments->match,
                  "what is to agree: curvature (at 0), variance (of the thresholds), correction (at 0), or what is to "
                  "be least: rms (for inputs from N(0, 1)), sup (on the line), gate (sup of the gates)")
      ->type_name("WHAT")
      ->required();
  verb.add_option("--parameter", arguments->parameter,
                  "the parameter to move (default: the first width, scale or rate)")
      ->type_name("NAME");
  verb.add_option("--set", arguments->from_settings, "another parameter of FROM; may be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  verb.add_option("--set-to", arguments->to_settings, "a parameter of TO; may be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  verb.footer(
      "Examples:\n  limen calibrate --match curvature uelu gelu\n"
      "  limen calibrate --match gate silu gelu\n"
      "  limen calibrate --match rms uelu iglu --set-to sigma=5");
  verbs.push_back({&verb, [arguments] { return run_calibrate(*arguments); }});
}

}  // namespace limen::cli
