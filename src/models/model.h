// Part of limen. SPDX-License-Identifier: MIT
//
// The networks of the studies. They take any activation by name and know no formula.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/container/modulelist.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "blocks/context.h"
#include "limen/torch.h"

namespace limen::models {

struct ModelOptions {
  std::string name = "gpt";  ///< one of model_names()
  std::int64_t layers = 4;
  std::int64_t heads = 4;
  std::int64_t width = 128;
  std::int64_t context = 128;  ///< the longest sequence
  double dropout = 0.1;
  std::int64_t classes = 0;  ///< of the output: the vocabulary's size
  ActivationOptions activation;
  bool share_activation = false;  ///< one activation module in all sites, so that they share its learned parameters
};

/// A place where an activation stands.
struct Site {
  std::string name;       ///< for example "block.0.ffn"
  Activation activation;  ///< the same module in all sites of a model that shares it
};

class Model : public torch::nn::Module {
 public:
  /// Logits [..., classes] of an input.
  virtual at::Tensor forward(const at::Tensor& input, const blocks::Context& context) = 0;

  /// In the order of the forward pass; Context::observe is called with indices into this list.
  const std::vector<Site>& sites() const { return sites_; }
  bool shares_activation() const { return shares_activation_; }

 protected:
  explicit Model(const ModelOptions& options);

  /// Adds a site and returns its activation: a new module, or the shared one. The model holds the modules as
  /// "activations.0" and so on.
  Activation add_site(const std::string& site_name);

 private:
  ActivationOptions activation_;
  bool shares_activation_;
  torch::nn::ModuleList activations_;
  std::vector<Site> sites_;
};

/// The names make_model knows.
std::vector<std::string> model_names();

/// Throws limen::Error for an unknown name, with the nearest known one, and for options that do not fit the model, with
/// what was expected. What only the data decide (`classes`) make_model checks.
void check(const ModelOptions& options);

/// A model with the initial weights of `seed`, which depend on the seed and each parameter's name alone, so that models
/// that differ in their activation begin alike. Throws limen::Error for an unknown name, with the nearest known one,
/// and for options that do not fit, with what was expected.
std::shared_ptr<Model> make_model(const ModelOptions& options, std::uint64_t seed);

}  // namespace limen::models
