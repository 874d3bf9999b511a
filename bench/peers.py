#!/usr/bin/env python3
# Part of limen. SPDX-License-Identifier: MIT
"""limen beside PyTorch: the same tensors in one process, limen's operator, PyTorch's own (or the same function composed of its
operators) and, with --compile, torch.compile of that. Forward, backward, peak memory that a training step adds.

Each call is checked against float64 before it is timed; runs of the competitors take turns, so that a noisy machine hits all of them;
the median and the quartiles are printed, and every time as a ratio to limen's. `--table iglu` is the benchmark of the IGLU
paper's Table 1: 10,000 and 1,000,000 normal elements, 1,000 iterations after 100 of warm-up, time as a ratio to a copy.

Run from the source tree: LIMEN_OPS=build/src/operators/liblimen_torch_ops.so PYTHONPATH=python python bench/peers.py --help
"""

import argparse
import gc
import json
import math
import platform
import statistics
import subprocess
import sys
import time

import limen
import torch
import torch._functorch.config
from torch.nn import functional as F

# name: (limen, PyTorch's own or a composition of its operators)
PEERS = {
    "relu": (limen.functional.relu, F.relu),
    "gelu": (limen.functional.gelu, F.gelu),
    "gelu_tanh": (limen.functional.gelu_tanh, lambda x: F.gelu(x, approximate="tanh")),
    "silu": (limen.functional.silu, F.silu),
    "mish": (limen.functional.mish, F.mish),
    "softplus": (limen.functional.softplus, F.softplus),
    "hard_swish": (limen.functional.hard_swish, F.hardswish),
    "elu": (limen.functional.elu, F.elu),
    "leaky_relu": (limen.functional.leaky_relu, F.leaky_relu),
    "uelu": (limen.functional.uelu, lambda x: x * torch.clamp((x + 1.25) / 2.5, 0, 1)),
    "iglu": (limen.functional.iglu, lambda x: x * (0.5 + torch.atan(x) / math.pi)),
    "iglu_approx": (limen.functional.iglu_approx, lambda x: x * (0.5 + 0.5 * x / (1 + x.abs()))),
    "expelu": (limen.functional.expelu, lambda x: F.relu(x) * (1 - torch.exp(-F.relu(x)))),
}
TYPES = {"f32": torch.float32, "f64": torch.float64, "bf16": torch.bfloat16, "f16": torch.float16}
# Of the largest value: what PyTorch's own leave, mostly in their tails.
TOLERANCE = {"f32": 2e-6, "f64": 1e-13, "bf16": 1e-2, "f16": 2e-3}


def competitors(name, compiled):
    ours, theirs = PEERS[name]
    found = {"limen": ours, "torch": theirs}
    if compiled:
        torch._dynamo.reset()  # there is a limit to how many graphs a function may have
        torch._functorch.config.donated_buffer = False  # the same graph is run backward again and again
        found["compiled"] = torch.compile(theirs, dynamic=False)
    return found


def check(name, functions, x, kind):
    """Values and slopes of every competitor, against limen's in float64; a wrong one is not timed."""
    wide = x.detach().double().requires_grad_()
    expected = PEERS[name][0](wide)
    (slope,) = torch.autograd.grad(expected.sum(), wide)
    for who, function in functions.items():
        leaf = x.detach().requires_grad_()
        value = function(leaf)
        (own,) = torch.autograd.grad(value.sum(), leaf)
        for what, got, want in (("value", value, expected), ("slope", own, slope)):
            errors = (got.double() - want).abs().flatten().sort().values
            # A slope may jump at a knee, and rounding may put a point on either side of it.
            error = errors[-1 if what == "value" else -1 - len(errors) // 1000].item()
            if not error <= TOLERANCE[kind] * max(1, want.abs().max().item()):
                raise SystemExit(f"peers: {name}, {kind}: the {what} of {who} is off by {error:.3g}; nothing was timed")


def seconds(call, times):
    begin = time.perf_counter()
    for _ in range(times):
        call()
    return (time.perf_counter() - begin) / times


def in_turn(calls, samples, warm_up, least=0.005):
    """Samples of each call, one after the other."""
    times = {}
    for who, call in calls.items():
        for _ in range(warm_up):
            call()
        one = max(seconds(call, 3), 1e-7)
        times[who] = max(1, math.ceil(least / one))
    taken = {who: [] for who in calls}
    for _ in range(samples):
        for who, call in calls.items():
            taken[who].append(seconds(call, times[who]))
    return taken


def peak_memory(function, x):
    """Bytes that a forward and backward pass add at its worst, beside input and gradient."""
    leaf, grad = x.detach().requires_grad_(), torch.ones_like(x)
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True) as profile:
        function(leaf).backward(grad)
    now = peak = 0
    for event in profile.profiler.kineto_results.events():
        if event.name() == "[memory]":
            now += event.nbytes()
            peak = max(peak, now)
    return peak


def calls_of(direction, functions, x):
    if direction == "forward":
        plain = x.detach()

        def forward(function):
            def call():
                with torch.no_grad():
                    return function(plain)

            return call

        return {who: forward(function) for who, function in functions.items()}

    def backward(function):
        leaf = x.detach().requires_grad_()
        out, grad = function(leaf), torch.ones_like(x)
        return lambda: torch.autograd.grad(out, leaf, grad, retain_graph=True)

    return {who: backward(function) for who, function in functions.items()}


