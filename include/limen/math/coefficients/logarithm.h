// Part of limen. SPDX-License-Identifier: MIT
//
// Written by scripts/fit_coefficients.py.
#pragma once

namespace limen::math::coefficients {

/// log(1 + w) = w (1 + w p(w)) for 0 <= w <= 1.
template <class S>
struct Logarithm;
template <>
struct Logarithm<float> {
  static constexpr float p[] = {-0x1.ffffd8p-2f, 0x1.554ea2p-2f,  -0x1.ff363p-3f, 0x1.93ae66p-3f, -0x1.3b6c54p-3f,
                                0x1.b8bb6ep-4f,  -0x1.dee69cp-5f, 0x1.52099ap-6f, -0x1.bf7e1ap-9f};
};
template <>
struct Logarithm<double> {
  static constexpr double p[] = {
      -0x1.ffffffffffffdp-2,  0x1.55555555552fep-2, -0x1.ffffffffe91bap-3, 0x1.9999999602bf9p-3,
      -0x1.555554fe105f3p-3,  0x1.2492439eac462p-3, -0x1.ffff812b36f3p-4,  0x1.c7183c9f26281p-4,
      -0x1.997e554c43044p-4,  0x1.73d312bd21bb4p-4, -0x1.5329adf65164ep-4, 0x1.3406846df4f1ap-4,
      -0x1.11dc6df8d045ep-4,  0x1.d02645fba7172p-5, -0x1.6a0d09222e23cp-5, 0x1.f3e98d8e43b05p-6,
      -0x1.252f02b3c34b3p-6,  0x1.179cc417979fdp-7, -0x1.9bd28a3d3493bp-9, 0x1.b4069df08e787p-11,
      -0x1.25c474e49d57ap-13, 0x1.79001ce7bef4fp-17};
};

}  // namespace limen::math::coefficients
