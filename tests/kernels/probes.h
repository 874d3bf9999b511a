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

template <class S>
struct Word {
  std::string_view name;
  /// out[i] = word(z[i], operand); `operand` points to an Operand<S>.
  void (*run)(const void* operand, const S* z, S* out, std::size_t n);
};

template <class S>
struct Probes {
  std::span<const Word<S>> words;
  Kernel<S> unit_terms;      ///< the parameter's slope is 1
  Kernel<S> identity_terms;  ///< the parameter's slope is z
};

/// The probes of one instruction set.
struct ProbesOfIsa {
  Probes<float> f32;
  Probes<double> f64;

  template <class S>
  const Probes<S>& of() const {
    if constexpr (sizeof(S) == sizeof(float))
      return f32;
    else
      return f64;
  }
};

extern const ProbesOfIsa scalar_probes, sse4_probes, avx2_probes, avx512_probes;

inline const ProbesOfIsa& probes_for([[maybe_unused]] Isa isa) {
#ifdef LIMEN_KERNELS_X86
  if (isa == Isa::sse4) return sse4_probes;
  if (isa == Isa::avx2) return avx2_probes;
  if (isa == Isa::avx512) return avx512_probes;
#endif
  return scalar_probes;
}

}  // namespace limen::kernels
