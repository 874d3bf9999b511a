// Part of limen. SPDX-License-Identifier: MIT
//
// The loops of src/kernels/cpu/body.h on made-up activations: one per word of the vocabulary, and two whose parameter
// sums are known. As in src/kernels, one unit per instruction set instantiates them.
#pragma once

#include <span>
#include <string_view>

#include "kernels/cpu/table.h"

namespace limen::kernels {

/// What a word is tried with besides z.
template <class S>
struct Operand {
  S value;
};

struct Word {
  std::string_view name;
  /// out[i] = word(z[i], operand); `operand` points to an Operand<float>.
  void (*run)(const void* operand, const float* z, float* out, std::size_t n);
};

struct Probes {
  std::span<const Word> words;
  Kernel<float> unit_terms;      ///< the parameter's slope is 1
  Kernel<float> identity_terms;  ///< the parameter's slope is z
};

extern const Probes scalar_probes, sse4_probes, avx2_probes, avx512_probes;

inline const Probes& probes_for([[maybe_unused]] Isa isa) {
#ifdef LIMEN_KERNELS_X86
  if (isa == Isa::sse4) return sse4_probes;
  if (isa == Isa::avx2) return avx2_probes;
  if (isa == Isa::avx512) return avx512_probes;
#endif
  return scalar_probes;
}

}  // namespace limen::kernels
