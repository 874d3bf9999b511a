// Part of limen. SPDX-License-Identifier: MIT
#include "models/model.h"

#include <algorithm>

#include "limen/error.h"
#include "limen/names.h"
#include "models/gpt.h"

namespace limen::models {
namespace {

using Make = std::shared_ptr<Model> (*)(const ModelOptions&, std::uint64_t seed);

struct Entry {
  const char* name;
  Make make;
};

template <class M>
std::shared_ptr<Model> make(const ModelOptions& options, std::uint64_t seed) {
  return std::make_shared<M>(options, seed);
}

// A new model is a line here.
constexpr Entry known[] = {{"gpt", make<Gpt>}};

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

std::shared_ptr<Model> make_model(const ModelOptions& options, std::uint64_t seed) {
  const auto* entry = std::ranges::find(known, options.name, [](const Entry& e) { return std::string_view(e.name); });
  if (entry == std::end(known))
    throw Error("model.name: unknown model \"" + options.name + "\"; try \"" + nearest(options.name, model_names()) +
                "\"");
  return entry->make(options, seed);
}

}  // namespace limen::models