def measure(arguments):
    rows = []
    for name in arguments.names or PEERS:
        for kind in arguments.types:
            for count in arguments.elements:
                x = (torch.randn(count) * 2).to(TYPES[kind])
                functions = competitors(name, arguments.compile)
                check(name, functions, x, kind)
                for direction in ("forward", "backward"):
                    taken = in_turn(calls_of(direction, functions, x), arguments.samples, 10)
                    row = {"activation": name, "type": kind, "elements": count, "direction": direction}
                    for who, times in taken.items():
                        low, middle, high = statistics.quantiles(times, n=4)
                        row[who] = {"seconds": middle, "quartiles": [low, high]}
                    rows.append(row)
                memory = {who: peak_memory(function, x) for who, function in functions.items()}
                rows.append({"activation": name, "type": kind, "elements": count, "direction": "peak memory", **memory})
    return rows


def print_rows(rows):
    line = "{:12} {:5} {:>9} {:12} {:>12} {:>7} {:>17} {:>9} {:>9}"
    print(line.format("activation", "type", "elements", "direction", "limen", "ns/elem", "quartiles (us)", "torch", "compiled"))
    for row in rows:
        start = [row["activation"], row["type"], row["elements"], row["direction"]]
        if row["direction"] == "peak memory":
            size = row["elements"] * TYPES[row["type"]].itemsize
            others = [f"{row[who] / size:.1f} x" if who in row else "" for who in ("torch", "compiled")]
            print(line.format(*start, f"{row['limen'] / size:.1f} x input", "", "", *others))
            continue
        ours = row["limen"]["seconds"]
        low, high = (1e6 * end for end in row["limen"]["quartiles"])
        others = [f"{row[who]['seconds'] / ours:.2f} x" if who in row else "" for who in ("torch", "compiled")]
        print(line.format(*start, f"{1e6 * ours:.1f} us", f"{1e9 * ours / row['elements']:.3f}", f"{low:.1f}-{high:.1f}", *others))


def iglu_table(arguments):
    """Time over that of the identity, a copy into a new tensor by the same code path."""
    functions = {
        "identity": limen.functional.identity,
        "IGLU": limen.functional.iglu,
        "IGLU-Approx": limen.functional.iglu_approx,
        "GELU": limen.functional.gelu,
        "SiLU": limen.functional.silu,
        "ReLU": limen.functional.relu,
        "torch GELU": F.gelu,
        "torch SiLU": F.silu,
        "torch ReLU": F.relu,
        "torch IGLU": PEERS["iglu"][1],
        "torch IGLU-Approx": PEERS["iglu_approx"][1],
    }
    rows = []
    for count in (10_000, 1_000_000):
        x = torch.randn(count)
        for direction in ("forward", "backward"):
            calls = calls_of(direction, functions, x)
            for call in calls.values():
                for _ in range(100):
                    call()
            taken = {who: [] for who in calls}
            # Twenty calls in a row, so that what stands before in the turn does not decide what is in the cache.
            for _ in range(max(1, arguments.iterations // 20)):
                for who, call in calls.items():
                    taken[who].append(seconds(call, 20))
            base = statistics.median(taken["identity"])
            for who, times in taken.items():
                middle = statistics.median(times)
                rows.append({"elements": count, "direction": direction, "function": who, "seconds": middle, "of_identity": middle / base})
    line = "{:>9} {:9} {:18} {:>10} {:>9} {:>14}"
    if not arguments.json:
        print(line.format("elements", "direction", "function", "us", "ns/elem", "x identity"))
        for row in rows:
            print(
                line.format(
                    row["elements"], row["direction"], row["function"], f"{1e6 * row['seconds']:.1f}",
                    f"{1e9 * row['seconds'] / row['elements']:.3f}", f"{row['of_identity']:.2f}",
                )
            )
    return rows


def machine():
    model = platform.processor() or platform.machine()
    try:
        text = subprocess.run(["lscpu"], capture_output=True, text=True, check=True).stdout
        model = next(line.split(":")[1].strip() for line in text.splitlines() if line.startswith("Model name"))
    except (OSError, StopIteration, subprocess.CalledProcessError):
        pass
    return {"processor": model, "threads": torch.get_num_threads(), "torch": torch.__version__, "limen": limen.__version__}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"among {', '.join(PEERS)}; without any, all")
    parser.add_argument("--types", default="f32", help="f32 (default), f64, bf16, f16; separated by commas")
    parser.add_argument("--elements", default="10000,1000000,16000000", help="10000,1000000,16000000 (default)")
    parser.add_argument("--samples", type=int, default=15, help="15 (default), each of 5 ms or more")
    parser.add_argument("--threads", type=int, default=1, help="1 (default)")
    parser.add_argument("--compile", action="store_true", help="torch.compile of PyTorch's form too")
    parser.add_argument("--table", choices=["iglu"], help="the benchmark of the IGLU paper's Table 1 instead")
    parser.add_argument("--iterations", type=int, default=1000, help="of that table: 1000 (default)")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    arguments = parser.parse_args()
    for name in arguments.names:
        if name not in PEERS:
            parser.error(f"expected a name among {', '.join(PEERS)}, got {name}")
    arguments.types = arguments.types.split(",")
    for kind in arguments.types:
        if kind not in TYPES:
            parser.error(f"--types: expected f32, f64, bf16 or f16, got {kind}")
    arguments.elements = [int(count) for count in arguments.elements.split(",")]
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(1)
    gc.disable()

    about = machine()
    if not arguments.json:
        print(", ".join(f"{key} {value}" for key, value in about.items()))
    rows = iglu_table(arguments) if arguments.table else measure(arguments)
    if arguments.json:
        print(json.dumps({"machine": about, "rows": rows}, indent=2))
    elif not arguments.table:
        print_rows(rows)


if __name__ == "__main__":
    sys.exit(main())
