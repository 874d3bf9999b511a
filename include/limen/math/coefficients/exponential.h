// Part of limen. SPDX-License-Identifier: MIT
//
// Written by scripts/fit_coefficients.py.
#pragma once

namespace limen::math::coefficients {

/// exp(-x) = 1 - x + x^2 q(x) for |x| <= ln(2) / 2.
template <class S>
struct Exponential;
template <>
struct Exponential<float> {
  static constexpr float ln2_high = 0x1.62ep-1f, ln2_low = 0x1.0bfbe8p-15f;
  static constexpr float log2_e = 0x1.715476p+0f;
  static constexpr float q[] = {0x1p-1f, -0x1.55548ep-3f, 0x1.555456p-5f, -0x1.123bdp-7f, 0x1.6db928p-10f};
};
template <>
struct Exponential<double> {
  static constexpr double ln2_high = 0x1.62e42fefa38p-1, ln2_low = 0x1.ef35793c7673p-45;
  static constexpr double log2_e = 0x1.71547652b82fep+0;
  static constexpr double q[] = {0x1.000000000000cp-1,  -0x1.5555555555561p-3,  0x1.555555554ff98p-5,
                                 -0x1.111111110d552p-7, 0x1.6c16c185c92d6p-10,  -0x1.a01a01bb2ec6ep-13,
                                 0x1.a0199635b6216p-16, -0x1.71dddf233db8ap-19, 0x1.28b0a224571f8p-22,
                                 -0x1.af86900f4a788p-26};
};

}  // namespace limen::math::coefficients
