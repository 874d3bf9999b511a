// Part of limen. SPDX-License-Identifier: MIT
//
// limen_exhaustive [--activation NAME] [--isa NAME] [--type f32|bf16|f16]
//
// Every number of a type through value, slope and slopes in parameters of every activation at its default parameters,
// judged by the f64 kernel on the best path, which the tests hold to 57 digits. Errors are counted as docs/accuracy.md
// says. Prints the worst point of each quantity; exits with 1 if a bound is broken.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string_view>
#include <thread>
#include <vector>

#include "limen/kernels.h"

namespace {

using namespace limen;

constexpr std::size_t block = 4 * kernels::sum_block;

template <class T>
struct Format;
template <>
struct Format<float> {
  static constexpr const char* name = "f32";
  static constexpr int digits = 24, least_exponent = -126;
  static constexpr double largest = 0x1.fffffep127;
};
template <>
struct Format<BFloat16> {
  static constexpr const char* name = "bf16";
  static constexpr int digits = 8, least_exponent = -126;
  static constexpr double largest = 0x1.fep127;
};
template <>
struct Format<Float16> {
  static constexpr const char* name = "f16";
  static constexpr int digits = 11, least_exponent = -14;
  static constexpr double largest = 65504;
};

template <class T>
double number(T x) {
  if constexpr (is_narrow<T>)
    return static_cast<double>(widen(x));
  else
    return static_cast<double>(x);
}

/// The distance between neighbours at a size.
template <class T>
double ulp(double size) {
  const double power = std::bit_cast<double>(std::bit_cast<std::uint64_t>(size) & 0x7FF0000000000000u);
  constexpr int last = Format<T>::digits - 1;
  return std::max(std::ldexp(1.0, Format<T>::least_exponent - last), power * std::ldexp(1.0, -last));
}

struct Worst {
  double error = 0;
  double z = 0;
  void add(double e, double at) {
    if (!(e <= error)) *this = {e, at};
  }
};

/// Value, slope, then the slopes in parameters.
using Quantities = std::array<Worst, 2 + max_parameters>;

/// The quantities of a block of numbers of one type, on one path.
template <class T>
class Block {
 public:
  Block(ActivationId id, kernels::Isa isa) : id_(id), isa_(isa) {
    for (std::size_t k = 0; k < info(id).parameter_count; ++k)
      parameters_[k] = static_cast<kernels::Compute<T>>(static_cast<float>(info(id).parameter[k].initial));
    if constexpr (is_narrow<T>)
      std::ranges::fill(ones_, narrow<T>(1));
    else
      std::ranges::fill(ones_, T(1));
  }

  void run() {
    kernels::forward(id_, parameters_.data(), z.data(), results_[0].data(), block, isa_);
    kernels::backward(id_, parameters_.data(), z.data(), ones_.data(), results_[1].data(), nullptr, block, isa_);
    for (std::size_t k = 0; k < info(id_).parameter_count; ++k) {
      // The second backward of a cotangent of this parameter's sum alone.
      std::array<kernels::Compute<T>, max_parameters> w = {};
      w[k] = 1;
      kernels::second_backward(id_, parameters_.data(), z.data(), ones_.data(), nullptr, w.data(),
                               results_[2 + k].data(), nullptr, nullptr, block, isa_);
    }
  }
  double result(std::size_t quantity, std::size_t i) const { return number(results_[quantity][i]); }

  std::vector<T> z = std::vector<T>(block);

