// Part of limen. SPDX-License-Identifier: MIT
//
// The registry for Python, which makes its functions and modules from it: torch.ops.limen.registry() is one JSON text.
#include <torch/library.h>

#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "limen/registry.h"
#include "operators/learned.h"
#include "operators/messages.h"

namespace limen::op {
namespace {

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

/// JSON has no infinities: they are strings, which Python's float() reads like numbers.
std::string number(double value) { return std::isfinite(value) ? text(value) : in_quotes(text(value)); }

std::string flag(bool value) { return value ? "true" : "false"; }

std::string member(std::string_view name, const std::string& value) {
  std::string out = in_quotes(name);
  out += ": ";
  return out += value;
}

std::string joined(char open, const std::vector<std::string>& parts, char close) {
  std::string out(1, open);
  for (const std::string& part : parts) {
    if (out.size() > 1) out += ", ";
    out += part;
  }
  return out += close;
}

std::string object(const std::vector<std::string>& members) { return joined('{', members, '}'); }

template <class List, class Describe>
std::string array(const List& list, Describe describe) {
  std::vector<std::string> parts;
  for (const auto& entry : list) parts.push_back(describe(entry));
  return joined('[', parts, ']');
}

std::string_view rule(Learned learned) {
  switch (learned) {
    case Learned::directly:
      return "directly";
    case Learned::softplus:
      return "softplus";
    case Learned::sigmoid:
      return "sigmoid";
    default:
      return "";
  }
}

std::string of_parameter(const Parameter& p) {
  return object({member("name", in_quotes(p.name)), member("default", number(p.initial)),
                 member("domain", in_quotes(domain(p))), member("integer", flag(p.integer)),
                 member("meaning", in_quotes(p.meaning)), member("learned", in_quotes(rule(p.learned))),
                 member("lower_learned", number(p.lower_learned)), member("temperature", number(p.temperature)),
                 member("learned_domain", in_quotes(learned_domain(p))), member("learned_from", number(p.start()))});
}

std::string of_activation(const ActivationInfo& about) {
  return object({member("name", in_quotes(about.name)), member("title", in_quotes(about.title)),
                 member("formula", in_quotes(about.formula)), member("slope", in_quotes(about.slope)),
                 member("law", in_quotes(about.law)), member("gate", in_quotes(about.gate)),
                 member("limit", in_quotes(about.limit)), member("reference", in_quotes(about.reference)),
                 member("parameters", array(std::span(about.parameter, about.parameter_count), of_parameter))});
}

std::string of_alias(const Alias& alias) {
  return object({member("name", in_quotes(alias.name)), member("activation", in_quotes(alias.activation)),
                 member("learned", in_quotes(alias.learned)), member("shared", flag(alias.shared))});
}

std::string registry_json() {
  return object({member("version", in_quotes(LIMEN_VERSION)), member("activations", array(all_infos, of_activation)),
                 member("aliases", array(aliases, of_alias))});
}

TORCH_LIBRARY_FRAGMENT(limen, m) { m.def("registry() -> str", registry_json); }

}  // namespace
}  // namespace limen::op
