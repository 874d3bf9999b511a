// Part of limen. SPDX-License-Identifier: MIT
//
// The CUDA kernels beside those of the CPU. They run the same lines with the same roundings, so that everything but
// sums is expected to agree bit for bit (which NaN comes out is left open). What a call refuses needs no device.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>

#include "kernels/cases.h"
#include "limen/cuda.h"

namespace limen::cuda {
namespace {

using kernels::Case;

class OnDevice : public testing::Test {
 protected:
  void SetUp() override {
    const std::string error = device_error();
    if (!error.empty()) GTEST_SKIP() << "no CUDA device: " << error;
  }
  /// Nothing is left behind for the next user of CUDA.
  void TearDown() override {
    if (device_error().empty()) {
      EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    }
  }
};

/// Device memory that begins `offset` elements behind a multiple of 256 bytes.
template <class T>
class Array {
 public:
  explicit Array(std::size_t n, std::size_t offset = 0) : n_(n), offset_(offset) {
    EXPECT_EQ(cudaMalloc(&memory_, (n + offset + 1) * sizeof(T)), cudaSuccess);
  }
  explicit Array(const std::vector<T>& from, std::size_t offset = 0) : Array(from.size(), offset) {
    EXPECT_EQ(cudaMemcpy(get(), from.data(), n_ * sizeof(T), cudaMemcpyHostToDevice), cudaSuccess);
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { cudaFree(memory_); }
  T* get() const { return static_cast<T*>(memory_) + offset_; }
  std::vector<T> read() const {
    std::vector<T> to(n_);
    EXPECT_EQ(cudaMemcpy(to.data(), get(), n_ * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
    return to;
  }

 private:
  void* memory_ = nullptr;
  std::size_t n_, offset_;
};

template <class T>
T from_float(float x) {
  if constexpr (is_narrow<T>)
    return narrow<T>(x);
  else
    return static_cast<T>(x);
}
template <class T>
auto to_number(T x) {
  if constexpr (is_narrow<T>)
    return widen(x);
  else
    return x;
}
template <class T>
std::vector<T> cast(const std::vector<float>& from) {
  std::vector<T> to;
  for (const float x : from) to.push_back(from_float<T>(x));
  return to;
}
template <class T>
std::array<Compute<T>, max_parameters> parameters_of(const Case& c) {
  return test::cast<Compute<T>>(c.wide);
}

template <class T, class Numbers = std::vector<T>>
void expect_same(const std::vector<T>& got, const Numbers& expected, const Numbers& z, const std::string& what) {
  for (std::size_t i = 0; i < got.size(); ++i)
    ASSERT_TRUE(kernels::same(to_number(got[i]), to_number(expected[i])))
        << what << ", element " << i << ", at " << to_number(z[i]) << ": " << to_number(got[i]) << ", the CPU has "
        << to_number(expected[i]);
}

/// Forward, backward and second backward of one case without sums, with arrays at an offset, against the CPU.
template <class T>
void compare(const Case& c, const std::vector<T>& z, std::size_t offset) {
  const std::size_t n = z.size();
  const auto numbers = parameters_of<T>(c);
  const Parameters<Compute<T>> parameters{numbers.data()};
  const std::vector<T> g = cast<T>(kernels::gradients(n, 3)), v = cast<T>(kernels::gradients(n, 4));
  std::vector<T> expected(n), expected_2(n);
  const Array<T> in(z, offset), upstream(g, offset), cotangents(v, offset), out(n, offset), out_2(n, offset);

  kernels::forward(c.id, numbers.data(), z.data(), expected.data(), n);
  ASSERT_EQ(forward(c.id, parameters, in.get(), out.get(), n), Status::ok);
  expect_same(out.read(), expected, z, c.name() + " forward");
  kernels::backward(c.id, numbers.data(), z.data(), g.data(), expected.data(), nullptr, n);
  ASSERT_EQ(backward(c.id, parameters, in.get(), upstream.get(), out.get(), nullptr, n), Status::ok);
  expect_same(out.read(), expected, z, c.name() + " backward");

  const std::vector<Compute<T>> w = {Compute<T>(0.5), Compute<T>(-1.25), Compute<T>(2)};
  const Array<Compute<T>> device_w(w);
  kernels::second_backward(c.id, numbers.data(), z.data(), g.data(), v.data(), w.data(), expected.data(),
                           expected_2.data(), nullptr, n);
  ASSERT_EQ(
      second_backward(
          c.id, parameters,
          SecondBackward<T>{in.get(), upstream.get(), cotangents.get(), device_w.get(), out.get(), out_2.get()}, n),
      Status::ok);
  expect_same(out.read(), expected, z, c.name() + " grad_grad_out");
  expect_same(out_2.read(), expected_2, z, c.name() + " second grad_z");
}

template <class T>
class Types : public OnDevice {};
using AllTypes = testing::Types<float, double, BFloat16, Float16>;
TYPED_TEST_SUITE(Types, AllTypes);

TYPED_TEST(Types, AgreeWithTheCpuBitForBit) {
  for (const Case& c : kernels::all_cases())
    for (const std::size_t n : {1u, 7u, 1000u, 4099u, 10007u})
      compare<TypeParam>(c, cast<TypeParam>(kernels::mixed_inputs(n, 5)), 0);
}

// Views such as x[1:1025], of all arrays.
TYPED_TEST(Types, Row41_MisalignedArraysAgreeToo) {
  for (const Case& c : kernels::all_cases())
    for (const std::size_t offset : {1u, 2u, 3u, 5u})
      compare<TypeParam>(c, cast<TypeParam>(kernels::mixed_inputs(1024, 6)), offset);
}

TYPED_TEST(Types, WorkInPlace) {
  using T = TypeParam;
  const std::vector<T> z = cast<T>(kernels::mixed_inputs(5001, 7)), g = cast<T>(kernels::gradients(5001, 7));
  for (const Case& c : kernels::all_cases()) {
    const auto numbers = parameters_of<T>(c);
    std::vector<T> expected(z.size());
    const Array<T> in(z), upstream(g);
    kernels::backward(c.id, numbers.data(), z.data(), g.data(), expected.data(), nullptr, z.size());
    ASSERT_EQ(backward(c.id, {numbers.data()}, in.get(), upstream.get(), upstream.get(), nullptr, z.size()),
              Status::ok);
    expect_same(upstream.read(), expected, z, c.name() + " backward in place");
    kernels::forward(c.id, numbers.data(), z.data(), expected.data(), z.size());
    ASSERT_EQ(forward(c.id, {numbers.data()}, in.get(), in.get(), z.size()), Status::ok);
    expect_same(in.read(), expected, z, c.name() + " forward in place");
  }
}

/// A workspace of the size asked for.
template <class T>
struct Memory {
  Memory(const Case& c, const Parameters<Compute<T>>& parameters, std::size_t n)
      : bytes(workspace_size<T>(c.id, parameters, n, true)), array(bytes) {}
  std::size_t bytes;
  Array<std::byte> array;
  Workspace get() const { return {array.get(), bytes}; }
};

/// Sums over `channels` channels against the CPU's, channel by channel; twice, and with arrays at an offset, for the
/// same bits.
template <class T>
void compare_sums(const Case& c, std::size_t channels, std::size_t run, std::size_t rows) {
  const std::size_t n = channels * run * rows, count = c.parameter_count();
  std::vector<float> plain = kernels::gradients(n, 8);
  for (float& x : plain) x *= 3;
  const std::vector<T> z = cast<T>(plain), g = cast<T>(kernels::gradients(n, 9));
  const auto numbers = parameters_of<T>(c);
  std::vector<Compute<T>> values;
  for (std::size_t channel = 0; channel < channels; ++channel)
    values.insert(values.end(), numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(count));
  const Array<Compute<T>> on_device(values);
  const Parameters<Compute<T>> parameters{on_device.get(), true, channels, run};
  const Memory<T> memory(c, parameters, n);
  std::vector<std::vector<double>> sums;
  std::vector<std::vector<T>> slopes;
  for (const std::size_t offset : {0, 0, 1}) {
    const Array<T> in(z, offset), upstream(g, offset), out(n, offset);
    const Array<double> of_parameters(channels * count);
    ASSERT_EQ(backward(c.id, parameters, in.get(), upstream.get(), out.get(), of_parameters.get(), n, memory.get()),
              Status::ok);
    sums.push_back(of_parameters.read());
    slopes.push_back(out.read());
  }
  ASSERT_EQ(std::memcmp(sums[0].data(), sums[1].data(), sums[0].size() * sizeof(double)), 0) << c.name();
  ASSERT_EQ(std::memcmp(sums[0].data(), sums[2].data(), sums[0].size() * sizeof(double)), 0) << c.name();
  std::vector<T> expected(n);
  kernels::backward(c.id, numbers.data(), z.data(), g.data(), expected.data(), nullptr, n);
  expect_same(slopes[0], expected, z, c.name() + " backward with sums");
  expect_same(slopes[2], expected, z, c.name() + " backward with sums, misaligned");

  for (std::size_t channel = 0; channel < channels; ++channel) {
    std::vector<double> expected_sums(count), sizes(count);
    for (std::size_t i = 0; i < n; ++i) {
      if (i / run % channels != channel) continue;
      std::vector<double> term(count);
      kernels::backward(c.id, numbers.data(), &z[i], &g[i], nullptr, term.data(), 1);
      for (std::size_t k = 0; k < count; ++k) expected_sums[k] += term[k], sizes[k] += std::abs(term[k]);
    }
    // f32 adds at most 128 terms in a row.
    const double bound = sizeof(Compute<T>) == 4 ? 130 * 0x1p-24 : 200 * 0x1p-53;
    for (std::size_t k = 0; k < count; ++k)
      ASSERT_NEAR(sums[0][channel * count + k], expected_sums[k], bound * sizes[k])
          << c.name() << " channel " << channel;
  }
}

TYPED_TEST(Types, SumsAreThoseOfTheCpuAndTheSameEveryTime) {
  for (const Case& c : kernels::all_cases()) {
    if (c.parameter_count() == 0) continue;
    compare_sums<TypeParam>(c, 1, 1, 1);
    compare_sums<TypeParam>(c, 1, 13001, 1);
    compare_sums<TypeParam>(c, 5, 1, 301);   // channels last
    compare_sums<TypeParam>(c, 3, 49, 20);   // short runs
    compare_sums<TypeParam>(c, 2, 5003, 2);  // long runs, which shift each other out of line
  }
}

TYPED_TEST(Types, SumsOfSecondBackwardAreThoseOfTheCpu) {
  using T = TypeParam;
  using S = Compute<T>;
  constexpr std::size_t n = 5001;
  const std::vector<T> z = cast<T>(kernels::gradients(n, 12)), g = cast<T>(kernels::gradients(n, 13)),
                       v = cast<T>(kernels::gradients(n, 14));
  const std::vector<S> w = {S(0.5), S(-1.25), S(2)};
  const Array<T> in(z), upstream(g), cotangents(v);
  const Array<S> device_w(w);
  for (const Case& c : kernels::all_cases()) {
    const std::size_t count = c.parameter_count();
    if (count == 0) continue;
    const auto numbers = parameters_of<T>(c);
    std::vector<double> expected(count), sizes(count), term(count);
    for (std::size_t i = 0; i < n; ++i) {
      kernels::second_backward(c.id, numbers.data(), &z[i], &g[i], &v[i], w.data(), nullptr, nullptr, term.data(), 1);
      for (std::size_t k = 0; k < count; ++k) expected[k] += term[k], sizes[k] += std::abs(term[k]);
    }
    const Memory<T> memory(c, {numbers.data()}, n);
    const Array<double> sums(count);
    const SecondBackward<T> arrays{in.get(), upstream.get(), cotangents.get(), device_w.get(),
                                   nullptr,  nullptr,        sums.get()};
    ASSERT_EQ(second_backward(c.id, {numbers.data()}, arrays, n, memory.get()), Status::ok);
    const std::vector<double> got = sums.read();
    const double bound = sizeof(S) == 4 ? 130 * 0x1p-24 : 200 * 0x1p-53;
    for (std::size_t k = 0; k < count; ++k) ASSERT_NEAR(got[k], expected[k], bound * sizes[k]) << c.name() << " " << k;
  }
}

TYPED_TEST(Types, ChannelsHaveTheirOwnParameters) {
  using T = TypeParam;
  constexpr std::size_t channels = 3, rows = 7;
  for (const Case& c : kernels::all_cases())
    for (const std::size_t run : {1u, 50u, 2000u}) {
      if (c.parameter_count() == 0) continue;
      std::vector<Compute<T>> values;
      for (std::size_t channel = 0; channel < channels; ++channel)
        for (std::size_t k = 0; k < c.parameter_count(); ++k)
          values.push_back(static_cast<Compute<T>>(test::variations(info(c.id).parameter[k])[channel]));
      const std::vector<T> z = cast<T>(kernels::mixed_inputs(channels * run * rows, 11));
      std::vector<T> expected(z.size());
      for (std::size_t i = 0; i < z.size(); i += run)
        kernels::forward(c.id, values.data() + i / run % channels * c.parameter_count(), &z[i], &expected[i], run);
      const Array<Compute<T>> on_device(values);
      const Parameters<Compute<T>> parameters{on_device.get(), true, channels, run};
      const Memory<T> memory(c, parameters, z.size());
      const Array<T> in(z), out(z.size());
      ASSERT_EQ(forward(c.id, parameters, in.get(), out.get(), z.size(), memory.get()), Status::ok);
      expect_same(out.read(), expected, z, c.name() + " by channel");
    }
}

template <class T>
void compare_all_patterns() {
  std::vector<T> z(65536);
  for (std::size_t i = 0; i < z.size(); ++i) z[i].bits = static_cast<std::uint16_t>(i);
  for (const Case& c : kernels::all_cases()) compare<T>(c, z, 0);
}
TEST_F(OnDevice, AllPatternsOfBf16) { compare_all_patterns<BFloat16>(); }
TEST_F(OnDevice, AllPatternsOfF16) { compare_all_patterns<Float16>(); }

TEST_F(OnDevice, Row43_NoElementsLeaveNoErrorAndSumsOf0) {
  const float beta = 1.25f;
  const Array<double> sums(std::vector<double>{5});
  EXPECT_EQ(forward<float>(*find("uelu"), {&beta}, nullptr, nullptr, 0), Status::ok);
  EXPECT_EQ(backward<float>(*find("uelu"), {&beta}, nullptr, nullptr, nullptr, sums.get(), 0), Status::ok);
  EXPECT_EQ(sums.read()[0], 0);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

// In place, because memory may not hold two arrays; softplus(0) = ln 2 tells touched elements from others, and what was
// done twice.
TEST_F(OnDevice, Row45_MoreThan2To32Elements) {
  const std::size_t n = (std::size_t{1} << 32) + 7, piece = 1 << 20;
  std::size_t free = 0, total = 0;
  ASSERT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  if (free < n * sizeof(BFloat16) * 11 / 10) GTEST_SKIP() << "needs 9.5 GB of device memory";
  const Array<BFloat16> array(n);
  ASSERT_EQ(cudaMemset(array.get(), 0, n * sizeof(BFloat16)), cudaSuccess);
  const float slope = 1;
  ASSERT_EQ(forward(*find("softplus"), {&slope}, array.get(), array.get(), n), Status::ok);
  std::vector<BFloat16> part(piece);
  for (const std::size_t begin : {std::size_t{0}, n / 4, n / 2 - piece / 2, n - piece}) {
    ASSERT_EQ(cudaMemcpy(part.data(), array.get() + begin, piece * sizeof(BFloat16), cudaMemcpyDeviceToHost),
              cudaSuccess);
    for (std::size_t i = 0; i < piece; ++i) ASSERT_EQ(widen(part[i]), 0.69140625f) << begin + i;
  }
}

// Not judged: a line to read.
TEST_F(OnDevice, Throughput) {
  constexpr std::size_t n = 1 << 26;
  constexpr int repeats = 20;
  std::size_t free = 0, total = 0;
  ASSERT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  if (free < 3 * n * sizeof(float)) GTEST_SKIP() << "needs 0.8 GB of device memory";
  const Array<float> in(n), out(n);
  ASSERT_EQ(cudaMemset(in.get(), 0, n * sizeof(float)), cudaSuccess);
  const auto gigabytes_per_second = [&](auto&& work) {
    work();
    cudaDeviceSynchronize();
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < repeats; ++i) work();
    cudaDeviceSynchronize();
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    return 2e-9 * n * sizeof(float) * repeats / time.count();
  };
  const double copy = gigabytes_per_second(
      [&] { cudaMemcpyAsync(out.get(), in.get(), n * sizeof(float), cudaMemcpyDeviceToDevice, nullptr); });
  const double gelu =
      gigabytes_per_second([&] { ASSERT_EQ(forward(*find("gelu"), {}, in.get(), out.get(), n), Status::ok); });
  std::printf("gelu f32 forward: %.0f GB/s, a copy: %.0f GB/s, ratio %.2f\n", gelu, copy, gelu / copy);
}

TEST(Refusals, AreSentencesAndNeedNoDevice) {
  const float beta = 1.25f;
  alignas(16) char memory[64] = {};
  auto* const z = reinterpret_cast<float*>(memory);
  const ActivationId uelu = *find("uelu");
  EXPECT_EQ(forward(uelu, {}, z, z, 4), Status::pointer);
  EXPECT_EQ(forward<float>(uelu, {&beta}, nullptr, z, 4), Status::pointer);
  EXPECT_EQ(forward(uelu, {&beta}, reinterpret_cast<float*>(memory + 2), z, 4), Status::alignment);
  EXPECT_EQ(forward(uelu, {&beta, false, 2, 2}, z, z, 4), Status::channels);
  EXPECT_EQ(forward(uelu, {&beta, true, 3, 1}, z, z, 4), Status::channels);
  EXPECT_EQ(forward(uelu, {&beta, true, 0, 1}, z, z, 4), Status::channels);
  EXPECT_EQ(forward(uelu, {&beta, true, 2, 2}, z, z, 4), Status::workspace);
  double sum = 0;
  EXPECT_EQ(backward(uelu, {&beta}, z, z, z, &sum, 4), Status::workspace);
  EXPECT_EQ(backward(uelu, {&beta}, z, z, z, &sum, 4, {memory + 4, 60}), Status::workspace);
  for (const Status status : {Status::channels, Status::workspace, Status::alignment, Status::pointer}) {
    EXPECT_NE(message(status).find("expected"), std::string::npos);
    EXPECT_NE(message(status).find("; try "), std::string::npos);
  }
  EXPECT_EQ(message(Status::ok), "");
  EXPECT_NE(message(static_cast<Status>(cudaErrorNoDevice)).find("got \""), std::string::npos);
}

TEST(Refusals, Row43_NoElementsTouchNoDevice) {
  EXPECT_EQ(forward<float>(*find("gelu"), {}, nullptr, nullptr, 0), Status::ok);
  EXPECT_EQ(backward<BFloat16>(*find("gelu"), {}, nullptr, nullptr, nullptr, nullptr, 0), Status::ok);
  EXPECT_EQ(second_backward<double>(*find("gelu"), {}, SecondBackward<double>{}, 0), Status::ok);
}

TEST(Workspace, HoldsConstantsAndSlots) {
  const float beta = 1.25f;
  const ActivationId uelu = *find("uelu");
  EXPECT_EQ(workspace_size<float>(uelu, {&beta}, 1000, false), 0u);
  EXPECT_EQ(workspace_size<float>(uelu, {&beta}, 1000, true), 8u);
  EXPECT_EQ(workspace_size<float>(uelu, {&beta}, 4097, true), 16u);
  EXPECT_EQ(workspace_size<float>(*find("gelu"), {}, 4097, true), 0u);
  EXPECT_EQ(workspace_size<float>(uelu, {&beta, true}, 1000, false), 16u);  // upper and rate: 12 bytes
  EXPECT_EQ(workspace_size<float>(uelu, {&beta, true, 64, 1}, 64 * 100, true), 64u * 12 + 13 * 64 * 8);
  EXPECT_EQ(workspace_size<float>(uelu, {&beta}, (std::size_t{1} << 32) + 1, true), 8u * ((1u << 20) + 1));
}

}  // namespace
}  // namespace limen::cuda
