// Part of limen. SPDX-License-Identifier: MIT
//
// Operators and modules for libtorch. One operator pair serves the whole family (docs/operators.md).
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/util/SmallVector.h>
#include <torch/nn/cloneable.h>
#include <torch/nn/pimpl.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limen/error.h"
#include "limen/laws/empirical.h"
#include "limen/laws/info.h"

namespace limen {

/// Applies the activation `name` to every element of `input` (f32, f64, bf16 or f16, any shape and strides); the
/// result has the input's shape and type, and its memory format where that is dense. Types of 16 bits compute in f32.
/// Differentiable twice in `input` and in every tensor parameter, in forward mode and inside torch.func too; the
/// operator torch.ops.limen.activation of Python is this function (docs/operators.md).
///
/// numbers: one number a parameter, in the registry's order; missing ones take their defaults.
/// tensors: one entry a parameter, in the same order; one that is set replaces the number and may require a gradient,
///          missing ones leave the number. Any of the four types, whatever the input's, of shape [] or [1] (one value)
///          or [C] with C = input.size(axis) (one value a channel). Numbers are checked against the domain. A tensor's
///          values are not (that would wait for a device): where one is outside, the results are NaN.
/// Throws limen::Error (a RuntimeError in Python) naming what was expected and what came.
at::Tensor activation(const at::Tensor& input, std::string_view name, at::ArrayRef<double> numbers = {},
                      at::ArrayRef<std::optional<at::Tensor>> tensors = {}, std::int64_t axis = 1);

/// The same, written over `input`, which may be a view of any strides; its version counts up. Refused where a gradient
/// is asked for, since derivatives need what was overwritten, and where elements share their place (expanded tensors).
at::Tensor& activation_(at::Tensor& input, std::string_view name, at::ArrayRef<double> numbers = {},
                        at::ArrayRef<std::optional<at::Tensor>> tensors = {}, std::int64_t axis = 1);

/// z F(z) for a law given as data (laws::Empirical): `levels` and `quantiles` are its table, f64 on the input's device.
/// Any of the four types, any shape and strides; the result is contiguous. Differentiable once in `input`. Throws
/// limen::Error; the values of the table are not looked at, and results are meaningless where it is not one of a law.
at::Tensor empirical(const at::Tensor& input, const at::Tensor& levels, const at::Tensor& quantiles);
/// The same for a law at hand, whose table is copied each time: a module keeps it.
at::Tensor empirical(const at::Tensor& input, const laws::Empirical& law);

/// What thresholds are drawn from: which one an element meets is a function of these and its place in row-major order
/// alone (Purpose::threshold of limen/math/random.h).
struct Draw {
  std::uint64_t seed = 0;
  std::uint32_t site = 0, step = 0;
};

/// z 1{T <= z} for each element z of `input`, with a threshold T drawn anew for each: its mean over draws is `mean`,
/// the activation of `input` with the law of T. The gradient is that of the mean, and reaches `input` and parameters
/// through `mean` alone. Any of the four types, both of one shape and type; any strides, the result is contiguous.
/// T <= z is drawn as U <= F(z) = mean / z for a U of 32 bits. Throws limen::Error.
at::Tensor sampled(const at::Tensor& input, const at::Tensor& mean, const Draw& draw);

/// What stands next to an activation in a network.
struct Neighbours {
  std::optional<at::Tensor> bias = {};    ///< added before; broadcasts to the input's shape
  std::optional<at::Tensor> factor = {};  ///< multiplied after, as in gated forms; of the input's shape
  double dropout = 0;                     ///< share of elements that become 0, the others grow (math::DropoutRate)
  Draw draw = {};                         ///< what the decisions are drawn from, as blocks::Dropout does
};

/// activation(input + bias) * factor, then dropout, in one pass over memory: computed in f32 for types of 16 bits and
/// rounded once; in f32 and f64 the bits are those of the steps one by one. Differentiable as they are, twice too.
/// bias and factor have the input's type. Throws limen::Error.
at::Tensor fused_activation(const at::Tensor& input, const Neighbours& with, std::string_view name,
                            at::ArrayRef<double> numbers = {}, at::ArrayRef<std::optional<at::Tensor>> tensors = {},
                            std::int64_t axis = 1);

/// What becomes of an activation a with the gate F in a feed-forward layer.
enum class Form {
  plain,  ///< a(u)
  gated,  ///< a(u) v, as SwiGLU: two halves of what the layer's first matrix gives
  glu,    ///< F(u) v with the logistic F of silu by libtorch's sigmoid, as the GLU of Dauphin and others 2017
};

/// How a module (or an arm of a study) wants its activation.
struct ActivationOptions {
  std::string name = "gelu";                      ///< of the registry, an alias, "empirical", "gated(NAME)" or "glu"
  std::map<std::string, double> parameters = {};  ///< values, start values of learned ones; others take their defaults
  std::vector<std::string> learned = {};          ///< names of the learned parameters
  std::int64_t channels = 0;  ///< 0: one learned value; otherwise one for each of `channels` along `axis`
  std::int64_t axis = 1;
  EmpiricalLaw law = nullptr;  ///< of "empirical"
  Form form = Form::plain;     ///< as "gated(NAME)" and "glu" say
  bool sampled = false;        ///< thresholds are drawn in training, their mean is used in evaluation
  Draw draw = {};              ///< the first draw of a module that samples by itself
};

/// Replaces an alias by what it stands for (`tuelu` by uelu with a learned beta, "gated(silu)" by silu and its form),
/// checks names and domains, fills in the defaults. Throws limen::Error with the nearest known name.
ActivationOptions resolve(ActivationOptions options);

/// z F(z) as a module. A learned parameter p is stored unconstrained as the torch parameter `raw_<p>`
/// (Parameter::learned says how raw becomes p; for uelu's beta it is the rho of TUELU); a fixed one as the buffer
/// `<p>`, so that a checkpoint holds it and a schedule can move it. One module may serve several sites: they share its
/// parameters. The table of a law given as data is held in the buffers `levels` and `quantiles`.
class ActivationImpl : public torch::nn::Cloneable<ActivationImpl> {
 public:
  explicit ActivationImpl(ActivationOptions options = {});
  void reset() override;
  void pretty_print(std::ostream& stream) const override;
  /// A module that samples draws thresholds when it is in training mode (torch's train() and eval()), the next `step`
  /// each time: the buffer `step` counts them. Those of a model draw by `pass`, and count nothing.
  at::Tensor forward(const at::Tensor& input);
  /// Draws from `draw` where the module samples; takes the mean without one.
  at::Tensor pass(const at::Tensor& input, const std::optional<Draw>& draw = {}) const;
  /// The gated forms: a(u) v or F(u) v.
  at::Tensor pass(const at::Tensor& u, const at::Tensor& v, const std::optional<Draw>& draw) const;

