// Part of limen. SPDX-License-Identifier: MIT
//
// Special numbers at every place of short buffers, the ends of memory, and the state of the processor.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cfenv>

#include "kernels/cases.h"
#include "kernels/runs.h"

namespace limen::kernels {
namespace {

class Edges : public testing::TestWithParam<Isa> {};

template <class T>
std::vector<T> special_numbers() {
  const bool f64 = sizeof(T) == sizeof(double), f16 = std::is_same_v<T, Float16>;
  const double largest = f64 ? 0x1.fffffffffffffp1023 : f16 ? 65504 : sizeof(T) == 2 ? 0x1.fep127 : 0x1.fffffep127;
  const double normal = f64 ? 0x1p-1022 : f16 ? 0x1p-14 : 0x1p-126;
  const double least = f64 ? 0x1p-1074 : f16 ? 0x1p-24 : sizeof(T) == 2 ? 0x1p-133 : 0x1p-149;
  std::vector<T> numbers;
  for (const double x : {0.0, HUGE_VAL, largest, 1e20, 1e13, 88.0, 3.0, 1.0, 1e-30, normal, normal / 2, least}) {
    numbers.push_back(as<T>(x));
    numbers.push_back(as<T>(-x));
  }
  const auto quiet = std::bit_cast<Bits<T>>(as<T>(std::numeric_limits<double>::quiet_NaN()));
  constexpr Bits<T> sign = Bits<T>{1} << (8 * sizeof(T) - 1);
  for (const Bits<T> bits : {quiet, Bits<T>(quiet | sign), Bits<T>(quiet | 0x25), Bits<T>(~Bits<T>{0})})
    numbers.push_back(std::bit_cast<T>(bits));
  return numbers;
}

/// Value and slope of one number that is alone.
template <class T>
struct Alone {
  T value, slope;
  Alone(const Case& c, T z, Isa isa) {
    const T one = as<T>(1);
    forward(c.id, c.of<T>(), &z, &value, 1, isa);
    backward(c.id, c.of<T>(), &z, &one, &slope, nullptr, 1, isa);
  }
};

/// n - 1 ordinary numbers and a special one among them: each has the value and the slope that it has when it is alone.
template <class T>
void expect_same_at(const Case& c, Isa isa, T special, std::size_t place, std::size_t n) {
  const T ordinary = as<T>(0.5);
  const Alone<T> of_special(c, special, isa), of_ordinary(c, ordinary, isa);
  std::vector<T> z(n, ordinary), ones(n, as<T>(1)), values(n), slopes(n);
  z[place] = special;
  forward(c.id, c.of<T>(), z.data(), values.data(), n, isa);
  backward(c.id, c.of<T>(), z.data(), ones.data(), slopes.data(), nullptr, n, isa);
  for (std::size_t i = 0; i < n; ++i) {
    const Alone<T>& expected = i == place ? of_special : of_ordinary;
    ASSERT_TRUE(same(values[i], expected.value)) << c.name() << " at " << number(z[i]);
    ASSERT_TRUE(same(slopes[i], expected.slope)) << c.name() << " at " << number(z[i]);
  }
}

// Of issues mindspore-ai/mindspore#379 and apache/tvm#18631: infinity passes, and a NaN stays one, in every function.
TEST_P(Edges, Row3_Row31_SpecialNumbersAlone) {
  for_all_types([&]<class T>() {
    for (const Case& c : all_cases())
      for (const T special : special_numbers<T>()) {
        const Alone<T> of(c, special, GetParam());
        const double z = number(special), value = number(of.value), slope = number(of.slope);
        ASSERT_EQ(std::isnan(value), std::isnan(z)) << c.name() << " at " << z;
        ASSERT_EQ(std::isnan(slope), std::isnan(z)) << c.name() << " at " << z;
        if (z != HUGE_VAL) continue;
        ASSERT_EQ(value, HUGE_VAL) << c.name();
        ASSERT_EQ(slope, 1) << c.name();
      }
  });
}

// As pytorch/pytorch#185770 and apache/tvm#18631 ask. All places of 40 in f32, where the paths differ most; elsewhere
// the loops are the same.
TEST_P(Edges, Row1_Row31_SpecialNumbersAtEveryPlace) {
  for_all_types([&]<class T>() {
    const bool every = std::is_same_v<T, float>;
    for (const Case& c : all_cases())
      for (const T special : special_numbers<T>())
        for (std::size_t n = 1; n <= 40; n += every ? 1 : 13)
          for (std::size_t place = 0; place < n; ++place) {
            expect_same_at<T>(c, GetParam(), special, place, n);
            if (HasFatalFailure()) return;
          }
  });
}

// A whole buffer of one number: the vector loop and the tail must treat it alike.
TEST_P(Edges, Row1_BuffersOfOneNumber) {
  for_all_types([&]<class T>() {
    for (const Case& c : all_cases())
      for (const T special : special_numbers<T>()) {
        const Alone<T> of(c, special, GetParam());
        for (std::size_t n = 1; n <= 40; ++n) {
          std::vector<T> z(n, special);
          forward(c.id, c.of<T>(), z.data(), z.data(), n, GetParam());
          for (std::size_t i = 0; i < n; ++i)
            ASSERT_TRUE(same(z[i], of.value)) << c.name() << " at " << number(special);
        }
      }
  });
}

// Memory between two pages that cannot be touched: an access past either end is a crash.
class Fenced {
 public:
  Fenced() : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    memory_ = static_cast<char*>(mmap(nullptr, 3 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    EXPECT_EQ(mprotect(memory_ + page_, page_, PROT_READ | PROT_WRITE), 0);
  }
  ~Fenced() { munmap(memory_, 3 * page_); }
  Fenced(const Fenced&) = delete;
  Fenced& operator=(const Fenced&) = delete;
  /// Room for n elements at the beginning or the end, with the first n numbers of `from` in it.
  template <class T>
  T* place(bool at_end, const std::vector<T>& from, std::size_t n) {
    T* const room = at_end ? reinterpret_cast<T*>(memory_ + 2 * page_) - n : reinterpret_cast<T*>(memory_ + page_);
    std::copy_n(from.begin(), n, room);
    return room;
  }

 private:
  std::size_t page_;
  char* memory_;
};

TEST_P(Edges, NothingOutsideTheBuffersIsTouched) {
  Fenced in, upstream, cotangent, out, other;
  for_all_types([&]<class T>() {
    const std::vector<T> z = mixed_inputs<T>(67, 8), g = gradients<T>(67, 8);
    for (const Case& c : all_cases())
      for (std::size_t n = 0; n <= z.size(); ++n)
        for (const bool at_end : {false, true})
          for (const Loop loop : all_loops)
            run<T>(loop, c,
                   {in.place(at_end, z, n), upstream.place(at_end, g, n), cotangent.place(at_end, g, n),
                    out.place(at_end, g, n), other.place(at_end, g, n), n},
                   GetParam());
  });
}

TEST_P(Edges, Row43_NothingIsNeededForNoElements) {
  for_all_types([&]<class T>() {
    for (const Case& c : all_cases()) {
      T* const none = nullptr;
      ParameterSums sums, second_sums;
      sums.fill(-1);
      second_sums.fill(-1);
      forward(c.id, c.of<T>(), none, none, 0, GetParam());
      backward(c.id, c.of<T>(), none, none, none, sums.data(), 0, GetParam());
      second_backward(c.id, c.of<T>(), none, none, none, nullptr, none, none, second_sums.data(), 0, GetParam());
      for (std::size_t k = 0; k < max_parameters; ++k) {
        EXPECT_EQ(sums[k], k < c.parameter_count() ? 0 : -1) << c.name();
        EXPECT_EQ(second_sums[k], k < c.parameter_count() ? 0 : -1) << c.name();
      }
    }
  });
}

// The rounding mode, and on x86 the modes that flush subnormals (bits 15 and 6), are left as they are.
#ifdef __SSE2__
unsigned control_bits() { return __builtin_ia32_stmxcsr() & ~0x3Fu; }
#else
unsigned control_bits() { return static_cast<unsigned>(std::fegetround()); }
#endif

/// Runs every loop, then ReLU on a subnormal number.
template <class T>
void expect_control_kept(Isa isa, unsigned before, T subnormal) {
  const std::vector<T> z = mixed_inputs<T>(67, 9), g = gradients<T>(67, 9);
  std::vector<T> out(z.size()), other(z.size());
  for (const Case& c : all_cases())
    for (const Loop loop : all_loops) {
      run<T>(loop, c, {z.data(), g.data(), g.data(), out.data(), other.data(), z.size()}, isa);
      ASSERT_EQ(control_bits(), before) << c.name();
    }
  const std::vector<T> small(19, subnormal);
  forward(*find("relu"), nullptr, small.data(), out.data(), small.size(), isa);
  for (std::size_t i = 0; i < small.size(); ++i) EXPECT_TRUE(same(out[i], subnormal));
}

TEST_P(Edges, Row75_ControlWordAndSubnormalsAreKept) {
  const unsigned before = control_bits();
#ifdef __SSE2__
  EXPECT_EQ(before & 0x8040u, 0u) << "subnormals are flushed in this process";
#endif
  expect_control_kept<float>(GetParam(), before, 1e-40f);
  expect_control_kept<double>(GetParam(), before, 1e-310);
  expect_control_kept<BFloat16>(GetParam(), before, BFloat16{3});
  expect_control_kept<Float16>(GetParam(), before, Float16{3});
}

TEST(Contract, IsAssertedInDebugBuilds) {
#ifdef NDEBUG
  GTEST_SKIP() << "assertions are off in this build";
#else
  std::vector<float> z(40, 1), g(40, 1);
  double sums[max_parameters];
  EXPECT_DEATH(forward(*find("relu"), nullptr, z.data(), z.data() + 1, 32), "same_or_apart");
  EXPECT_DEATH(backward(*find("relu"), nullptr, z.data(), g.data(), z.data() + 4, nullptr, 32), "same_or_apart");
  const float outside = -1;
  EXPECT_DEATH(forward(*find("uelu"), &outside, z.data(), g.data(), 40), "in_domain");
  EXPECT_DEATH(backward(*find("uelu"), &outside, z.data(), g.data(), nullptr, sums, 40), "in_domain");
  EXPECT_DEATH(
      second_backward(*find("relu"), nullptr, z.data(), g.data(), z.data(), nullptr, g.data(), g.data(), sums, 32),
      "apart");
#endif
}

INSTANTIATE_TEST_SUITE_P(Isa, Edges, testing::ValuesIn(supported_isas()),
                         [](const auto& test) { return std::string(name(test.param)); });

}  // namespace
}  // namespace limen::kernels
