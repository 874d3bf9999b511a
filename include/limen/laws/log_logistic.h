// Part of limen. SPDX-License-Identifier: MIT
//
// The log-logistic law of even shape k = 2 N and scale alpha: F = w / (1 + w), w = u^k, u = z / alpha. It has its own
// placements, because its formulas are shortest in z itself and in t, the smaller of u and 1 / u.
#pragma once

#include <array>
#include <limits>
#include <numbers>

#include "limen/laws/placement.h"
#include "limen/math/exponential.h"

namespace limen::laws {

/// over / under, `over` multiplied by tail_scale.
template <class V>
struct PowerQuotient {
  Pair<V> over;
  V under;
};
template <class V>
constexpr V times(V x, PowerQuotient<V> a) {
  return times(x, a.over) / a.under;
}
template <class V>
constexpr V sum(PowerQuotient<V> a) {
  return sum(a.over) / a.under;
}

/// Where z lies and what everything is made of there; powers are multiplied by tail_scale, and 0 for z <= 0.
template <class V>
struct PowerPosition {
  Mask<V> open;    ///< u >= 1
  V y;             ///< z on the open side, -z on the other; 0 below 0
  Pair<V> t;       ///< u on the closed side, 1 / u on the other: not multiplied
  Pair<V> before;  ///< t^(k - 1)
  Pair<V> power;   ///< t^k
  Pair<V> after;   ///< t^(k + 1)
  V denominator;   ///< 1 + t^k
  V denominator_low;
};

/// eps^(1 / k), to twice the precision.
template <class S>
constexpr Pair<S> root(S eps, int k) {
  const auto power = [](S x, int n) {
    Pair<S> product_so_far = {1, 0};
    for (int i = 0; i < n; ++i) product_so_far = product(x, product_so_far);
    return product_so_far;
  };
  // A k-th of the exponent is within some per cent; Newton's steps double the digits.
  const auto one = bits(S(1));
  S x = from_bits((bits(eps) - one) / k + one, S());
  for (int step = 0; step < 7; ++step) x = x - (x - eps / power(x, k - 1).high) / S(k);
  const Pair<S> there = power(x, k);
  return {x, x * ((eps - there.high) - there.low) / (S(k) * there.high)};
}

inline constexpr Parameter log_logistic_shape = {.name = "N",
                                                 .initial = 1,
                                                 .lower = 1,
                                                 .upper = 8,
                                                 .closed = true,
                                                 .meaning = "half the shape of the law; 2 N derivatives are 0 at 0",
                                                 .integer = true};
inline constexpr Parameter log_logistic_power = {
    "eps", 1, narrowest, widest, false, "scale of the law to the power 2 N", Learned::softplus, 1e-8};

/// The mean of the law with alpha = 1: (pi / k) / sin(pi / k), k = 2, 4, ...
template <class S>
inline constexpr std::array<Pair<S>, 8> log_logistic_mean = {
    split<S>(1.570796326794896619231L), split<S>(1.110720734539591561754L), split<S>(1.047197551196597746154L),
    split<S>(1.026172152977030888871L), split<S>(1.016640738463051963162L), split<S>(1.011515159927462568357L),
    split<S>(1.008442087972128483429L), split<S>(1.006454542799563932036L)};

/// One parameter, N: alpha = 1.
struct ByShape {
  static LocationScale location_scale(const double*) { return {}; }
  static constexpr bool has_location = false;
  template <class Law>
  static constexpr bool mean_is_0 = false;
  template <class S>
  struct Constants {
    int n;
    S shape;  // k
    Pair<S> rate, mean;
    Pair<S> shape_rate;      // k / alpha
    Pair<S> power_rate;      // 1 / eps
    Pair<S> scale_by_power;  // alpha / eps
  };

  template <class Law, class S>
  static constexpr Constants<S> prepare(const S* parameters) {
    return prepare(parameters[0], S(1));
  }

  template <class Law, class V>
  static constexpr PowerPosition<V> at(V z, const Constants<Scalar<V>>& c) {
    using S = Scalar<V>;
    constexpr S scale = tail_scale<S>;
    const V held = min(V(std::numeric_limits<S>::max()), max(V(0), z));
    const Mask<V> open = held * V(c.rate.high) >= V(1), beyond = z > V(std::numeric_limits<S>::max());
    // tail_scale u, or u / tail_scale so that its reciprocal does not leave the normal numbers.
    const Pair<V> x = product(held * select(open, V(1 / scale), V(scale)), broadcast<V>(c.rate));
    const Pair<V> closer = select(open, reciprocal(x), x);
    const Pair<V> before_1 = select(beyond, Pair<V>{V(0), V(0)}, closer);
    PowerPosition<V> at;
    at.open = open;
    at.y = select(open, held, -held);
    at.t = times_power(V(1 / scale), before_1);
    at.before = before_1;
    const Pair<V> square = product(at.t, at.t);
    for (int i = 1; i < c.n; ++i) at.before = product(at.before, square);
    const Pair<V> power = product(at.before, at.t);
    at.power = {power.high + power.low, (power.high - (power.high + power.low)) + power.low};
    at.after = product(at.power, at.t);
    const Pair<V> unscaled = times_power(V(1 / scale), at.power);
    at.denominator = V(1) + unscaled.high;
    at.denominator_low = ((V(1) - at.denominator) + unscaled.high) + unscaled.low;
    return at;
  }

