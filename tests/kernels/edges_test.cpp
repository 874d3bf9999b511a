// Part of limen. SPDX-License-Identifier: MIT
//
// Special numbers at every place of short buffers, the ends of memory, and the state of the processor.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cfenv>

#include "kernels/cases.h"

namespace limen::kernels {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

class Edges : public testing::TestWithParam<Isa> {};

std::vector<float> special_numbers() {
  constexpr float largest = std::numeric_limits<float>::max(), least = std::numeric_limits<float>::denorm_min(),
                  normal = std::numeric_limits<float>::min();
  std::vector<float> numbers = {0, infinity, largest, 1e20f, 1e13f, 88, 3, 1, 1e-30f, normal, normal / 2, least};
  const std::size_t n = numbers.size();
  for (std::size_t i = 0; i < n; ++i) numbers.push_back(-numbers[i]);
  for (const std::uint32_t bits : {0x7FC00000u, 0xFFC00000u, 0x7FC12345u, 0xFFFFFFFFu})
    numbers.push_back(std::bit_cast<float>(bits));
  return numbers;
}

// Every other element keeps its value, and the special one gets the value it has when it is alone.
TEST_P(Edges, SpecialNumbersAtEveryPlace) {
  constexpr std::size_t longest = 40;
  const float ordinary = 0.5f, one = 1;
  for (const Case& c : all_cases())
    for (const float special : special_numbers()) {
      float value = 0, slope = 0, ordinary_value = 0, ordinary_slope = 0;
      forward(c.id, c.parameters.data(), &special, &value, 1, GetParam());
      forward(c.id, c.parameters.data(), &ordinary, &ordinary_value, 1, GetParam());
      backward(c.id, c.parameters.data(), &special, &one, &slope, nullptr, 1, GetParam());
      backward(c.id, c.parameters.data(), &ordinary, &one, &ordinary_slope, nullptr, 1, GetParam());
      if (std::isnan(special)) {
        ASSERT_TRUE(std::isnan(value)) << c.name();
        ASSERT_TRUE(std::isnan(slope)) << c.name();
      } else {
        ASSERT_FALSE(std::isnan(value)) << c.name() << " at " << special;
        ASSERT_FALSE(std::isnan(slope)) << c.name() << " at " << special;
      }
      if (special == infinity) {
        ASSERT_EQ(value, infinity) << c.name();
        ASSERT_EQ(slope, 1) << c.name();
      }
      for (std::size_t n = 1; n <= longest; ++n)
        for (std::size_t place = 0; place < n; ++place) {
          std::vector<float> z(n, ordinary), ones(n, 1), values(n), slopes(n);
          z[place] = special;
          forward(c.id, c.parameters.data(), z.data(), values.data(), n, GetParam());
          backward(c.id, c.parameters.data(), z.data(), ones.data(), slopes.data(), nullptr, n, GetParam());
          for (std::size_t i = 0; i < n; ++i) {
            ASSERT_TRUE(same(values[i], i == place ? value : ordinary_value)) << c.name() << " at " << z[i];
            ASSERT_TRUE(same(slopes[i], i == place ? slope : ordinary_slope)) << c.name() << " at " << z[i];
          }
        }
    }
}

// A whole buffer of one number: the vector loop and the tail must treat it alike.
TEST_P(Edges, BuffersOfOneNumber) {
  for (const Case& c : all_cases())
    for (const float special : special_numbers()) {
      float value = 0;
      forward(c.id, c.parameters.data(), &special, &value, 1, GetParam());
      for (std::size_t n = 1; n <= 40; ++n) {
        std::vector<float> z(n, special);
        forward(c.id, c.parameters.data(), z.data(), z.data(), n, GetParam());
        for (std::size_t i = 0; i < n; ++i) ASSERT_TRUE(same(z[i], value)) << c.name() << " at " << special;
      }
    }
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
  float* first() { return reinterpret_cast<float*>(memory_ + page_); }
  float* last(std::size_t n) { return reinterpret_cast<float*>(memory_ + 2 * page_) - n; }

 private:
  std::size_t page_;
  char* memory_;
};

TEST_P(Edges, NothingOutsideTheBuffersIsTouched) {
  Fenced in, upstream, out;
  const std::vector<float> z = mixed_inputs(67, 8), g = gradients(67, 8);
  std::array<double, max_parameters> sums = {};
  for (const Case& c : all_cases())
    for (std::size_t n = 0; n <= z.size(); ++n)
      for (const bool at_end : {false, true}) {
        float* const a = at_end ? in.last(n) : in.first();
        float* const b = at_end ? upstream.last(n) : upstream.first();
        float* const o = at_end ? out.last(n) : out.first();
        std::copy_n(z.begin(), n, a);
        std::copy_n(g.begin(), n, b);
        forward(c.id, c.parameters.data(), a, o, n, GetParam());
        backward(c.id, c.parameters.data(), a, b, o, nullptr, n, GetParam());
        backward(c.id, c.parameters.data(), a, b, o, sums.data(), n, GetParam());
      }
}

TEST_P(Edges, NothingIsNeededForNoElements) {
  for (const Case& c : all_cases()) {
    std::array<double, max_parameters> sums;
    sums.fill(-1);
    forward(c.id, c.parameters.data(), static_cast<float*>(nullptr), nullptr, 0, GetParam());
    backward(c.id, c.parameters.data(), static_cast<float*>(nullptr), nullptr, nullptr, sums.data(), 0, GetParam());
    for (std::size_t k = 0; k < max_parameters; ++k) EXPECT_EQ(sums[k], k < c.parameter_count() ? 0 : -1) << c.name();
  }
}

// The rounding mode, and on x86 the modes that flush subnormals (bits 15 and 6), are left as they are.
#ifdef __SSE2__
unsigned control_bits() { return __builtin_ia32_stmxcsr() & ~0x3Fu; }
#else
unsigned control_bits() { return static_cast<unsigned>(std::fegetround()); }
#endif

TEST_P(Edges, ControlWordAndSubnormalsAreKept) {
  const unsigned before = control_bits();
#ifdef __SSE2__
  EXPECT_EQ(before & 0x8040u, 0u) << "subnormals are flushed in this process";
#endif
  const std::vector<float> z = mixed_inputs(67, 9), g = gradients(67, 9);
  std::vector<float> out(z.size());
  std::array<double, max_parameters> sums = {};
  for (const Case& c : all_cases()) {
    forward(c.id, c.parameters.data(), z.data(), out.data(), z.size(), GetParam());
    backward(c.id, c.parameters.data(), z.data(), g.data(), out.data(), sums.data(), z.size(), GetParam());
    ASSERT_EQ(control_bits(), before) << c.name();
  }
  const std::vector<float> small(19, 1e-40f);
  forward(*find("relu"), nullptr, small.data(), out.data(), small.size(), GetParam());
  for (std::size_t i = 0; i < small.size(); ++i) EXPECT_EQ(out[i], 1e-40f);
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
#endif
}

INSTANTIATE_TEST_SUITE_P(Isa, Edges, testing::ValuesIn(supported_isas()),
                         [](const auto& test) { return std::string(name(test.param)); });

}  // namespace
}  // namespace limen::kernels
