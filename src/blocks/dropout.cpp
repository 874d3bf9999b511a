// Part of limen. SPDX-License-Identifier: MIT
#include "blocks/dropout.h"

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>

#include <algorithm>
#include <array>

#include "blocks/memory.h"
#include "limen/math/random.h"

namespace limen::blocks {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::int64_t chunk = 1024;  // elements whose factors are drawn at a time

// x * (scale where kept, else 0).
at::Tensor masked(const at::Tensor& input, const math::Stream& stream, math::DropoutRate rate) {
  const at::Tensor x = input.contiguous();
  at::Tensor out = at::empty_like(x);
  const float* from = x.const_data_ptr<float>();
  float* to = out.mutable_data_ptr<float>();
  const std::int64_t n = x.numel(), chunks = (n + chunk - 1) / chunk;
  at::parallel_for(0, chunks, 16, [&](std::int64_t begin, std::int64_t end) {
    std::array<float, chunk> factor;
    for (std::int64_t c = begin; c < end; ++c) {
      const std::int64_t first = c * chunk, count = std::min(chunk, n - first);
      stream.fill_kept(std::span(factor.data(), count), rate, rate.scale(), first);
      for (std::int64_t i = 0; i < count; ++i) to[first + i] = from[first + i] * factor[i];
    }
  });
  return out;
}

// Saves only what the mask is a function of: drawing it again costs less than keeping it.
struct DropoutFunction : torch::autograd::Function<DropoutFunction> {
  static at::Tensor forward(AutogradContext* saved, const at::Tensor& x, double p, std::int64_t seed, std::int64_t site,
                            std::int64_t step) {
    saved->saved_data["p"] = p;
    saved->saved_data["seed"] = seed;
    saved->saved_data["site"] = site;
    saved->saved_data["step"] = step;
    return masked(x, stream(seed, site, step), math::DropoutRate(p));
  }

  static variable_list backward(AutogradContext* saved, const variable_list& gradients) {
    const auto& data = saved->saved_data;
    const math::Stream drawn = stream(data.at("seed").toInt(), data.at("site").toInt(), data.at("step").toInt());
    return {masked(gradients[0], drawn, math::DropoutRate(data.at("p").toDouble())), {}, {}, {}, {}};
  }

  static math::Stream stream(std::int64_t seed, std::int64_t site, std::int64_t step) {
    return {static_cast<std::uint64_t>(seed), math::Purpose::dropout, static_cast<std::uint32_t>(site),
            static_cast<std::uint32_t>(step)};
  }
};

}  // namespace

at::Tensor DropoutImpl::forward(const at::Tensor& x, const Context& context) {
  if (!context.training || math::DropoutRate(p_).n() == 0) return x;
  expect_cpu_f32(x, "dropout");
  return DropoutFunction::apply(x, p_, static_cast<std::int64_t>(context.seed), static_cast<std::int64_t>(site_),
                                static_cast<std::int64_t>(context.step));
}

}  // namespace limen::blocks
