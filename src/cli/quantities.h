// Part of limen. SPDX-License-Identifier: MIT
//
// What `limen eval` says about one activation at one point, as text, by any of the ways this program can compute it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "limen/kernels.h"
#include "limen/member.h"

namespace limen::cli {

/// The core (every quantity), a kernel or the torch operator (value and slopes only).
struct Method {
  enum class Path { core, kernel, torch };
  enum class Type { f64, f32, bf16, f16 };
  Type type = Type::f64;
  Path path = Path::core;
  kernels::Isa isa = kernels::Isa::scalar;  ///< of Path::kernel
  bool by_environment = false;              ///< whether LIMEN_ISA named the kernel, and not --path

  std::string describe() const;
};

/// From --path. `other` is a further word that a message may suggest. Throws limen::Error.
kernels::Isa to_isa(std::string_view path, std::string_view other = {});

/// From --dtype and --path, "" where not given; LIMEN_ISA stands in for a missing path in f32. Throws limen::Error.
Method to_method(std::string_view dtype, std::string_view path);

/// Replaces an alias, fills in defaults, checks domains after rounding to the method's type.
/// name: of an activation, its parameters perhaps in parentheses: "uelu(beta=1)"; or "empirical(FILE)".
/// settings: further "name=value" each. Throws limen::Error.
Member choose(const std::string& name, const std::vector<std::string>& settings, const Method& method);

/// "beta = 1.25, eps = 1"; "" without parameters.
std::string settings_of(const Member& chosen);

/// One of what there is to know at a point. `*z*` stands for italics in what pictures show.
struct Quantity {
  template <class S>
  using Pick = std::optional<S> (*)(const Quantities<S>&);

  std::string_view name;
  Pick<float> pick_single;
  Pick<double> pick_double;
  std::string_view axis;
  std::string_view legend;  ///< "LEGEND of GELU"
  std::string_view slope;   ///< its derivative's formula; "" where the registry has it or there is no name for it
  bool in_csv = true;       ///< the columns of --csv are promised, and stay as they are

  template <class S>
  std::optional<S> pick(const Quantities<S>& q) const {
    if constexpr (std::is_same_v<S, float>)
      return pick_single(q);
    else
      return pick_double(q);
  }
};

/// Makes a Quantity of one lambda for both types.
template <class Pick>
constexpr Quantity quantity(std::string_view name, Pick pick, std::string_view axis, std::string_view legend,
                            std::string_view slope) {
  return {name, pick, pick, axis, legend, slope};
}
constexpr Quantity not_in_csv(Quantity quantity) {
  quantity.in_csv = false;
  return quantity;
}

/// In the order of `limen eval`; the first is meant where none is named.
inline constexpr std::array all_quantities{
    quantity(
        "value", []<class S>(const Quantities<S>& q) { return std::optional(q.value); }, "*a*(*z*)", "", ""),
    quantity(
        "slope", []<class S>(const Quantities<S>& q) { return std::optional(q.slope); }, "slope *a*\u2032(*z*)",
        "slope", "a''(z)"),
    quantity(
        "curvature", []<class S>(const Quantities<S>& q) { return std::optional(q.curvature); },
        "curvature *a*\u2033(*z*)", "curvature", "a'''(z)"),
    quantity(
        "gate", []<class S>(const Quantities<S>& q) { return q.gate; }, "gate *F*(*z*)", "gate", "f(z)"),
    quantity(
        "density", []<class S>(const Quantities<S>& q) { return q.density; }, "density *f*(*z*)", "density", "f'(z)"),
    not_in_csv(quantity(
        "density_slope", []<class S>(const Quantities<S>& q) { return q.density_slope; },
        "slope of the density *f*\u2032(*z*)", "slope of the density", "f''(z)")),
    quantity(
        "loss", []<class S>(const Quantities<S>& q) { return q.loss; }, "complementary loss", "complementary loss",
        "F(z)"),
    quantity(
        "centred", []<class S>(const Quantities<S>& q) { return q.centred; }, "centred loss", "centred loss", "F(z)"),
    quantity(
        "correction", []<class S>(const Quantities<S>& q) { return q.correction; }, "correction", "correction",
        "-z f(z)")};

/// The one of that name, or null.
const Quantity* find_quantity(std::string_view name);

/// Shortest digits that read back exactly in the method's type; "" where a quantity does not exist or the path does not
/// compute it.
struct Answer {
  std::string z;  ///< as it was rounded
  std::array<std::string, all_quantities.size()> quantities;
  std::vector<std::string> parameter_slopes;  ///< "" in a whole number
};

/// How that one is answered: a law given as data has no kernels, and the core stands in for the scalar one. Throws
/// limen::Error for other kernels.
Method suited(const Method& method, const Member& chosen);

Answer answer(const Member& chosen, std::string_view z, const Method& method);

}  // namespace limen::cli
