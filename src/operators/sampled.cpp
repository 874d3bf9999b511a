// Part of limen. SPDX-License-Identifier: MIT
//
// z 1{T <= z} with a threshold drawn for each element. T <= z holds exactly where the level U that T is the quantile of
// is at most F(z), and F(z) is mean / z: no law is needed here.
#include <ATen/Parallel.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "limen/error.h"
#include "limen/math/random.h"
#include "limen/torch.h"
#include "operators/call.h"
#include "operators/elements.h"

namespace limen::op {
namespace {

using Sampled = at::Tensor(const at::Tensor& input, const at::Tensor& mean, std::int64_t seed, std::int64_t site,
                           std::int64_t step);

auto handle() {
  static const auto found = find_operator<Sampled>("limen::sampled");
  return found;
}

constexpr std::int64_t chunk = 1024;  // elements whose levels are drawn at a time

/// NaN stays; at -inf the gate is 0, at +inf it is 1, and 0 is 0 whether it passes or not.
template <class T>
T passed(T z, T mean, double level) {
  if (z == 0 || std::isinf(z)) return z > 0 ? z : T(0);
  const double gate = static_cast<double>(mean) / static_cast<double>(z);
  return level > gate ? T(0) : gate != gate ? mean : z;
}

template <class T>
void walk(const at::Tensor& input, const at::Tensor& mean, const at::Tensor& output, const math::Stream& stream) {
  const T* z = elements<T>(input);
  const T* a = elements<T>(mean);
  T* out = mutable_elements<T>(output);
  const std::int64_t n = input.numel();
  at::parallel_for(0, (n + chunk - 1) / chunk, 16, [&](std::int64_t begin, std::int64_t end) {
    std::array<double, chunk> levels;
    for (std::int64_t first = begin * chunk; first < std::min(end * chunk, n); first += chunk) {
      const std::int64_t count = std::min(chunk, n - first);
      stream.fill_levels(std::span(levels.data(), static_cast<std::size_t>(count)), static_cast<std::uint64_t>(first));
      for (std::int64_t i = 0; i < count; ++i)
        out[first + i] =
            stored<T>(passed(computed(z[first + i]), computed(a[first + i]), levels[static_cast<std::size_t>(i)]));
    }
  });
}

void check(const at::Tensor& input, const at::Tensor& mean) {
  check_type("limen::sampled", input);
  if (mean.scalar_type() != input.scalar_type() || mean.sym_sizes() != input.sym_sizes() ||
      mean.device() != input.device())
    throw Error("limen::sampled: expected a mean like the input, got another shape, type or device");
}

at::Tensor on_cpu(const at::Tensor& input, const at::Tensor& mean, std::int64_t seed, std::int64_t site,
                  std::int64_t step) {
  check(input, mean);
  const math::Stream stream(static_cast<std::uint64_t>(seed), math::Purpose::threshold,
                            static_cast<std::uint32_t>(site), static_cast<std::uint32_t>(step));
  const at::Tensor z = input.contiguous(), a = mean.contiguous();
  const at::Tensor output = at::empty_like(z);
  visit_type(z.scalar_type(), [&]<class T>() { walk<T>(z, a, output, stream); });
  return output;
}

at::Tensor on_meta(const at::Tensor& input, const at::Tensor& mean, std::int64_t, std::int64_t, std::int64_t) {
  check(input, mean);
  return at::empty_like(input, {}, at::MemoryFormat::Contiguous);
}

struct GradientOfMean : torch::autograd::Function<GradientOfMean> {
  static at::Tensor forward(torch::autograd::AutogradContext*, const at::Tensor& input, const at::Tensor& mean,
                            std::int64_t seed, std::int64_t site, std::int64_t step) {
    const at::AutoDispatchBelowADInplaceOrView below;
    return handle().call(input, mean, seed, site, step);
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext*,
                                                 const torch::autograd::variable_list& gradients) {
    return {{}, gradients[0], {}, {}, {}};
  }
};

at::Tensor with_gradient(const at::Tensor& input, const at::Tensor& mean, std::int64_t seed, std::int64_t site,
                         std::int64_t step) {
  return GradientOfMean::apply(input, mean, seed, site, step);
}

TORCH_LIBRARY_FRAGMENT(limen, m) {
  m.def("sampled(Tensor input, Tensor mean, int seed, int site, int step) -> Tensor", {at::Tag::pt2_compliant_tag});
}
TORCH_LIBRARY_IMPL(limen, CPU, m) { m.impl("sampled", on_cpu); }
TORCH_LIBRARY_IMPL(limen, Meta, m) { m.impl("sampled", on_meta); }
TORCH_LIBRARY_IMPL(limen, Autograd, m) { m.impl("sampled", with_gradient); }

}  // namespace
}  // namespace limen::op

namespace limen {

at::Tensor sampled(const at::Tensor& input, const at::Tensor& mean, const Draw& draw) {
  return op::handle().call(input, mean, static_cast<std::int64_t>(draw.seed), draw.site, draw.step);
}

}  // namespace limen
