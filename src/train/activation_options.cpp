// Part of limen. SPDX-License-Identifier: MIT
#include "train/activation_options.h"

#include <string>

#include "io/files.h"
#include "io/law_file.h"
#include "limen/digits.h"
#include "limen/error.h"

namespace limen::train {
namespace {

/// SHA-256 of a law's table, as text.
std::string fingerprint(const laws::Empirical& law) {
  std::string table;
  for (std::size_t i = 0; i < law.levels().size(); ++i)
    table += shortest(law.levels()[i]) + ' ' + shortest(law.quantiles()[i]) + '\n';
  return io::sha256(table);
}

}  // namespace

ActivationOptions activation_options(const ActivationSettings& settings) {
  const auto [name, law] = io::read_law_in(settings.name);
  if (law && !settings.law.empty() && fingerprint(*law) != settings.law)
    throw Error("activation.law: expected the law " + settings.law + ", got another one in the file of " +
                settings.name + "; try the file as it was, or a new run without activation.law");
  if (!law && !settings.law.empty())
    throw Error("activation.law: expected an activation empirical(FILE), got " + settings.name);
  return {.name = name,
          .parameters = settings.parameters,
          .learned = settings.learned,
          .law = law,
          .sampled = settings.sampled};
}

void pin_files(Settings& settings) {
  const EmpiricalLaw law = activation_options(settings.activation).law;
  if (law) settings.activation.law = fingerprint(*law);
}

}  // namespace limen::train