 private:
  ActivationId id_;
  kernels::Isa isa_;
  std::array<kernels::Compute<T>, max_parameters> parameters_ = {};
  std::vector<T> ones_ = std::vector<T>(block);
  std::array<std::vector<T>, 2 + max_parameters> results_ = {ones_, ones_, ones_, ones_, ones_};
};

/// The error in ulp of the larger of the result and the terms it is the sum of.
template <class T>
double error_of(double got, double exact, double term) {
  if (std::isnan(exact) || std::isinf(exact))
    return got == exact || (std::isnan(got) && std::isnan(exact)) ? 0 : HUGE_VAL;
  if (std::abs(exact) > Format<T>::largest) return 0;
  return std::isfinite(got) ? std::abs(got - exact) / ulp<T>(std::max(std::abs(exact), term)) : HUGE_VAL;
}

/// What powers of z lift back into the range of the type from beyond a tail's reach is lost (docs/accuracy.md).
bool lost(double got, double exact) { return std::abs(exact) < 1e-40 && std::abs(got) <= 2 * std::abs(exact); }

template <class T>
void judge(ActivationId id, const Block<T>& got, const Block<double>& exact, Quantities& worst) {
  const bool law = !info(id).law.empty();
  for (std::size_t i = 0; i < block; ++i) {
    const double z = exact.z[i], value = exact.result(0, i), slope = exact.result(1, i);
    worst[0].add(error_of<T>(got.result(0, i), value, 0), z);
    // F and z f, where a law makes the value z F.
    const double gate = law && std::isfinite(z) && z != 0 ? value / z : 0;
    worst[1].add(error_of<T>(got.result(1, i), slope, std::max(std::abs(gate), std::abs(slope - gate))), z);
    for (std::size_t k = 2; k < 2 + info(id).parameter_count; ++k)
      if (!lost(got.result(k, i), exact.result(k, i)))
        worst[k].add(error_of<T>(got.result(k, i), exact.result(k, i), 0), z);
  }
}

/// The patterns from `begin` to `end`, a multiple of `block` of them.
template <class T>
Quantities sweep(ActivationId id, kernels::Isa isa, std::uint64_t begin, std::uint64_t end) {
  using Bits = std::conditional_t<is_narrow<T>, std::uint16_t, std::uint32_t>;
  Block<T> got(id, isa);
  Block<double> exact(id, kernels::best_isa());
  Quantities worst;
  for (; begin < end; begin += block) {
    for (std::size_t i = 0; i < block; ++i) {
      got.z[i] = std::bit_cast<T>(static_cast<Bits>(begin + i));
      exact.z[i] = number(got.z[i]);
    }
    got.run();
    exact.run();
    judge(id, got, exact, worst);
  }
  return worst;
}

/// On all cores; prints and returns whether the bounds hold.
template <class T>
bool check(ActivationId id, kernels::Isa isa) {
  constexpr std::uint64_t patterns = std::uint64_t{1} << (8 * sizeof(T));
  const std::uint64_t parts = std::bit_floor(std::clamp(std::thread::hardware_concurrency(), 1u, 16u));
  std::vector<Quantities> found(parts);
  std::vector<std::jthread> threads;
  for (std::uint64_t t = 0; t < parts; ++t)
    threads.emplace_back([&, t] { found[t] = sweep<T>(id, isa, patterns / parts * t, patterns / parts * (t + 1)); });
  threads.clear();
  const ActivationInfo& about = info(id);
  std::printf("%s %.*s:", Format<T>::name, static_cast<int>(about.name.size()), about.name.data());
  bool holds = true;
  for (std::size_t k = 0; k < 2 + about.parameter_count; ++k) {
    Worst worst;
    for (const Quantities& part : found) worst.add(part[k].error, part[k].z);
    const double bound = is_narrow<T> ? 0.51 : k == 0 ? about.bound.value : about.bound.slope;
    const std::string_view name = k == 0 ? "value" : k == 1 ? "slope" : about.parameter[k - 2].name;
    std::printf(" %.*s %.4f at %a%s", static_cast<int>(name.size()), name.data(), worst.error, worst.z,
                worst.error <= bound ? ";" : " BROKEN;");
    holds = holds && worst.error <= bound;
  }
  std::printf("\n");
  std::fflush(stdout);
  return holds;
}

struct Options {
  std::string_view activation, isa, type;
};

bool read(int count, char** words, Options& options) {
  for (int i = 1; i < count; i += 2) {
    const std::string_view word = words[i];
    std::string_view* const option = word == "--activation" ? &options.activation
                                     : word == "--isa"      ? &options.isa
                                     : word == "--type"     ? &options.type
                                                            : nullptr;
    if (option == nullptr || i + 1 == count) return false;
    *option = words[i + 1];
  }
  const bool type = options.type.empty() || options.type == "f32" || options.type == "bf16" || options.type == "f16";
  return type && (options.activation.empty() || find(options.activation));
}

bool check_types(ActivationId id, kernels::Isa isa, std::string_view type) {
  bool holds = true;
  if (type.empty() || type == "bf16") holds = check<BFloat16>(id, isa) && holds;
  if (type.empty() || type == "f16") holds = check<Float16>(id, isa) && holds;
  if (type.empty() || type == "f32") holds = check<float>(id, isa) && holds;
  return holds;
}

}  // namespace

int main(int count, char** words) {
  Options options;
  kernels::Isa isa = kernels::active_isa();
  bool valid = read(count, words, options), known = options.isa.empty();
  for (const kernels::Isa candidate : kernels::all_isas())
    if (kernels::name(candidate) == options.isa && kernels::supported(candidate)) {
      isa = candidate;
      known = true;
    }
  if (!valid || !known) {
    std::fprintf(stderr, "usage: limen_exhaustive [--activation NAME] [--isa NAME] [--type f32|bf16|f16]\n");
    return 2;
  }
  bool holds = true;
  for (std::size_t i = 0; i < activation_count; ++i)
    if (options.activation.empty() || all_infos[i].name == options.activation)
      holds = check_types(static_cast<ActivationId>(i), isa, options.type) && holds;
  return holds ? 0 : 1;
}
