// Part of limen. SPDX-License-Identifier: MIT
//
// Written by scripts/fit_coefficients.py.
#pragma once

namespace limen::math::coefficients {

/// log(1 + w) = w - w^2 / 2 + w^3 p(w) for 0 <= w <= 1.
template <class S>
struct Logarithm;
template <>
struct Logarithm<float> {
  static constexpr float p[] = {0x1.55527ep-2f, -0x1.ff7d78p-3f, 0x1.94fa98p-3f, -0x1.3eddd8p-3f,
                                0x1.c39948p-4f, -0x1.f316dep-5f, 0x1.666e52p-6f, -0x1.e20f28p-9f};
};
template <>
struct Logarithm<double> {
  static constexpr double p[] = {
      0x1.555555555552bp-2,  -0x1.fffffffffd4d4p-3, 0x1.9999999909b86p-3, -0x1.55555544a4cfdp-3,
      0x1.249247e736d0dp-3,  -0x1.ffffdf4ccd88ep-4, 0x1.c71b36bb469c8p-4, -0x1.99909e963142p-4,
      0x1.742a1e9daddf2p-4,  -0x1.546fbfe1067ep-4,  0x1.37d20dc836ca5p-4, -0x1.1aeab6081f93ap-4,
      0x1.f2e06002c1ad7p-5,  -0x1.9f8c03121273ep-5, 0x1.3be8cefe72622p-5, -0x1.a6416c005310ep-6,
      0x1.dd4a34c80a879p-7,  -0x1.b596a166a2aafp-8, 0x1.358120b76bc2ap-9, -0x1.3ac8b1386ed14p-11,
      0x1.97c84a889779ap-14, -0x1.f7b51edac5b6dp-18};
};

}  // namespace limen::math::coefficients
