// Part of limen. SPDX-License-Identifier: MIT
#include "train/regions.h"

#include <torch/types.h>

#include <array>
#include <numeric>
#include <vector>

namespace limen::train {
namespace {

constexpr std::int64_t batch_count = 20;

struct Counts {
  std::int64_t closed = 0, open = 0, all = 0;

  void add(const at::Tensor& z, const Knees& at) {
    closed += z.lt(at.lower).sum().item<std::int64_t>();
    open += z.gt(at.upper).sum().item<std::int64_t>();
    all += z.numel();
  }
  void add(const Counts& other) {
    closed += other.closed;
    open += other.open;
    all += other.all;
  }
  void write_to(io::Json& json) const {
    const auto share = [&](std::int64_t count) { return static_cast<double>(count) / static_cast<double>(all); };
    json["closed"] = share(closed);
    json["transition"] = share(all - closed - open);
    json["open"] = share(open);
  }
};

}  // namespace

Member member_of(const Activation& activation) {
  if (activation->options().law) return Member(activation->options().law);
  const ActivationInfo& info = activation->info();
  std::vector<double> parameters;
  for (std::size_t k = 0; k < info.parameter_count; ++k)
    parameters.push_back(activation->value(info.parameter[k].name).item<double>());
  return {*find(info.name), parameters};
}

Knees knees(const Activation& activation) {
  const Distribution law = *member_of(activation).distribution();
  return {.lower = law.lower, .upper = law.upper};
}

io::Json regions(models::Model& model, const Batches& batches) {
  const std::vector<models::Site>& sites = model.sites();
  if (sites.empty() || !member_of(sites.front().activation).has_knees()) return nullptr;
  std::vector<Knees> at;
  for (const models::Site& site : sites) at.push_back(knees(site.activation));
  std::vector<Counts> counts(sites.size());
  blocks::Context context;
  context.observe = [&](std::size_t site, const at::Tensor& z) { counts[site].add(z, at[site]); };
  const torch::NoGradGuard no_gradient;
  for (std::int64_t b = 0; b < batch_count; ++b)
    model.forward(batches.draw(Split::validation, math::Purpose::occupancy, 0, b).inputs, context);

  Counts pooled;
  for (const Counts& one : counts) pooled.add(one);
  io::Json json = io::Json::object();
  pooled.write_to(json);
  json["sites"] = io::Json::array();
  for (std::size_t s = 0; s < sites.size(); ++s) {
    io::Json of_site = {{"site", sites[s].name}};
    counts[s].write_to(of_site);
    json["sites"].push_back(of_site);
  }
  return json;
}

}  // namespace limen::train
