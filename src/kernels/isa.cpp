// Part of limen. SPDX-License-Identifier: MIT
//
// Which instruction sets there are, which this processor has, and which one was asked for.
#include <array>
#include <cstddef>
#include <cstdlib>
#include <string>

#include "limen/kernels.h"

namespace limen::kernels {
namespace {

#ifdef LIMEN_KERNELS_X86
constexpr std::array isas{Isa::scalar, Isa::sse4, Isa::avx2, Isa::avx512};
#else
constexpr std::array isas{Isa::scalar};
#endif

// Asks for what src/kernels/CMakeLists.txt lets each unit use. The built-in also asks whether the operating system
// saves the wide registers.
bool detect(Isa isa) {
#ifdef LIMEN_KERNELS_X86
  switch (isa) {
    case Isa::scalar:
      return true;
    case Isa::sse4:
      return __builtin_cpu_supports("ssse3") && __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("sse4.2");
    case Isa::avx2:
      return detect(Isa::sse4) && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
             __builtin_cpu_supports("f16c") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    case Isa::avx512:
      return detect(Isa::avx2) && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512vl");
  }
#endif
  return isa == Isa::scalar;
}

// "scalar, sse4, avx2": what LIMEN_ISA may say here.
std::string choices() {
  std::string list;
  for (const Isa isa : isas)
    if (supported(isa)) list += (list.empty() ? "" : ", ") + std::string(name(isa));
  return list;
}

/// What LIMEN_ISA asked for, or the best and what was wrong.
struct Choice {
  Isa isa = best_isa();
  std::string error;
};

Choice read_choice() {
  Choice choice;
  const char* const text = std::getenv("LIMEN_ISA");
  const std::string_view wish = text == nullptr ? "" : text;
  if (wish.empty()) return choice;
  for (const Isa isa : isas)
    if (name(isa) == wish && supported(isa)) {
      choice.isa = isa;
      return choice;
    }
  choice.error = "LIMEN_ISA: expected one of " + choices() + " on this processor, got '" + std::string(wish) +
                 "'; try one of these or leave it unset";
  return choice;
}

const Choice& choice() {
  static const Choice once = read_choice();
  return once;
}

}  // namespace

std::string_view name(Isa isa) {
  switch (isa) {
    case Isa::scalar:
      return "scalar";
    case Isa::sse4:
      return "sse4";
    case Isa::avx2:
      return "avx2";
    case Isa::avx512:
      return "avx512";
  }
  return "";
}

std::span<const Isa> all_isas() { return isas; }

bool supported(Isa isa) { return detect(isa); }

Isa best_isa() {
  Isa best = Isa::scalar;
  for (const Isa isa : isas)
    if (supported(isa)) best = isa;
  return best;
}

Isa active_isa() { return choice().isa; }

std::string_view isa_error() { return choice().error; }

}  // namespace limen::kernels
