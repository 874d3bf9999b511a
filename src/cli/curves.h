// Part of limen. SPDX-License-Identifier: MIT
//
// Functions as `limen plot` and `limen table` spell them: NAME(k=v,...)[:QUANTITY][=LABEL].
#pragma once

#include <string>

#include "cli/quantities.h"
#include "figures/curve.h"

namespace limen::cli {

struct NamedCurve {
  Member chosen;
  figures::Curve curve;
  std::string spelling;  ///< without the label
  std::string quantity;  ///< of all_quantities, or d/PARAMETER
  std::string name;      ///< the activation and the parameters that were spelled, as a legend shows them
  std::string label;     ///< the user's, or ""
};

/// Throws limen::Error.
NamedCurve to_curve(const std::string& text);

/// "gate F(z)" and the like, as an axis shows it.
std::string axis_label(const std::string& quantity);
/// The label, or the name with its quantity unless the axis says that.
std::string legend(const NamedCurve& curve, bool with_quantity);
/// The formula of the curve's slope: that of the registry for the value, else what it is for every law.
std::string slope_formula(const NamedCurve& curve);

}  // namespace limen::cli
