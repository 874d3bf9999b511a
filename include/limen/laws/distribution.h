// Part of limen. SPDX-License-Identifier: MIT
//
// What a law says as a distribution. Everything here runs in f64 and may use the C library: results are right to a few
// ulp, not the same bits everywhere.
#pragma once

#include <cmath>
#include <limits>
#include <string_view>

namespace limen {

/// Moments that do not exist are NaN, those that diverge are infinite; entropy (differential) in nats.
struct Distribution {
  double mean;
  double variance;
  double entropy;
  double lower = -std::numeric_limits<double>::infinity();  ///< of the support
  double upper = std::numeric_limits<double>::infinity();
  std::string_view maximum_entropy = "";  ///< what has to be held fixed for this law to have the largest entropy, or ""
};

namespace laws {

/// T = location + scale T0 for a standard T0.
struct LocationScale {
  double location = 0;
  double scale = 1;

  Distribution of(const Distribution& standard) const {
    return {location + scale * standard.mean,  scale * scale * standard.variance, standard.entropy + std::log(scale),
            location + scale * standard.lower, location + scale * standard.upper, standard.maximum_entropy};
  }
  double of(double standard_quantile) const { return location + scale * standard_quantile; }
};

}  // namespace laws
}  // namespace limen
