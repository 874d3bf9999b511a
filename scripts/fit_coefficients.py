#!/usr/bin/env python3
# Part of limen. SPDX-License-Identifier: MIT
"""Fits the coefficients of include/limen/math/coefficients/ and writes those headers.

    scripts/fit_coefficients.py [NAME...]      names: exponential, logarithm, normal, entropy, arctangent; all by default

Needs mpmath. Everything is computed with 80 digits: polynomials of least maximum error by Remez' exchange, their coefficients rounded
last. The largest error of each fit after that rounding is printed as a power of two, relative to the function that it serves. Run
clang-format on the result.
"""

import sys
from pathlib import Path

from mpmath import atan, cos, erfc, exp, expm1, floor, frexp, log, log1p, mp, mpf, pi, sqrt

mp.dps = 80
HERE = Path(__file__).resolve().parent.parent / "include" / "limen" / "math" / "coefficients"


class Type:
    """A floating-point type: its C++ name, digits of its mantissa, suffix of its literals."""

    def __init__(self, name, digits, suffix):
        self.name, self.digits, self.suffix = name, digits, suffix

    def round(self, x, digits=None):
        """The nearest number with so many binary digits."""
        x = mpf(x)
        if x == 0:
            return x
        _, exponent = frexp(x)
        unit = mpf(2) ** (exponent - (digits or self.digits))
        return floor(x / unit + mpf(1) / 2) * unit

    def literal(self, x):
        mantissa, exponent = float(self.round(x)).hex().split("p")
        return mantissa.rstrip("0").rstrip(".") + "p" + exponent + self.suffix


FLOAT = Type("float", 24, "f")
DOUBLE = Type("double", 53, "")


def chebyshev(a, b, n):
    return [(a + b) / 2 + (b - a) / 2 * cos(pi * (2 * k + 1) / (2 * n)) for k in range(n)]


def through(f, weight, points, alternate):
    """The polynomial through f at the points, or missing it there by one weighted amount of alternating sign."""
    n = len(points)
    matrix, right = mp.matrix(n, n), mp.matrix(n, 1)
    for i, x in enumerate(points):
        for j in range(n):
            matrix[i, j] = x**j
        if alternate:
            matrix[i, n - 1] = (-1) ** i / weight(x)
        right[i] = f(x)
    c = list(mp.lu_solve(matrix, right))
    return c[:-1] if alternate else c


def extremes(errors):
    """Where runs of one sign are largest."""
    best = []
    for i, e in enumerate(errors):
        if best and (e > 0) == (errors[best[-1]] > 0):
            if abs(e) > abs(errors[best[-1]]):
                best[-1] = i
        else:
            best.append(i)
    return best


def fit(f, a, b, degree, weight=lambda x: mpf(1)):
    """Coefficients, lowest first, of the polynomial p for which weight |p - f| is least on [a, b]."""
    a, b = mpf(a), mpf(b)
    grid = sorted(chebyshev(a, b, 16 * (degree + 2)))
    values, weights = [f(x) for x in grid], [weight(x) for x in grid]
    c = through(f, weight, chebyshev(a, b, degree + 1), False)
    for _ in range(12):
        at = extremes([w * (horner(c, x) - v) for x, v, w in zip(grid, values, weights)])
        size = [weights[i] * abs(horner(c, grid[i]) - values[i]) for i in at]
        while len(at) > degree + 2:
            drop = 0 if size[0] < size[-1] else -1
            at.pop(drop), size.pop(drop)
        if len(at) < degree + 2 or max(size) < mpf("1.02") * min(size):
            break
        c = through(f, weight, [grid[i] for i in at], True)
    return c


def horner(c, x):
    total = mpf(0)
    for a in reversed(c):
        total = total * x + a
    return total


def report(what, kind, error):
    print(f"{what} {kind.name}: 2^{float(log(error, 2)):.1f}", file=sys.stderr)


def nonzero(x):
    """x, moved off a removable singularity at 0."""
    return x if abs(x) > mpf(10) ** -15 else mpf(10) ** -15


def array(kind, name, values):
    return f"  static constexpr {kind.name} {name}[] = {{{', '.join(kind.literal(v) for v in values)}}};\n"


