// Part of limen. SPDX-License-Identifier: MIT
//
// Written by scripts/fit_coefficients.py.
#pragma once

namespace limen::math::coefficients {

/// ln 2 - H(t) = t^2 s(t^2) for |t| <= 2, H the entropy in nats of a coin whose odds are exp(t).
template <class S>
struct Entropy;
template <>
struct Entropy<float> {
  static constexpr float s[] = {0x1p-3f,         -0x1.ffffc2p-7f,  0x1.c711b6p-10f, -0x1.82226ap-13f,
                                0x1.3c79cep-16f, -0x1.db8f74p-20f, 0x1.15cb42p-23f, -0x1.5ba47cp-28f};
};
template <>
struct Entropy<double> {
  static constexpr double s[] = {0x1p-3,
                                 -0x1.fffffffffffefp-7,
                                 0x1.c71c71c71b9d9p-10,
                                 -0x1.82d82d8297ad2p-13,
                                 0x1.427a8e04f2504p-16,
                                 -0x1.0a3a5a94f9ba7p-19,
                                 0x1.b532455b635c5p-23,
                                 -0x1.65c7b05a42dc4p-26,
                                 0x1.241c2abbdda0fp-29,
                                 -0x1.dbd133d71bc6cp-33,
                                 0x1.813bffdc1ad17p-36,
                                 -0x1.31ee5adef937dp-39,
                                 0x1.cc7e96076593ep-43,
                                 -0x1.33a1635b33c5p-46,
                                 0x1.4979f8fe21fa7p-50,
                                 -0x1.e401caf4d7595p-55,
                                 0x1.62aa881ef1403p-60};
};

}  // namespace limen::math::coefficients
