// Part of limen. SPDX-License-Identifier: MIT
#include "tools/throughput.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <type_traits>
#include <vector>

#include "limen/error.h"
#include "limen/math/random.h"
#include "limen/narrow.h"

namespace limen::tools {
namespace {

using kernels::Compute;

constexpr std::size_t piece = 16 * kernels::sum_block;  // elements a thread takes at a time

template <class T>
bool same(T a, T b) {
  return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(computed(a)) && std::isnan(computed(b)));
}

template <class T>
std::vector<T> normal_numbers(std::size_t n, std::string_view array) {
  std::vector<float> wide(n);
  math::Stream::weights(1, array).fill_normal(wide, 0, 2);
  std::vector<T> numbers(n);
  std::ranges::transform(wide, numbers.begin(), [](float x) { return stored<T>(x); });
  return numbers;
}

/// One load's arrays, and the call that is timed.
template <class T>
class Bench {
 public:
  explicit Bench(const Load& load)
      : load_(load),
        z_(normal_numbers<T>(load.elements, "z")),
        grad_(normal_numbers<T>(load.elements, "grad_out")),
        first_(load.elements),
        second_(load.elements),
        copied_(bytes_moved() / 2) {
    for (std::size_t k = 0; k < info(load.id).parameter_count; ++k)
      parameters_[k] = static_cast<Compute<T>>(info(load.id).parameter[k].initial);
  }

  void run(kernels::Isa isa) {
    for_each_piece(load_.elements, [&](std::size_t from, std::size_t n) { run_piece(isa, from, n); });
  }

  /// Moves as many bytes as the kernel: half of them read, half written.
  void copy() {
    const auto* const from = reinterpret_cast<const char*>(z_.data());
    const std::size_t source = z_.size() * sizeof(T);
    for_each_piece(copied_.size(), [&](std::size_t at, std::size_t n) {
      // The source is shorter than what is copied where a kernel reads several arrays: it goes round.
      for (std::size_t done = 0; done < n;) {
        const std::size_t start = (at + done) % source, count = std::min(n - done, source - start);
        std::memcpy(copied_.data() + at + done, from + start, count);
        done += count;
      }
    });
  }

  /// Empty, or where the path and the scalar path differ.
  std::string difference() {
    run(load_.isa);
    const std::vector<T> first = first_, second = second_;
    run(kernels::Isa::scalar);
    for (std::size_t i = 0; i < first.size(); ++i)
      if (!same(first[i], first_[i]) || !same(second[i], second_[i]))
        return "differs from the scalar path at element " + std::to_string(i);
    return "";
  }

 private:
  std::size_t bytes_moved() const {
    constexpr std::array<std::size_t, 4> arrays = {2, 3, 3, 5};
    return arrays[static_cast<std::size_t>(load_.direction)] * load_.elements * sizeof(T);
  }

  template <class F>
  void for_each_piece(std::size_t n, F&& f) const {
    if (load_.threads == 1) return f(0, n);
    const auto pieces = static_cast<std::int64_t>((n + piece - 1) / piece);
    at::parallel_for(0, pieces, 1, [&](std::int64_t begin, std::int64_t end) {
      const std::size_t from = static_cast<std::size_t>(begin) * piece;
      f(from, std::min(n, static_cast<std::size_t>(end) * piece) - from);
    });
  }

  void run_piece(kernels::Isa isa, std::size_t at, std::size_t n) {
    std::array<double, max_parameters> sums;
    const Compute<T>* const p = parameters_.data();
    switch (load_.direction) {
      case Direction::forward:
        return kernels::forward(load_.id, p, &z_[at], &first_[at], n, isa);
      case Direction::backward:
        return kernels::backward(load_.id, p, &z_[at], &grad_[at], &first_[at], nullptr, n, isa);
      case Direction::backward_with_sums:
        return kernels::backward(load_.id, p, &z_[at], &grad_[at], &first_[at], sums.data(), n, isa);
      case Direction::second_backward:
        return kernels::second_backward<T>(load_.id, p, &z_[at], &grad_[at], &grad_[at], nullptr, &first_[at],
                                           &second_[at], nullptr, n, isa);
    }
  }

  Load load_;
  std::array<Compute<T>, max_parameters> parameters_ = {};
  std::vector<T> z_, grad_, first_, second_;
  std::vector<char> copied_;
};

double seconds(const std::function<void()>& call, std::size_t times) {
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < times; ++i) call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// How often a call runs in 10 ms, at least once. What is measured here is the warm-up.
std::size_t repetitions(const std::function<void()>& call) {
  std::size_t times = 1;
  while (seconds(call, times) < 0.01 && times < (std::size_t{1} << 24)) times *= 2;
  return times;
}

template <class T>
Throughput measure_as(const Load& load, int samples) {
  Bench<T> bench(load);
  if (const std::string difference = bench.difference(); !difference.empty()) return {.refusal = difference};
  const auto kernel = [&] { bench.run(load.isa); };
  const auto copy = [&] { bench.copy(); };
  const std::size_t kernel_times = repetitions(kernel), copy_times = repetitions(copy);
  std::vector<double> of_kernel, of_copy;
  for (int i = 0; i < samples; ++i) {
    of_kernel.push_back(seconds(kernel, kernel_times) / static_cast<double>(kernel_times));
    of_copy.push_back(seconds(copy, copy_times) / static_cast<double>(copy_times));
  }
  std::ranges::sort(of_kernel);
  std::ranges::sort(of_copy);
  const auto n = static_cast<double>(load.elements);
  const auto middle = static_cast<std::size_t>(samples / 2);
  return {n / of_kernel[middle], n / of_kernel.back(), n / of_kernel.front(), of_copy[middle] / of_kernel[middle], ""};
}

}  // namespace

std::string_view name(Direction direction) {
  constexpr std::array<std::string_view, all_directions.size()> names = {"forward", "backward", "backward_with_sums",
                                                                         "second_backward"};
  return names[static_cast<std::size_t>(direction)];
}

Throughput measure(const Load& load, int samples) {
  const int threads = at::get_num_threads();
  at::set_num_threads(load.threads);
  Throughput found;
  if (load.type == "f32")
    found = measure_as<float>(load, samples);
  else if (load.type == "f64")
    found = measure_as<double>(load, samples);
  else if (load.type == "bf16")
    found = measure_as<BFloat16>(load, samples);
  else if (load.type == "f16")
    found = measure_as<Float16>(load, samples);
  else
    throw Error("--type: expected f32, f64, bf16 or f16, got " + load.type);
  at::set_num_threads(threads);
  return found;
}

}  // namespace limen::tools
