// Part of limen. SPDX-License-Identifier: MIT
//
// Prints the active instruction set, then what is wrong with LIMEN_ISA, for isa_test.cpp: the variable is read once.
#include <cstdio>

#include "limen/kernels.h"

int main() {
  const std::string_view active = limen::kernels::name(limen::kernels::active_isa());
  const std::string_view error = limen::kernels::isa_error();
  std::printf("%.*s\n%.*s", static_cast<int>(active.size()), active.data(), static_cast<int>(error.size()),
              error.data());
}
