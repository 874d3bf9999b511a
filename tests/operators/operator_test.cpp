// Part of limen. SPDX-License-Identifier: MIT
//
// The operator against the kernels it calls and against itself: any layout, any number of threads, the same bits.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <limits>
#include <utility>

#include "limen/kernels.h"
#include "operators/cases.h"

namespace limen::testing {
namespace {

class Operator : public ::testing::Test {
 protected:
  void SetUp() override { torch::manual_seed(3); }
};

template <class T>
at::Tensor kernel(ActivationId id, const at::Tensor& z) {
  std::vector<kernels::Compute<T>> parameters;
  for (const double value : others(info(id))) parameters.push_back(static_cast<kernels::Compute<T>>(value));
  at::Tensor out = torch::empty_like(z);
  kernels::forward(id, parameters.data(), static_cast<const T*>(z.const_data_ptr()),
                   static_cast<T*>(out.mutable_data_ptr()), static_cast<std::size_t>(z.numel()));
  return out;
}

// The size is not a multiple of anything, and above a piece of the CPU kernels.
TEST_F(Operator, GivesTheKernelsBits) {
  const double inf = std::numeric_limits<double>::infinity();
  const auto special = torch::tensor({inf, -inf, std::nan(""), 0.0, -0.0, 1e-42, -1e-310, 3e38, -3e38});
  const at::Tensor z = torch::cat({special, inputs({20011})});
  for (std::size_t i = 0; i < activation_count; ++i) {
    const auto id = static_cast<ActivationId>(i);
    SCOPED_TRACE(info(id).name);
    const at::Tensor z32 = z.to(torch::kFloat32);
    EXPECT_TRUE(same_bits(activation(z, info(id).name, others(info(id))), kernel<double>(id, z)));
    EXPECT_TRUE(same_bits(activation(z32, info(id).name, others(info(id))), kernel<float>(id, z32)));
    EXPECT_TRUE(same_bits(activation(z32, info(id).name, {}, parameter_tensors(info(id))), kernel<float>(id, z32)));
    const at::Tensor bf16 = z.to(torch::kBFloat16), f16 = z.to(torch::kFloat16);
    EXPECT_TRUE(same_bits(activation(bf16, info(id).name, others(info(id))), kernel<BFloat16>(id, bf16)));
    EXPECT_TRUE(same_bits(activation(f16, info(id).name, others(info(id))), kernel<Float16>(id, f16)));
  }
}

/// Tensors of the same kind of values and every kind of layout; 4-D ones have 3 channels along axis 1.
std::vector<std::pair<std::string, at::Tensor>> layouts(at::ScalarType type) {
  const auto some = [&](at::IntArrayRef shape) { return inputs(shape, type); };
  return {{"contiguous", some({2, 3, 4, 5})},
          {"long runs", some({2, 3, 9, 15})},
          {"channels last", some({2, 3, 4, 5}).contiguous(at::MemoryFormat::ChannelsLast)},
          {"transposed", some({2, 5, 4, 3}).transpose(1, 3)},
          {"channels first", some({3, 2, 7, 11}).transpose(0, 1)},
          {"offset by one element", some({121}).slice(0, 1).view({2, 3, 4, 5})},
          {"sliced", some({4, 3, 5, 9}).slice(0, 0, 4, 2).slice(3, 1, 8, 3)},
          {"sliced channels", some({2, 6, 5, 20}).slice(1, 0, 6, 2)},
          {"expanded", some({1, 3, 1, 5}).expand({2, 3, 4, 5})},
          {"size one", some({4, 1, 3, 1}).permute({3, 2, 0, 1})},
          {"one row", some({1, 3})},
          {"channels inside, several tiles", some({50, 7, 40, 3}).permute({0, 3, 1, 2})},
          {"turned, several tiles", some({301, 3, 97}).transpose(0, 2)},
          {"repeated channels", some({2, 1, 40}).expand({2, 3, 40})},
          {"odd widths", some({3, 3, 17})},
          {"empty", some({0, 3, 5})}};
}

TEST_F(Operator, EveryLayoutGivesTheContiguousResult) {
  for (const ActivationInfo& about : all_infos) {
    for (const auto type : all_types) {
      for (const auto& [layout, z] : layouts(type)) {
        SCOPED_TRACE(std::string(about.name) + ", " + layout);
        const at::Tensor plain = z.contiguous().clone();
        for (const std::int64_t channels : {0, 3}) {
          const auto tensors = parameter_tensors(about, channels);
          const at::Tensor out = activation(z, about.name, {}, tensors);
          EXPECT_TRUE(same_bits(out, activation(plain, about.name, {}, tensors)));
          EXPECT_EQ(out.strides(), torch::empty_like(z).strides());
          EXPECT_TRUE(same_bits(z, plain)) << "the input was changed";
        }
      }
    }
  }
}

TEST_F(Operator, InPlaceEveryLayoutGivesTheSame) {
  for (const ActivationInfo& about : all_infos) {
    for (const auto type : all_types) {
      for (const auto& [layout, z] : layouts(type)) {
        if (layout == "expanded" || layout == "repeated channels") continue;
        SCOPED_TRACE(std::string(about.name) + ", " + layout);
        const auto expected = activation(z, about.name, others(about));
        at::Tensor changed = z;
        const auto version = changed._version();
        EXPECT_TRUE(activation_(changed, about.name, others(about)).is_same(changed));
        EXPECT_TRUE(same_bits(z, expected));
        EXPECT_EQ(changed._version(), version + 1) << "Row37: autograd must notice";
      }
    }
  }
}

// Narrow gradients are those of the same numbers in float32, rounded once; parameters keep their type (Row53).
TEST_F(Operator, Row53_GradientsOfNarrowTypesAreThoseOfFloat32) {
  for (const ActivationInfo& about : all_infos) {
    for (const auto type : {torch::kBFloat16, torch::kFloat16}) {
      const at::Tensor z = inputs({5, 3, 40}, type), weights = inputs({5, 3, 40}, type);
      const auto tensors = parameter_tensors(about, 3);
      const auto found = gradients(z, about, tensors, weights);
      const auto expected = gradients(z.to(torch::kFloat32), about, tensors, weights.to(torch::kFloat32));
      EXPECT_TRUE(same_bits(found[0], expected[0].to(type))) << about.name;
      for (std::size_t k = 1; k < found.size(); ++k) {
        EXPECT_EQ(found[k].scalar_type(), torch::kFloat64);
        EXPECT_TRUE(torch::allclose(found[k], expected[k], 1e-6, 1e-6)) << about.name;
      }
    }
  }
}

TEST_F(Operator, EveryLayoutGivesTheContiguousGradients) {
  for (const ActivationInfo& about : all_infos) {
    for (const auto& [layout, z] : layouts(torch::kFloat64)) {
      SCOPED_TRACE(std::string(about.name) + ", " + layout);
      const at::Tensor plain = z.contiguous().clone();
      const at::Tensor plain_weights = inputs(z.sizes());
      const at::Tensor turned = plain_weights.transpose(0, 1).contiguous().transpose(0, 1);
      const at::Tensor expanded = torch::full({}, 1.5, torch::kFloat64).expand(z.sizes());
      for (const std::int64_t channels : {0, 3}) {
        const auto tensors = parameter_tensors(about, channels);
        for (const at::Tensor& weights : {plain_weights, turned, expanded}) {
          const auto found = gradients(z, about, tensors, weights);
          const auto expected = gradients(plain, about, tensors, weights.contiguous());
          EXPECT_TRUE(same_bits(found[0], expected[0]));
          EXPECT_EQ(found[0].strides(), torch::empty_like(z).strides());
          EXPECT_TRUE(same_bits(z, plain)) << "the input was changed";
          for (std::size_t k = 1; k < found.size(); ++k)
            EXPECT_TRUE(torch::allclose(found[k], expected[k], 1e-12, 1e-12)) << found[k] << expected[k];
        }
      }
    }
  }
}

TEST_F(Operator, PerChannelIsOneCallAChannel) {
  const at::Tensor z = inputs({3, 70, 3, 2});
  for (const ActivationInfo& about : all_infos) {
    for (const std::int64_t axis : {0, 1, -2}) {
      SCOPED_TRACE(std::string(about.name) + ", axis " + std::to_string(axis));
      const auto tensors = parameter_tensors(about, z.size(axis));
      const at::Tensor out = activation(z, about.name, {}, tensors, axis);
      const at::Tensor weights = inputs(z.sizes());
      const auto found = gradients(z, about, tensors, weights, axis);
      for (std::int64_t c = 0; c < z.size(axis); ++c) {
        OptionalTensors one;
        for (const auto& tensor : tensors) one.emplace_back(tensor->detach()[c].requires_grad_());
        const at::Tensor slab = z.select(axis, c);
        EXPECT_TRUE(same_bits(out.select(axis, c), activation(slab, about.name, {}, one)));
        const auto expected = gradients(slab, about, one, weights.select(axis, c));
        EXPECT_TRUE(same_bits(found[0].select(axis, c), expected[0]));
        for (std::size_t k = 1; k < found.size(); ++k)
          EXPECT_TRUE(torch::allclose(found[k][c], expected[k], 1e-12, 1e-12));
      }
    }
  }
}

TEST_F(Operator, GivesTheSameBitsWithOneAndTwoThreads) {
  const int threads = at::get_num_threads();
  const at::Tensor z = inputs({2, 3, 20011}, torch::kFloat32);
  const at::Tensor weights = inputs(z.sizes(), torch::kFloat32);
  for (const ActivationInfo& about : all_infos) {
    for (const std::int64_t channels : {0, 3}) {
      SCOPED_TRACE(std::string(about.name) + ", channels " + std::to_string(channels));
      const auto tensors = parameter_tensors(about, channels);
      std::vector<std::vector<at::Tensor>> results;
      for (const int count : {1, 2}) {
        at::set_num_threads(count);
        results.push_back(gradients(z, about, tensors, weights));
        results.back().push_back(activation(z, about.name, {}, tensors));
      }
      for (std::size_t i = 0; i < results[0].size(); ++i) EXPECT_TRUE(same_bits(results[0][i], results[1][i]));
    }
  }
  at::set_num_threads(threads);
}

TEST_F(Operator, GivesAnEmptyResultAndZeroParameterGradientsForEmptyInputs) {
  for (const ActivationInfo& about : all_infos) {
    for (const std::vector<std::int64_t>& shape : {std::vector<std::int64_t>{0}, {0, 3}, {4, 0}}) {
      const at::Tensor z = inputs(shape);
      const auto found = gradients(z, about, parameter_tensors(about), z);
      EXPECT_EQ(found[0].sizes(), at::IntArrayRef(shape));
      for (std::size_t k = 1; k < found.size(); ++k) EXPECT_EQ(found[k].item<double>(), 0) << about.name;
    }
  }
}

// A count or a sum kept in a narrow type would stall long before 70,000 terms of one size.
TEST_F(Operator, Row51_SumsManyEqualTermsOfAParameterGradient) {
  const std::int64_t count = 70000;
  for (const ActivationInfo& about : all_infos) {
    const auto one = gradients(torch::full({1}, 0.75f), about, parameter_tensors(about), torch::ones({1}));
    const auto all = gradients(torch::full({count}, 0.75f), about, parameter_tensors(about), torch::ones({count}));
    for (std::size_t k = 1; k < all.size(); ++k) {
      const double expected = one[k].item<double>() * static_cast<double>(count);
      EXPECT_NEAR(all[k].item<double>(), expected, 1e-6 * std::fabs(expected)) << about.name;
    }
    for (const auto type : {torch::kBFloat16, torch::kFloat16}) {
      const auto narrow =
          gradients(torch::full({count}, 0.75, type), about, parameter_tensors(about), torch::ones({count}, type));
      for (std::size_t k = 1; k < all.size(); ++k)
        EXPECT_NEAR(narrow[k].item<double>(), all[k].item<double>(), 1e-6 * std::fabs(all[k].item<double>()));
    }
  }
}

TEST_F(Operator, GivesNanWhereATensorParameterIsOutsideItsDomain) {
  for (const ActivationInfo& about : all_infos) {
    if (about.parameter_count == 0) continue;
    auto tensors = parameter_tensors(about, 3);
    const double outside = std::isfinite(about.parameter[0].lower) ? about.parameter[0].lower - 1 : std::nan("");
    tensors[0] = tensors[0]->detach().index_fill(0, torch::tensor({1}), outside).requires_grad_();
    const at::Tensor z = inputs({4, 3, 2});
    const at::Tensor out = activation(z, about.name, {}, tensors);
    const auto found = gradients(z, about, tensors, torch::ones_like(z));
    for (const at::Tensor& tensor : {out, found[0]}) {
      EXPECT_TRUE(tensor.select(1, 1).isnan().all().item<bool>()) << about.name;
      EXPECT_FALSE(torch::cat({tensor.select(1, 0), tensor.select(1, 2)}).isnan().any().item<bool>()) << about.name;
    }
    EXPECT_TRUE(torch::equal(found[1].isnan(), torch::tensor({false, true, false}))) << about.name;
  }
}

}  // namespace
}  // namespace limen::testing
