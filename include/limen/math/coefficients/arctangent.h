// Part of limen. SPDX-License-Identifier: MIT
//
// Written by scripts/fit_coefficients.py.
#pragma once

namespace limen::math::coefficients {

/// arctan(w) / (pi w) = middle + rest(w^2) and arctan(w) - w / (1 + w^2) = pi w^3 excess(w^2 - 1/2) for
/// 0 <= w <= 1.
template <class S>
struct Arctangent;
template <>
struct Arctangent<float> {
  static constexpr float middle = 0x1.2p-2f;
  static constexpr float rest[] = {0x1.2f9834p-5f, -0x1.b2988p-4f, 0x1.04a9cap-4f,  -0x1.725facp-5f, 0x1.15793cp-5f,
                                   -0x1.875e5p-6f, 0x1.bd4d2ap-7f, -0x1.4f383ap-8f, 0x1.dba396p-11f};
  static constexpr float excess[] = {0x1.09a718p-3f, -0x1.b2fc4cp-4f, 0x1.3ad7c6p-4f, -0x1.b71596p-5f,
                                     0x1.2d34bcp-5f, -0x1.9a99f4p-6f, 0x1.159a44p-6f, -0x1.6491e2p-7f,
                                     0x1.e23c34p-8f, -0x1.d1aa56p-8f, 0x1.342986p-8f};
};
template <>
struct Arctangent<double> {
  static constexpr double middle = 0x1.2p-2;
  static constexpr double rest[] = {
      0x1.2f9836e4e4415p-5,  -0x1.b2995e7b7b5f3p-4,  0x1.04c26be3afc28p-4,  -0x1.7483758e123b4p-5,
      0x1.21bb944660f26p-5,  -0x1.da1baae2a64e6p-6,  0x1.912aff39cc665p-6,  -0x1.5bacbc84af0aap-6,
      0x1.32bdcd7411571p-6,  -0x1.1248ac93a5481p-6,  0x1.eedfd4010130ap-7,  -0x1.befa077ad8b13p-7,
      0x1.8e4d6582a65ccp-7,  -0x1.558a0c2a5fc9ap-7,  0x1.102f05cc95c4p-7,   -0x1.8307391c4fcc3p-8,
      0x1.d608fdecbc51bp-9,  -0x1.d18e98cf656f9p-10, 0x1.647b3d1d5aa28p-11, -0x1.886c3c53bb084p-13,
      0x1.12aa06579a0e2p-15, -0x1.6db8132e3a368p-19};
  static constexpr double excess[] = {
      0x1.09a718afc5088p-3,  -0x1.b2fc42d55532ap-4,  0x1.3ad7c639cefd7p-4,  -0x1.b71b1be912b7ap-5,
      0x1.2d36e197828ddp-5,  -0x1.99a50eff3a135p-6,  0x1.151914c02b8a6p-6,  -0x1.759bc71284e42p-7,
      0x1.f690589c579b3p-8,  -0x1.5174124466a2bp-8,  0x1.c49e09e0c3e67p-9,  -0x1.2f40a9156a969p-9,
      0x1.9611473a28ed3p-10, -0x1.0fcedaee2c146p-10, 0x1.6b8ec1fbe7974p-11, -0x1.e377dc7ab7ab9p-12,
      0x1.4352126669761p-12, -0x1.c7c32be6c1723p-13, 0x1.2f46a55166ddap-13, -0x1.1002539720683p-14,
      0x1.7336cd0ea53e4p-15, -0x1.50f0a3c357cep-14,  0x1.bc1b48834a1fp-15};
};

}  // namespace limen::math::coefficients