  const ActivationInfo& info() const;
  /// As resolved when the module was made: start values, not present ones.
  const ActivationOptions& options() const { return options_; }
  /// The parameter's present value (after the transform), [] or [channels]; differentiable when learned.
  at::Tensor value(std::string_view parameter) const;
  /// Sets a fixed parameter, as schedules do. Throws for a learned or unknown one, or outside the domain.
  void set(std::string_view parameter, double value);

 private:
  using Values = c10::SmallVector<std::optional<at::Tensor>, max_parameters>;
  Values values() const;
  at::Tensor mean(const at::Tensor& input) const;
  at::Tensor mean_or_drawn(const at::Tensor& input, const std::optional<Draw>& draw) const;
  bool is_learned(std::size_t k) const;
  std::size_t place(std::string_view parameter) const;
  at::Tensor value(std::size_t k) const;

  ActivationOptions options_;
  const ActivationInfo* info_;
  std::vector<at::Tensor> stored_;  // raw_<p> or <p>, in the registry's order
  at::Tensor levels_, quantiles_;   // of a law given as data
  at::Tensor step_;                 // of a module that samples
};
TORCH_MODULE(Activation);

/// The learned parameters of all limen activations inside `module`, each once: what an optimiser's grouping keeps out
/// of weight decay, or gives its own learning rate.
std::vector<at::Tensor> activation_parameters(const torch::nn::Module& module);

}  // namespace limen
