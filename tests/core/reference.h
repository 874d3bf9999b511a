// Part of limen. SPDX-License-Identifier: MIT
//
// The activations by plain formulas on a wide type R, derivatives written out by hand: what accuracy_test.cpp judges
// by. An activation that is not here is judged in f32 by its own f64.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "core/wide.h"
#include "limen/laws/info.h"

namespace limen::test {

/// A quantity and the size of its largest term, or of itself: errors are counted in ulps of that.
template <class R>
struct Term {
  R exact = 0;
  R size = 0;

  Term() = default;
  Term(R value) : exact(value), size(abs(value)) {}
  /// A sum.
  Term(R a, R b) : exact(a + b), size(std::max({abs(a), abs(b), abs(a + b)})) {}

  friend Term operator+(Term a, const Term& b) {
    a.exact += b.exact;
    a.size = std::max({a.size, b.size, abs(a.exact)});
    return a;
  }
  friend Term operator*(R factor, Term term) {
    term.exact *= factor;
    term.size *= abs(factor);
    return term;
  }
};

template <class R>
struct Reference {
  Term<R> value, slope, curvature;
  std::optional<Term<R>> gate, density, density_slope, loss, centred, correction;
  std::array<Term<R>, max_parameters> parameter_slopes, mixed_curvatures;
  std::array<Term<R>, pair_count(max_parameters)> parameter_curvatures;
  /// The density of the standard law: how small the tail is that slopes in parameters lift by powers of z.
  R tail = 1;
};

/// A law in units of u.
template <class R>
struct LawAt {
  R gate, density, density_slope, loss, correction, correction_change;
};

/// The transmission of a law with location m and scale s; what parameters do is left to the caller.
template <class R>
Reference<R> transmission(R z, R m, R s, LawAt<R> at) {
  const R f = at.density / s, bend = at.density_slope / (s * s);
  Reference<R> r;
  r.value = z * at.gate;
  r.slope = {at.gate, z * f};
  r.curvature = {2 * f, z * bend};
  r.gate = at.gate;
  r.density = f;
  r.density_slope = bend;
  r.loss = s * at.loss;
  r.correction = {s * at.correction, -m * at.gate};
  r.centred = {z * at.gate, s * at.correction_change};
  r.tail = at.density;
  return r;
}

/// What a parameter p does to u: du/dp and d2u/dz dp.
template <class R>
struct Motion {
  R by_p, by_z_p;
};

/// Derivatives of z F(u(z, p)) in N parameters by the chain rule: `rate` is du/dz, `bends` the d2u/dp dq.
template <class R, std::size_t N>
void add_parameters(Reference<R>& r, R z, R rate, LawAt<R> at, const std::array<Motion<R>, N>& u,
                    const std::array<R, pair_count(N)>& bends) {
  using T = Term<R>;
  const R f = at.density, change = at.density_slope;
  for (std::size_t p = 0; p < N; ++p) {
    r.parameter_slopes[p] = z * f * u[p].by_p;
    r.mixed_curvatures[p] = T(f * u[p].by_p) + T(z * f * u[p].by_z_p) + T(z * change * rate * u[p].by_p);
    for (std::size_t q = p; q < N; ++q) {
      const std::size_t i = pair_index(p, q, N);
      r.parameter_curvatures[i] = T(z * change * u[p].by_p * u[q].by_p) + T(z * f * bends[i]);
    }
  }
}

/// A law with the one parameter k in u = k z.
template <class R>
Reference<R> by_rate(R z, R k, LawAt<R> at) {
  Reference<R> r = transmission(z, R(0), 1 / k, at);
  add_parameters<R, 1>(r, z, k, at, {{{z, R(1)}}}, {R(0)});
  return r;
}

template <class R>
R phi(R u) {
  return exp(-u * u / 2) / sqrt(2 * pi<R>());
}

template <class R>
LawAt<R> normal(R u) {
  const R gate = erfc(-u / sqrt(R(2))) / 2, f = phi(u);
  return {gate, f, -u * f, u * gate + f, f, expm1(-u * u / 2) / sqrt(2 * pi<R>())};
}

template <class R>
LawAt<R> logistic(R u) {
  const R w = exp(-abs(u)), side = w / (1 + w), other = 1 / (1 + w), f = side * other;
  const R entropy = log1p(w) + abs(u) * side;
  const R tilt = -expm1(-abs(u)) / (1 + w);  // tanh(|u| / 2)
  return {u < 0 ? side : other,
          f,
          u < 0 ? f * tilt : -f * tilt,
          std::max(u, R(0)) + log1p(w),
          entropy,
          abs(u) < 1 ? -(tilt * abs(u) + log1p(-tilt * tilt)) / 2 : entropy - log(R(2))};
}

/// Laws without closed losses.
template <class R>
Reference<R> gate_only(R z, R gate, R density, R density_slope) {
  Reference<R> r = transmission(z, R(0), R(1), {gate, density, density_slope, R(0), R(0), R(0)});
  r.loss.reset(), r.correction.reset(), r.centred.reset();
  return r;
}

template <class R>
Reference<R> gelu_tanh(R z) {
  const R a = 2 * sqrt(2 / pi<R>()), b = a * R(44715) / R(1000000);
  const R x = a * z + b * z * z * z, stretch = a + 3 * b * z * z;
  const LawAt<R> at = logistic(x);
  return gate_only(z, at.gate, at.density * stretch, at.density_slope * stretch * stretch + at.density * 6 * b * z);
}

/// f' / f is the difference of `rise` and `fall`.
template <class R>
Reference<R> mish(R z, R gate, R density, R rise, R fall) {
  Reference<R> r = gate_only(z, gate, density, density * (rise - fall));
  r.density_slope = density * Term<R>(rise, -fall);
  return r;
}

template <class R>
Reference<R> mish(R z) {
  if (z > 0) {
    const R w = exp(-z), d = 1 + 2 * w + 2 * w * w, f = 4 * w * w * (1 + w) / (d * d);
    return mish(z, (1 + 2 * w) / d, f, 1 + 1 / (1 + w), 4 * (1 + w) / d);
  }
  const R e = exp(z), d = e * e + 2 * e + 2, f = 4 * e * (e + 1) / (d * d);
  return mish(z, e * (e + 2) / d, f, 1 + e / (1 + e), 4 * e * (e + 1) / d);
}

template <class R>
LawAt<R> cauchy(R u) {
  const R t = abs(u), f = 1 / (pi<R>() * (1 + u * u)), gate = 1 / R(2) + atan(u) / pi<R>();
  return {u < -1 ? atan(1 / t) / pi<R>() : gate, f, -2 * u / (1 + u * u) * f, {}, {}, -log1p(u * u) / (2 * pi<R>())};
}

template <class R>
LawAt<R> lomax(R u) {
  const R t = abs(u), side = 1 / (2 * (1 + t)), f = 2 * side * side;
  // By its series where the difference cancels.
  R change = -(log1p(t) - t / (1 + t)) / 2;
  if (t < R(1) / 64) {
    change = 0;
    for (int n = 40; n >= 2; --n) change = t * (change - (n % 2 ? -1 : 1) * R(n - 1) / (2 * R(n)));
    change *= t;
  }
  return {u < 0 ? side : 1 - side, f, (u < 0 ? 4 : -4) * f * side, {}, {}, change};
}

/// Student's law by b itself: scale and location are 1 and 0.
template <class R>
LawAt<R> student(R z, R b) {
  const R r = sqrt(z * z + b), t = abs(z), side = b / (2 * r * (r + t)), f = b / (2 * r * r * r),
          tail = b / (2 * (r + t));
  return {z < 0 ? side : 1 - side,  f,           -3 * z * f / (r * r),
          std::max(z, R(0)) + tail, b / (2 * r), -z * z * sqrt(b) / (2 * r * (r + sqrt(b)))};
}

template <class R>
Reference<R> squareplus(R z, R b) {
  const LawAt<R> at = student(z, b);
  Reference<R> r;
  r.value = at.loss;
  r.slope = at.gate;
  r.curvature = at.density;
  r.parameter_slopes[0] = at.correction / (2 * b);
  r.mixed_curvatures[0] = -z * at.density / (2 * b);
  r.parameter_curvatures[0] = -at.density / (4 * b);
  return r;
}

/// u = z / sqrt(b)
template <class R>
Reference<R> t2_transmission(R z, R b) {
  Reference<R> r = transmission(z, R(0), R(1), student(z, b));
  const R rate = 1 / sqrt(b), u = z * rate;
  add_parameters<R, 1>(r, z, rate, student(u, R(1)), {{{-u / (2 * b), -rate / (2 * b)}}}, {3 * u / (4 * b * b)});
  return r;
}

template <class R>
Reference<R> gelu(R z, R m, R s) {
  return transmission(z, m, s, normal<R>((z - m) / s));
}

template <class R>
Reference<R> dgelu(R z, R gamma) {
  const LawAt<R> at = normal(z);
  Reference<R> r;
  r.value = {z * at.gate, gamma * at.correction_change};
  r.slope = {at.gate, (1 - gamma) * z * at.density};
  r.curvature = {(2 - gamma) * at.density, -(1 - gamma) * z * z * at.density};
  r.parameter_slopes[0] = at.correction_change;
  r.mixed_curvatures[0] = -z * at.density;
  return r;
}

template <class R>
Reference<R> softplus(R z, R k) {
  const LawAt<R> at = logistic<R>(k * z);
  Reference<R> r;
  r.value = at.loss / k;
  r.slope = at.gate;
  r.curvature = k * at.density;
  r.parameter_slopes[0] = -at.correction / (k * k);
  r.mixed_curvatures[0] = z * at.density;
  r.parameter_curvatures[0] = {2 * at.correction / (k * k * k), z * z * at.density / k};
  r.tail = at.density;
  return r;
}

/// exp(-u) - 1 + u
template <class R>
R exponential_loss(R u) {
  if (u > 1) return u + expm1(-u);
  R sum = 0;
  for (int n = 60; n >= 2; --n) sum = (1 - sum) * u / n;
  return sum * u;
}

template <class R>
Reference<R> expelu(R z, R k) {
  const R u = k * z, f = u > 0 ? exp(-u) : R(0), gate = u > 0 ? -expm1(-u) : R(0);
  const R loss = u > 0 ? exponential_loss(u) : R(0);
  Reference<R> r = by_rate(z, k, LawAt<R>{gate, f, -f, loss, loss - u * gate, loss - u * gate});
  r.correction = {r.loss->exact, -z * gate};
  r.centred = *r.loss;
  if (z == 0) r.density = k;
  return r;
}

/// The integral of 1 / (1 + t^k) from 0 to u, k even, by partial fractions: arctan u for k = 2.
template <class R>
R log_logistic_complement(R u, int k) {
  R sum = 0;
  for (int j = 1; j < k; j += 2) {
    const R c = cos(j * pi<R>() / k), s = sin(j * pi<R>() / k);
    sum += -c * log(u * u - 2 * u * c + 1) + 2 * s * (atan((u - c) / s) + atan(c / s));
  }
  return sum / k;
}

/// The integral of w / (1 + w) from 0 to u, w = u^k: an alternating series near 0, else by the complement.
template <class R>
R log_logistic_loss(R u, R w, int k) {
  if (w > R(0.25)) return u - log_logistic_complement(u, k);
  R sum = 0;
  for (int n = 100; n >= 1; --n) sum = w * (R(1) / (n * k + 1) - sum);
  return u * sum;
}

template <class R>
Reference<R> e_gem(R z, R shape, R eps) {
  const int k = 2 * static_cast<int>(static_cast<double>(shape));
  const R scale = exp(log(eps) / k), u = std::max(z, R(0)) / scale;
  R w = 1, v = 1;  // u^k and its inverse
  for (int i = 0; i < k; ++i) (u > 1 ? v : w) *= u > 1 ? 1 / u : u;
  const R gate = u > 1 ? 1 / (1 + v) : w / (1 + w), other = u > 1 ? v / (1 + v) : 1 / (1 + w);
  const R z_f = k * gate * other, f = z > 0 ? z_f / z : R(0);
  Reference<R> r;
  r.value = z * gate;
  r.slope = {gate, z_f};
  r.curvature = {2 * f, f * (k - 1 - 2 * k * gate)};
  r.gate = gate;
  r.density = f;
  r.density_slope = z > 0 ? (f / z) * Term<R>(R(k - 1), -2 * k * gate) : Term<R>(R(0));
  r.loss = scale * log_logistic_loss(u, u > 1 ? R(1) : w, k);
  r.correction = {r.loss->exact, -z * gate};
  r.centred = *r.loss;
  r.parameter_slopes[1] = -z * gate * other / eps;
  r.mixed_curvatures[1] = (-gate * other / eps) * Term<R>(R(1), k * (1 - 2 * gate));
  r.parameter_curvatures[pair_index(1, 1, 2)] = 2 * z * gate * other * other / (eps * eps);
  r.tail = gate * other * std::min(u, 1 / u);
  return r;
}

template <class R>
Reference<R> se_gem(R z, R shape, R eps, R eta) {
  const Reference<R> above = e_gem(abs(z), shape, eps);
  const R share = z < 0 ? eta : R(1), odd = z < 0 ? -eta : R(1);
  Reference<R> r;
  r.value = odd * above.value;
  r.slope = share * above.slope;
  r.curvature = odd * above.curvature;
  const R below = z < 0 ? R(1) : R(0);
  r.parameter_slopes = {R(0), odd * above.parameter_slopes[1], -below * above.value};
  r.mixed_curvatures = {R(0), share * above.mixed_curvatures[1], below * above.slope};
  r.parameter_curvatures[pair_index(1, 1, 3)] = odd * above.parameter_curvatures[pair_index(1, 1, 2)];
  r.parameter_curvatures[pair_index(1, 2, 3)] = -below * above.parameter_slopes[1];
  r.tail = above.tail;
  return r;
}

/// z F for F = (z - lower) / (upper - lower) between the knees.
template <class R>
Reference<R> between_knees(R z, R lower, R upper) {
  const R width = upper - lower, x = z - lower, mean = (lower + upper) / 2;
  const R held = std::min(upper, std::max(lower, z));
  Reference<R> r;
  const bool inside = z > lower && z < upper;
  const R gate = inside ? x / width : R(z >= upper), f = inside ? 1 / width : R(0);
  r.value = z * gate;
  r.slope = {gate, z * f};
  r.curvature = 2 * f;
  r.gate = gate;
  r.density = f;
  r.density_slope = R(0);
  r.loss = inside ? x * x / (2 * width) : z >= upper ? z - mean : R(0);
  r.correction = inside ? Term<R>(-z * z / (2 * width), lower * lower / (2 * width)) : Term<R>(-mean * gate);
  r.centred = {z * gate, -held * held / (2 * width)};
  return r;
}

/// z above 0, another value, slope and curvature up to it.
template <class R>
Reference<R> meeting_at_0(R z, R value, R slope, R curvature, R parameter_slope, R mixed_curvature) {
  Reference<R> r;
  const bool above = z > 0;
  r.value = above ? z : value;
  r.slope = above ? R(1) : slope;
  r.curvature = above ? R(0) : curvature;
  r.parameter_slopes[0] = above ? R(0) : parameter_slope;
  r.mixed_curvatures[0] = above ? R(0) : mixed_curvature;
  return r;
}

template <class R>
Reference<R> relu(R z) {
  Reference<R> r;
  r.value = std::max(z, R(0));
  r.loss = r.centred = r.value;
  r.slope = R(z > 0);
  r.gate = R(z >= 0);
  r.correction = R(0);
  return r;
}

template <class R>
std::optional<Reference<R>> reference(std::string_view name, const R* p, R z) {
  std::optional<Reference<R>> r;
  if (name == "relu") {
    r = relu(z);
  } else if (name == "identity") {
    r = meeting_at_0<R>(z, z, 1, 0, 0, 0);
  } else if (name == "leaky_relu" || name == "prelu") {
    r = meeting_at_0<R>(z, p[0] * z, p[0], 0, z, 1);
  } else if (name == "elu") {
    r = meeting_at_0<R>(z, p[0] * expm1(z), p[0] * exp(z), p[0] * exp(z), expm1(z), exp(z));
    r->tail = z > 0 ? R(1) : exp(z);
  } else if (name == "gelu") {
    r = gelu(z, R(0), R(1));
  } else if (name == "gelu_mu_sigma") {
    r = gelu(z, p[0], p[1]);
    r->centred = {r->loss->exact, -p[1] * normal<R>(-p[0] / p[1]).loss};
    const R rate = 1 / p[1], u = (z - p[0]) * rate;
    add_parameters<R, 2>(*r, z, rate, normal(u), {{{-rate, R(0)}, {-u * rate, -rate * rate}}},
                         {R(0), rate * rate, 2 * u * rate * rate});
  } else if (name == "lambda_gelu") {
    r = by_rate(z, p[0], normal<R>(p[0] * z));
  } else if (name == "dgelu") {
    r = dgelu(z, p[0]);
  } else if (name == "gelu_tanh") {
    r = gelu_tanh(z);
  } else if (name == "mish") {
    r = mish(z);
  } else if (name == "silu") {
    r = by_rate(z, p[0], logistic<R>(p[0] * z));
  } else if (name == "softplus") {
    r = softplus(z, p[0]);
  } else if (name == "expelu") {
    r = expelu(z, p[0]);
  } else if (name == "gem") {
    r = e_gem(z, p[0], R(1));
  } else if (name == "e_gem") {
    r = e_gem(z, p[0], p[1]);
  } else if (name == "se_gem") {
    r = se_gem(z, p[0], p[1], p[2]);
  } else if (name == "uelu") {
    r = between_knees(z, -p[0], p[0]);
    const R f = r->density->exact;
    r->parameter_slopes[0] = -2 * z * z * f * f;
    r->mixed_curvatures[0] = -4 * z * f * f;
    r->parameter_curvatures[0] = 8 * z * z * f * f * f;
  } else if (name == "hard_swish") {
    r = between_knees(z, R(-3), R(3));
  } else if (name == "aqulu") {
    r = between_knees(z, -p[1] / p[0], (1 - p[1]) / p[0]);
    const R inside = r->curvature.exact != 0;
    r->parameter_slopes = {inside * z * z, inside * z};
    r->mixed_curvatures = {2 * inside * z, inside};
  } else if (name == "iglu" || name == "iglu_approx") {
    r = by_rate(z, p[0], name == "iglu" ? cauchy<R>(p[0] * z) : lomax<R>(p[0] * z));
  } else if (name == "t2_transmission") {
    r = t2_transmission(z, p[0]);
  } else if (name == "squareplus") {
    r = squareplus(z, p[0]);
  }
  return r;
}

}  // namespace limen::test
