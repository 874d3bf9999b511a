# Part of limen. SPDX-License-Identifier: MIT
"""symbols.py LIBRARY [BUILD_TYPE]: what the units of liblimen_kernels.a show to the linker, and what they are made of.

A function that two units define under one name is kept once, for every caller. If the copy that is kept was compiled
for AVX-512, the library dies on processors without it, even where nobody asked for AVX-512. So a unit compiled for a
newer instruction set may define no function that others can see; its table is data. Each unit must also contain
instructions of its set, and none of a later one.
"""

import re
import subprocess
import sys

SKIPPED = 77
WIDEST = {"sse4": "xmm", "avx2": "ymm", "avx512": "zmm"}  # the widest register of each
UNITS = {f"kernels_{isa}_{type}": width for isa, width in WIDEST.items() for type in ("f32", "f64")}
WIDTHS = ["xmm", "ymm", "zmm"]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def by_member(text, header):
    """Splits the output for an archive into {unit name: lines}."""
    members, lines = {}, []
    for line in text.splitlines():
        match = re.match(header, line)
        if match:
            lines = members.setdefault(match[1].split(".")[0], [])
        else:
            lines.append(line)
    return members


def visible_functions(lines):
    """Capital letters are global, w and i weak or indirect; D, R, B and V hold data, U is someone else's, v weak data."""
    symbols = (re.match(r"[0-9a-f]+ (\w) (.*)", line) for line in lines)
    return [f"{m[1]} {m[2]}" for m in symbols if m and m[1] in "TWwiA"]


def main():
    library, build_type = sys.argv[1], (sys.argv + [""])[2]
    if build_type not in ("Release", "RelWithDebInfo", "MinSizeRel"):
        print(f"skipped: a {build_type or 'plain'} build does not inline all that a release build does")
        return SKIPPED
    symbols = by_member(run("nm", "-C", library), r"(\S+\.o):$")
    code = by_member(run("objdump", "-d", "--no-show-raw-insn", library), r"(\S+\.o):\s+file format")
    faults = []
    for unit, width in UNITS.items():
        if unit not in symbols:
            faults.append(f"{unit} is not in {library}")
            continue
        faults += [f"{unit} shows a function to the linker: {s}" for s in visible_functions(symbols[unit])]
        text = "\n".join(code[unit])
        if "%" + width not in text:
            faults.append(f"{unit} has no instruction on {width} registers")
        faults += [f"{unit} uses {w} registers" for w in WIDTHS[WIDTHS.index(width) + 1:] if "%" + w in text]
    for unit in set(code) - set(UNITS):
        text = "\n".join(code[unit])
        faults += [f"{unit} is for every processor and uses {w} registers" for w in WIDTHS[1:] if "%" + w in text]
    print("\n".join(faults) or f"{len(UNITS)} units show nothing but data")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