def header(name, comment, body):
    text = "// Part of limen. SPDX-License-Identifier: MIT\n//\n// Written by scripts/fit_coefficients.py.\n#pragma once\n\n"
    text += '#include <array>\n\n#include "limen/math/value.h"\n\n' if "Table<" in body else ""
    text += f"namespace limen::math::coefficients {{\n\n{comment}\n{body}\n}}  // namespace limen::math::coefficients\n"
    HERE.mkdir(exist_ok=True)
    (HERE / f"{name}.h").write_text(text)


def specialisations(name, body):
    text = f"template <class S>\nstruct {name};\n"
    for kind in (FLOAT, DOUBLE):
        text += f"template <>\nstruct {name}<{kind.name}> {{\n{body(kind)}}};\n"
    return text


def exponential():
    def body(kind):
        # n * ln2_high is exact for every exponent of the type, fused or not.
        ln2_high = kind.round(log(2), kind.digits - 11)
        ln2_low = kind.round(log(2) - ln2_high)
        q = lambda x: (exp(-nonzero(x)) - 1 + nonzero(x)) / nonzero(x) ** 2
        edge = log(2) / 2 * mpf("1.001")
        degree = {"float": 4, "double": 9}[kind.name]
        c = [kind.round(x) for x in fit(q, -edge, edge, degree, lambda x: nonzero(x) ** 2)]
        error = max(abs(1 - x + x * x * horner(c, x) - exp(-x)) / exp(-x) for x in chebyshev(-edge, edge, 200))
        report("exponential", kind, error)
        text = f"  static constexpr {kind.name} ln2_high = {kind.literal(ln2_high)}, ln2_low = {kind.literal(ln2_low)};\n"
        text += f"  static constexpr {kind.name} log2_e = {kind.literal(1 / log(2))};\n"
        return text + array(kind, "q", c)

    header("exponential", "/// exp(-x) = 1 - x + x^2 q(x) for |x| <= ln(2) / 2.", specialisations("Exponential", body))


def logarithm():
    def body(kind):
        degree = {"float": 7, "double": 21}[kind.name]
        p = lambda w: ((log1p(nonzero(w)) / nonzero(w) - 1) / nonzero(w) + mpf(1) / 2) / nonzero(w)
        c = [kind.round(x) for x in fit(p, 0, 1, degree, lambda w: w**3 / log1p(w))]
        error = max(abs(w - w * w / 2 + w**3 * horner(c, w) - log1p(w)) / log1p(w) for w in chebyshev(mpf(0), mpf(1), 200))
        report("logarithm", kind, error)
        return array(kind, "p", c)

    header("logarithm", "/// log(1 + w) = w - w^2 / 2 + w^3 p(w) for 0 <= w <= 1.", specialisations("Logarithm", body))


def entropy():
    def gap(v):
        """(ln 2 - entropy of a coin with odds exp(sqrt v)) / v"""
        t = sqrt(nonzero(v))
        w = exp(-t)
        return (log(2) - log1p(w) - t * w / (1 + w)) / t**2

    def body(kind):
        degree = {"float": 7, "double": 16}[kind.name]
        c = [kind.round(x) for x in fit(gap, 0, 4, degree)]
        error = max(abs(horner(c, v) - gap(v)) / gap(v) for v in chebyshev(mpf(0), mpf(4), 200))
        report("entropy", kind, error)
        return array(kind, "s", c)

    comment = "/// ln 2 - H(t) = t^2 s(t^2) for |t| <= 2, H the entropy in nats of a coin whose odds are exp(t)."
    header("entropy", comment, specialisations("Entropy", body))


def arctangent():
    middle = mpf(9) / 32  # a short number between the ends of the quotient, 1/pi and 1/4

    def quotient(v):
        s = sqrt(nonzero(v))
        return atan(s) / (pi * s)

    def excess(v):
        v = v if v > mpf(10) ** -30 else mpf(10) ** -30
        return (quotient(v) - 1 / (pi * (1 + v))) / v

    def body(kind):
        degrees = {"float": (8, 10), "double": (21, 22)}[kind.name]
        rest = [kind.round(x) for x in fit(lambda v: quotient(v) - middle, 0, 1, degrees[0], lambda v: 1 / quotient(v))]
        error = max(abs((middle + horner(rest, v)) / quotient(v) - 1) for v in chebyshev(mpf(0), mpf(1), 200))
        report("arctangent", kind, error)
        shifted = lambda d: excess(d + mpf(1) / 2)
        beyond = [kind.round(x) for x in fit(shifted, -0.5, 0.5, degrees[1], lambda d: 1 / shifted(d))]
        error = max(abs(horner(beyond, d) / shifted(d) - 1) for d in chebyshev(mpf(-0.5), mpf(0.5), 200))
        report("arctangent less w / (1 + w^2)", kind, error)
        text = f"  static constexpr {kind.name} middle = {kind.literal(middle)};\n"
        return text + array(kind, "rest", rest) + array(kind, "excess", beyond)

    comment = """/// arctan(w) / (pi w) = middle + rest(w^2) and arctan(w) - w / (1 + w^2) = pi w^3 excess(w^2 - 1/2) for
/// 0 <= w <= 1."""
    header("arctangent", comment, specialisations("Arctangent", body))


