// Part of limen. SPDX-License-Identifier: MIT
//
// The lists of activations and of their aliases. Every later layer iterates them: a new one is a header and a line
// here, or a header of your own that LIMEN_OWN_LAWS names (docs/add-a-law.md).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "limen/activations/elu.h"
#include "limen/activations/gelu.h"
#include "limen/activations/gem.h"
#include "limen/activations/heavy.h"
#include "limen/activations/leaky_relu.h"
#include "limen/activations/one_sided.h"
#include "limen/activations/relu.h"
#include "limen/activations/softplus.h"
#include "limen/activations/squareplus.h"
#include "limen/activations/transmission.h"
#include "limen/activations/uelu.h"
#include "limen/laws/cauchy.h"
#include "limen/laws/exponential.h"
#include "limen/laws/info.h"
#include "limen/laws/log_logistic.h"
#include "limen/laws/logistic.h"
#include "limen/laws/lomax.h"
#include "limen/laws/mish.h"
#include "limen/laws/normal.h"
#include "limen/laws/tanh_normal.h"
#include "limen/laws/uniform.h"

namespace limen {

template <class... A>
struct TypeList {};

}  // namespace limen

#ifdef LIMEN_OWN_LAWS
#include LIMEN_OWN_LAWS
#else
namespace limen {
using OwnActivations = TypeList<>;
}
#endif

namespace limen {
namespace detail {
template <class... A, class... B>
TypeList<A..., B...> joined(TypeList<A...>, TypeList<B...>);
}

using LimensActivations = TypeList<               //
    activations::Identity,                        //
    activations::Relu,                            //
    activations::LeakyRelu,                       //
    activations::Prelu,                           //
    activations::Elu,                             //
    activations::Gelu,                            //
    activations::Transmission<laws::Normal>,      // gelu_mu_sigma
    activations::LambdaGelu,                      //
    activations::Transmission<laws::TanhNormal>,  // gelu_tanh
    activations::Dgelu,                           //
    activations::Transmission<laws::Logistic>,    // silu
    activations::Softplus,                        //
    activations::Transmission<laws::Mish>,        // mish
    activations::Transmission<laws::Uniform>,     // uelu
    activations::HardSwish,                       //
    activations::Aqulu,                           //
    activations::Heavy<laws::Cauchy>,             // iglu
    activations::Heavy<laws::Lomax>,              // iglu_approx
    activations::T2Transmission,                  //
    activations::Squareplus,                      //
    activations::Expelu,                          //
    activations::Gem,                             //
    activations::EGem,                            //
    activations::SeGem                            //
    >;
using Registry = decltype(detail::joined(LimensActivations{}, OwnActivations{}));

/// A further name of an activation, perhaps with a parameter that is learned.
struct Alias {
  std::string_view name;
  std::string_view activation;
  std::string_view learned = {};  ///< a parameter, or ""
  bool shared = false;            ///< whether a model has one of it for all sites, unless told otherwise
};

inline constexpr std::array aliases{
    Alias{.name = "tuelu", .activation = "uelu", .learned = "beta", .shared = true},
    Alias{.name = "uelu3", .activation = "hard_swish"},
};

/// An activation's place in the registry. Not stable between versions: files and operators carry names.
enum class ActivationId : int {};

namespace detail {
template <class... A>
constexpr std::array<ActivationInfo, sizeof...(A)> infos(TypeList<A...>) {
  return {A::info...};
}
template <class F, class... A>
constexpr void visit(ActivationId id, F&& f, TypeList<A...>) {
  // A chain of comparisons folds into a jump table.
  int i = 0;
  ((static_cast<int>(id) == i++ ? (f.template operator()<A>(), true) : false) || ...);
}
}  // namespace detail

inline constexpr auto all_infos = detail::infos(Registry{});
inline constexpr std::size_t activation_count = all_infos.size();

namespace detail {
/// Whether every name means one thing; the last three are those of limen/torch.h.
constexpr bool names_differ() {
  std::array<std::string_view, activation_count + aliases.size() + 3> names{};
  std::size_t count = 0;
  for (const ActivationInfo& about : all_infos) names[count++] = about.name;
  for (const Alias& alias : aliases) names[count++] = alias.name;
  for (const std::string_view other : {"empirical", "gated", "glu"}) names[count++] = other;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (names[i] == names[j]) return false;
  return true;
}
static_assert(names_differ(), "two activations have one name: give that of LIMEN_OWN_LAWS another");
}  // namespace detail

constexpr const ActivationInfo& info(ActivationId id) { return all_infos[static_cast<std::size_t>(id)]; }

constexpr std::optional<ActivationId> find(std::string_view name) {
  for (std::size_t i = 0; i < activation_count; ++i)
    if (all_infos[i].name == name) return static_cast<ActivationId>(i);
  return std::nullopt;
}

/// The alias of that name, or null.
constexpr const Alias* find_alias(std::string_view name) {
  for (const Alias& alias : aliases)
    if (alias.name == name) return &alias;
  return nullptr;
}

/// Calls f.template operator()<A>() for the activation type A that id stands for.
template <class F>
constexpr void visit(ActivationId id, F&& f) {
  detail::visit(id, std::forward<F>(f), Registry{});
}

/// Whether the gate has ends, the knees: it is 0 up to one point, 1 from another, and rises between them.
constexpr bool has_knees(ActivationId id) {
  bool found = false;
  visit(id, [&]<class A>() {
    if constexpr (requires { A::has_knees; }) found = A::has_knees;
  });
  return found;
}

}  // namespace limen
