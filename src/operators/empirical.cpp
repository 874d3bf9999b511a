// Part of limen. SPDX-License-Identifier: MIT
//
// z F(z) for a law given as a table of quantiles, computed in f64 and rounded (for types of 16 bits by way of f32).
#include <ATen/Parallel.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "limen/error.h"
#include "limen/torch.h"
#include "operators/call.h"
#include "operators/elements.h"
#include "operators/table.h"

namespace limen::op {
namespace {

using EmpiricalForward = at::Tensor(const at::Tensor& input, const at::Tensor& levels, const at::Tensor& quantiles);
using EmpiricalBackward = at::Tensor(const at::Tensor& grad_output, const at::Tensor& input, const at::Tensor& levels,
                                     const at::Tensor& quantiles);

void check(const at::Tensor& input, const at::Tensor& levels, const at::Tensor& quantiles) {
  check_type("limen::empirical", input);
  for (const at::Tensor& table : {levels, quantiles})
    if (table.scalar_type() != at::kDouble || table.dim() != 1 || table.device() != input.device())
      throw Error("limen::empirical: expected levels and quantiles as float64 vectors on the input's device");
  if (levels.sym_size(0) != quantiles.sym_size(0) || levels.sym_size(0) < 2)
    throw Error("limen::empirical: expected as many levels as quantiles, at least 2");
}

void check_gradient(const at::Tensor& grad_output, const at::Tensor& input) {
  if (grad_output.scalar_type() != input.scalar_type() || grad_output.sym_sizes() != input.sym_sizes())
    throw Error("limen::empirical_backward: expected grad_output like the input");
}

/// out = f(z, F, its density) for each element.
template <class F>
at::Tensor each(const at::Tensor& input, const at::Tensor& levels, const at::Tensor& quantiles, F&& f) {
  check(input, levels, quantiles);
  const at::Tensor z = input.contiguous(), p = levels.contiguous(), q = quantiles.contiguous();
  const std::span level_values(p.const_data_ptr<double>(), static_cast<std::size_t>(p.numel()));
  const std::span quantile_values(q.const_data_ptr<double>(), static_cast<std::size_t>(q.numel()));
  const at::Tensor output = at::empty_like(z);
  visit_type(z.scalar_type(), [&]<class T>() {
    const T* const from = elements<T>(z);
    T* const to = mutable_elements<T>(output);
    at::parallel_for(0, z.numel(), 4096, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const double x = static_cast<double>(computed(from[i]));
        to[i] = stored<T>(f(i, x, laws::gate_and_density(level_values, quantile_values, x)));
      }
    });
  });
  return output;
}

at::Tensor forward_on_cpu(const at::Tensor& input, const at::Tensor& levels, const at::Tensor& quantiles) {
  return each(input, levels, quantiles,
              [](std::int64_t, double z, const laws::GateAndDensity& at) { return laws::transmission(z, at); });
}

at::Tensor backward_on_cpu(const at::Tensor& grad_output, const at::Tensor& input, const at::Tensor& levels,
                           const at::Tensor& quantiles) {
  check_gradient(grad_output, input);
  const at::Tensor grad = grad_output.contiguous().to(at::kDouble);
  const double* incoming = grad.const_data_ptr<double>();
  return each(input, levels, quantiles, [incoming](std::int64_t i, double z, const laws::GateAndDensity& at) {
    return incoming[i] * laws::transmission_slope(z, at);
  });
}

at::Tensor forward_on_meta(const at::Tensor& input, const at::Tensor& levels, const at::Tensor& quantiles) {
  check(input, levels, quantiles);
  return at::empty_like(input, {}, at::MemoryFormat::Contiguous);
}

at::Tensor backward_on_meta(const at::Tensor& grad_output, const at::Tensor& input, const at::Tensor& levels,
                            const at::Tensor& quantiles) {
  check_gradient(grad_output, input);
  return forward_on_meta(input, levels, quantiles);
}

struct Derivative : torch::autograd::Function<Derivative> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& input,
                            const at::Tensor& levels, const at::Tensor& quantiles) {
    static const auto forward = find_operator<EmpiricalForward>("limen::empirical");
    context->save_for_backward({input, levels, quantiles});
    const at::AutoDispatchBelowADInplaceOrView below;
    return forward.call(input, levels, quantiles);
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    static const auto backward = find_operator<EmpiricalBackward>("limen::empirical_backward");
    const auto saved = context->get_saved_variables();
    return {backward.call(gradients[0], saved[0], saved[1], saved[2]), {}, {}};
  }
};

at::Tensor with_gradient(const at::Tensor& input, const at::Tensor& levels, const at::Tensor& quantiles) {
  return Derivative::apply(input, levels, quantiles);
}

/// Marks the result of a backward that someone may differentiate again, so that it fails then rather than being wrong.
struct SecondDerivative : torch::autograd::Function<SecondDerivative> {
  static at::Tensor forward(torch::autograd::AutogradContext*, const at::Tensor& grad_output, const at::Tensor& input,
                            const at::Tensor& levels, const at::Tensor& quantiles) {
    static const auto backward = find_operator<EmpiricalBackward>("limen::empirical_backward");
    const at::AutoDispatchBelowADInplaceOrView below;
    return backward.call(grad_output, input, levels, quantiles);
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext*,
                                                 const torch::autograd::variable_list&) {
    throw Error("limen::empirical: second derivatives are not available yet");
  }
};

at::Tensor backward_with_gradient(const at::Tensor& grad_output, const at::Tensor& input, const at::Tensor& levels,
                                  const at::Tensor& quantiles) {
  return SecondDerivative::apply(grad_output, input, levels, quantiles);
}

TORCH_LIBRARY_FRAGMENT(limen, m) {
  m.def("empirical(Tensor input, Tensor levels, Tensor quantiles) -> Tensor", {at::Tag::pt2_compliant_tag});
  m.def("empirical_backward(Tensor grad_output, Tensor input, Tensor levels, Tensor quantiles) -> Tensor",
        {at::Tag::pt2_compliant_tag});
}
TORCH_LIBRARY_IMPL(limen, CPU, m) {
  m.impl("empirical", forward_on_cpu);
  m.impl("empirical_backward", backward_on_cpu);
}
TORCH_LIBRARY_IMPL(limen, Meta, m) {
  m.impl("empirical", forward_on_meta);
  m.impl("empirical_backward", backward_on_meta);
}
TORCH_LIBRARY_IMPL(limen, Autograd, m) {
  m.impl("empirical", with_gradient);
  m.impl("empirical_backward", backward_with_gradient);
}

}  // namespace
}  // namespace limen::op

namespace limen {

at::Tensor empirical(const at::Tensor& input, const at::Tensor& levels, const at::Tensor& quantiles) {
  static const auto forward = op::find_operator<op::EmpiricalForward>("limen::empirical");
  return forward.call(input, levels, quantiles);
}

at::Tensor empirical(const at::Tensor& input, const laws::Empirical& law) {
  return empirical(input, op::vector_of(law.levels()), op::vector_of(law.quantiles()));
}

}  // namespace limen