def gate_factor(t):
    """exp(t^2 / 2) times the normal law's upper tail, and its derivative"""
    value = exp(t * t / 2) * erfc(t / sqrt(mpf(2))) / 2
    return value, t * value - 1 / sqrt(2 * pi)


def loss_factor(t):
    """exp(t^2 / 2) times the normal law's loss at -t, and its derivative"""
    gate, slope = gate_factor(t)
    return -slope, -t * slope - gate


def node_near(kind, f, centre):
    """A number near the centre at which f and f' are nearly numbers of the type, so that rounding them costs next to nothing."""
    best = None
    for k in range(3000):
        node = kind.round(centre * (1 + (-1) ** k * mpf(k) / 10**7))
        value, slope = f(node)
        error = max(abs(kind.round(value) / value - 1), abs(kind.round(slope) / slope - 1) / 4)
        if best is None or error < best[0]:
            best = (error, node)
    return best[1]


def table(kind, name, f, entries, degree, rate, reach):
    """Polynomials in t - node; the piece is picked by the leading bits of 1 + rate t, which runs from 1 to 16"""
    parts = entries // 4
    nodes, columns, worst = [mpf(0)] * entries, [[mpf(0)] * (degree + 1) for _ in range(entries)], mpf(0)
    bias = 127 if kind is FLOAT else 1023
    for octave in range(4):
        for part in range(parts):
            a = (2**octave * (1 + mpf(part) / parts) - 1) / mpf(rate)
            b = (2**octave * (1 + mpf(part + 1) / parts) - 1) / mpf(rate)
            b = min(b, mpf(reach))
            if a >= b:
                continue
            node = node_near(kind, f, (a + b) / 2)
            rest = lambda d: (f(node + nonzero(d))[0] - f(node)[0]) / nonzero(d)
            c = fit(rest, a - node, b - node, degree - 1, lambda d: abs(nonzero(d)) / f(node + d)[0])
            c = [kind.round(x) for x in [f(node)[0]] + c]
            worst = max([worst] + [abs(horner(c, t - node) / f(t)[0] - 1) for t in chebyshev(a, b, 60)])
            index = ((bias + octave) * parts + part) % entries
            nodes[index], columns[index] = node, c
    report(f"{name}, {entries} pieces of degree {degree},", kind, worst)
    rows = [nodes] + [[column[j] for column in columns] for j in range(degree + 1)]
    lines = ",\n".join("{{" + ", ".join(kind.literal(v) for v in row) + "}}" for row in rows)
    return f"  static constexpr std::array<Table<{kind.name}, {entries}>, {len(rows)}> {name} = {{{{{lines}}}}};\n"


def normal():
    def body(kind):
        entries, degree, rate, reach = {"float": (8, 8, 0.9375, 15.3), "double": (32, 13, 0.3671875, 40)}[kind.name]
        loss_entries, loss_degree = {"float": (16, 7), "double": (32, 13)}[kind.name]
        text = f"  static constexpr {kind.name} rate = {kind.literal(rate)};\n"
        text += table(kind, "gate", gate_factor, entries, degree, rate, reach)
        return text + table(kind, "loss", loss_factor, loss_entries, loss_degree, rate, reach)

    comment = """/// For T ~ N(0, 1): P(T > t) = exp(-t^2 / 2) gate(t) and E(T - t)+ = exp(-t^2 / 2) loss(t), t >= 0. A factor is a
/// polynomial in t - node; its piece is picked by the leading bits of 1 + rate t. The first row holds the nodes."""
    header("normal", comment, specialisations("Normal", body))


def main():
    known = {f.__name__: f for f in (exponential, logarithm, entropy, normal, arctangent)}
    for name in sys.argv[1:] or known:
        if name not in known:
            sys.exit(f"expected one of {', '.join(known)}, got {name}")
        known[name]()


if __name__ == "__main__":
    main()
