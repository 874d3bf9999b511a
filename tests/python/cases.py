# Part of limen. SPDX-License-Identifier: MIT
"""What several files of tests share."""

import limen
import torch

NAMES = list(limen.registry.activations)
LEARNABLE = [name for name in NAMES if any(p.learnable for p in limen.registry.activations[name].parameters)]

# Away from the points where some activation has a kink at its default.
POINTS = torch.tensor([-7.3, -2.6, -1.1, -0.7, -0.3, 0.2, 0.8, 1.7, 4.4], dtype=torch.float64)


def other_values(info):
    """For each parameter a value that is not its default, as arguments."""
    values = {}
    for p in info.parameters:
        values[p.argument] = 2.0 if p.integer else 0.25 if "1" in p.domain else p.default + 0.375
    return values


def raises(kind, parts, call):
    """The call fails with this kind of error, whose one line has all parts."""
    try:
        call()
    except kind as error:
        assert all(part in str(error) for part in parts), error
        assert "\n" not in str(error), error
    else:
        raise AssertionError(f"expected an error with {parts}, got none")
