// Part of limen. SPDX-License-Identifier: MIT
#include "models/model.h"

#include <algorithm>

#include "limen/error.h"
#include "limen/names.h"
#include "models/gpt.h"

namespace limen::models {
namespace {

struct Entry {
  const char* name;
  void (*check)(const ModelOptions&);
  std::shared_ptr<Model> (*make)(const ModelOptions&, std::uint64_t seed);
};

template <class M>
std::shared_ptr<Model> make(const ModelOptions& options, std::uint64_t seed) {
  return std::make_shared<M>(options, seed);
}

// A new model is a line here.
constexpr Entry known[] = {{"gpt", Gpt::check, make<Gpt>}};

const Entry& find(const std::string& name) {
  const auto* entry = std::ranges::find(known, name, [](const Entry& e) { return std::string_view(e.name); });
  if (entry != std::end(known)) return *entry;
  throw Error("model.name: unknown model \"" + name + "\"; try \"" + nearest(name, model_names()) + "\"");
}

}  // namespace

Model::Model(const ModelOptions& options)
    : activation_(options.activation),
      shares_activation_(options.share_activation),
      activations_(register_module("activations", torch::nn::ModuleList())) {}

Activation Model::add_site(const std::string& site_name) {
  const bool reuse = shares_activation_ && !sites_.empty();
  Activation activation = reuse ? sites_.front().activation : Activation(activation_);
  if (!reuse) activations_->push_back(activation);
  sites_.push_back({site_name, activation});
  return activation;
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const Entry& entry : known) names.emplace_back(entry.name);
  return names;
}

void check(const ModelOptions& options) { find(options.name).check(options); }

std::shared_ptr<Model> make_model(const ModelOptions& options, std::uint64_t seed) {
  return find(options.name).make(options, seed);
}

}  // namespace limen::models