 protected:
  template <class S>
  static constexpr Constants<S> prepare(S shape, S eps) {
    const int n = static_cast<int>(shape);
    const Pair<S> scale = root(eps, 2 * n);
    const Pair<S> mean = resident<log_logistic_mean<S>>()[static_cast<std::size_t>(n - 1)];
    const S k = S(2 * n);
    const Pair<S> rate = reciprocal(scale);
    const Pair<S> power_rate = reciprocal(eps);
    return {n, k, rate, product(scale, mean), product(k, rate), power_rate, product(scale, power_rate)};
  }
};

/// Two parameters, N and eps: alpha = eps^(1 / k), so that w = z^k / eps.
struct ByShapeAndPower : ByShape {
  static LocationScale location_scale(const double* parameters) {
    return {0, std::pow(parameters[1], 1 / (2 * parameters[0]))};
  }
  template <class Law, class S>
  static constexpr Constants<S> prepare(const S* parameters) {
    return ByShape::prepare(parameters[0], parameters[1]);
  }
};

/// T log-logistic: mean alpha (pi / k) / sin(pi / k).
struct LogLogistic {
  using Placement = ByShape;
  static constexpr bool has_knees = false;

  /// alpha = 1; the variance is infinite for k = 2.
  static Distribution distribution(double k) {
    const double mean = log_logistic_mean<double>[static_cast<std::size_t>(k / 2 - 1) % 8].high,
                 angle = 2 * std::numbers::pi / k;
    return {.mean = mean,
            .variance = k > 2 ? angle / std::sin(angle) - mean * mean : std::numeric_limits<double>::infinity(),
            .entropy = 2 - std::log(k),
            .lower = 0,
            .maximum_entropy = "E ln T and E ln(1 + T^(2N)) = 1"};
  }
  static double quantile(double k, double p) { return std::pow(p / (1 - p), 1 / k); }

  template <class V>
  static constexpr PowerQuotient<V> side(PowerPosition<V> at) {
    return {at.power, at.denominator};
  }
  /// f, multiplied by tail_scale
  template <class V, class Constants>
  static constexpr V density(PowerPosition<V> at, const Constants& c) {
    return times(broadcast<V>(c.shape_rate), select(at.open, at.after, at.before)) / denominator_square(at);
  }
  /// 2 + z f' / f = 1 + k (1 - 2 F)
  template <class V, class Constants>
  static constexpr V curvature_factor(PowerPosition<V> at, const Constants& c) {
    const Pair<V> power = times_power(V(1 / tail_scale<Scalar<V>>), at.power);
    const Pair<V> tilt = share(Pair<V>{V(1) - power.high, -power.low}, at);
    return multiply_add(tilt, negative_where(at.open, V(c.shape)), V(1));
  }
  /// F (1 - F)
  template <class V>
  static constexpr Pair<V> spread(PowerPosition<V> at) {
    return product(share(at.power, at), share(Pair<V>{V(1), V(0)}, at));
  }
  /// u F (1 - F)
  template <class V>
  static constexpr V u_spread(PowerPosition<V> at) {
    return sum(select(at.open, at.before, at.after)) / denominator_square(at);
  }
  /// over / (1 + t^k)
  template <class V>
  static constexpr Pair<V> share(Pair<V> over, PowerPosition<V> at) {
    const V high = over.high / at.denominator;
    const V missed = fnma(high, at.denominator, over.high) + over.low;
    return {high, fnma(high, at.denominator_low, missed) / at.denominator};
  }
  /// t^(k - 1) or t^(k + 1), over 1 + t^k: what u (1 - F) is on the open side and u F on the other
  template <class V>
  static constexpr Pair<V> u_tail(PowerPosition<V> at) {
    return share(select(at.open, at.before, at.after), at);
  }
  /// (1 - F) / (1 + t^k): not multiplied by tail_scale
  template <class V>
  static constexpr Pair<V> other_share(PowerPosition<V> at) {
    const Pair<V> one = {V(1), V(0)}, power = times_power(V(1 / tail_scale<Scalar<V>>), at.power);
    return product(share(one, at), share(select(at.open, power, one), at));
  }

  template <class V>
  static constexpr V denominator_square(PowerPosition<V> at) {
    return fma(at.denominator, at.denominator, V(2) * at.denominator * at.denominator_low);
  }
};

/// The integral of w / (1 + w) from 0 on, over u F: sum of n! / (c)_n F^n divided by k + 1, c = 2 + 1 / k (shift = 1);
/// and that of 1 - F to infinity over u (1 - F), with 1 - F in F's place, divided by k - 1, c = 2 - 1 / k
/// (shift = -1). Pfaff's form of the hypergeometric series: its terms are positive, so that nothing cancels.
template <class S>
constexpr Pair<S> integral_over_product(Pair<S> side, S shape, S shift) {
  constexpr int terms = sizeof(S) == 4 ? 45 : 95;  // 1.5^-terms is below an ulp
  Pair<S> sum = {1, 0};
  for (int n = terms; n > 0; --n) {
    const S over = S(n) * shape, under = S(n + 1) * shape + shift, ratio = over / under;
    const Pair<S> rest = product(product(side, Pair<S>{ratio, fnma(ratio, under, over) / under}), sum);
    const Pair<S> total = exact_sum(S(1), rest.high);
    sum = {total.high, total.low + rest.low};
  }
  const S divisor = shape + shift, high = sum.high / divisor;
  return {high, (fnma(high, divisor, sum.high) + sum.low) / divisor};
}

}  // namespace limen::laws
