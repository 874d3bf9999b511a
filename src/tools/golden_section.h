// Part of limen. SPDX-License-Identifier: MIT
#pragma once

namespace limen::tools {

/// Where f is least between low and high, if it has one minimum there: by golden section.
template <class Function>
double golden_section(Function f, double low, double high) {
  constexpr double ratio = 0.61803398874989485;
  double a = high - ratio * (high - low), b = low + ratio * (high - low), f_a = f(a), f_b = f(b);
  for (int i = 0; i < 60; ++i)
    if (f_a < f_b) {
      high = b, b = a, f_b = f_a;
      f_a = f(a = high - ratio * (high - low));
    } else {
      low = a, a = b, f_a = f_b;
      f_b = f(b = low + ratio * (high - low));
    }
  return (low + high) / 2;
}

}  // namespace limen::tools
