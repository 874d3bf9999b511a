// Part of limen. SPDX-License-Identifier: MIT
//
// The core alone: one header, nothing to link. g++ -std=c++20 -Iinclude examples/plain/main.cpp && ./a.out
#include <cstdio>

#include "limen/limen.h"

int main() {
  const double beta = 1.25;  // half-width of UELU's transition
  std::puts("    z     gelu     uelu   slope   d/dbeta");
  for (const double z : {-1.2, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0}) {
    const auto gelu = limen::evaluate<double>(*limen::find("gelu"), nullptr, z);
    const auto uelu = limen::evaluate(*limen::find("uelu"), &beta, z);
    std::printf("%5.1f %8.5f %8.5f %7.4f %9.5f\n", z, gelu.value, uelu.value, uelu.slope, uelu.parameter_slopes[0]);
  }
}
