# Part of limen. SPDX-License-Identifier: MIT
"""Adds the worked example of docs/add-a-law.md to a copy of the tree, as a reader would: a header and its entry in the registry.
The copy must then list it, evaluate it, run it in every kernel and in the operator, test it, and put it into the documents.

add_a_law.py SOURCE_DIR COPY CMAKE_ARGUMENT..."""

import json
import math
import pathlib
import re
import shutil
import subprocess
import sys

NAME = "laplace"


def run(*command, cwd=None, expect=0):
    done = subprocess.run([str(c) for c in command], cwd=cwd, capture_output=True, text=True)
    if done.returncode != expect:
        print(done.stdout[-4000:], done.stderr[-4000:], sep="\n")
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}, expected {expect}")
    return done.stdout


def copy_tree(source, tree):
    """Only what changed is written, so that a second run rebuilds nothing."""
    names = subprocess.run(["git", "ls-files"], cwd=source, capture_output=True, text=True).stdout.split("\n")
    if names == [""]:
        sys.exit("add_a_law.py copies what git tracks, and this tree is no checkout")
    for name in filter(None, names):
        from_path, to_path = source / name, tree / name
        if from_path.is_file() and not (to_path.exists() and to_path.read_bytes() == from_path.read_bytes()):
            to_path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(from_path, to_path)


def add_the_law(source, tree):
    header = (source / "examples/add_a_law" / f"{NAME}.h").read_text()
    registry = (source / "include/limen/registry.h").read_text()
    include = '#include "limen/laws/normal.h"\n'
    assert registry.count(include) == 1
    registry = registry.replace(include, f'#include "limen/laws/{NAME}.h"\n{include}')
    entry = re.search(r"using Registry = TypeList<.*?>;", registry, re.S)[0]
    longer = re.sub(r"(TypeList<\s*(?://)?\s*)", rf"\1\n    activations::Transmission<laws::{NAME.capitalize()}>,", entry, count=1)
    registry = registry.replace(entry, longer)
    for path, text in ((tree / f"include/limen/laws/{NAME}.h", header), (tree / "include/limen/registry.h", registry)):
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


def check_program(build):
    limen = build / "limen"
    listed = json.loads(run(limen, "list", "--json"))
    assert NAME in json.dumps(listed), "limen list --json does not know the law"
    assert NAME in run(limen, "list"), "limen list does not show it"
    assert NAME in run(limen, "list", "--markdown"), "the page of functions does not have it"

    rows = build / "rows.csv"
    rows.write_text(f"activation,params,z\n{NAME},scale=2,-3\n{NAME},scale=2,3\n")
    lines = run(limen, "eval", "--csv", rows).splitlines()
    column = lines[0].split(",").index("value")
    low, high = (float(line.split(",")[column]) for line in lines[1:])
    assert math.isclose(low, -3 * 0.5 * math.exp(-1.5), rel_tol=1e-14), low
    assert math.isclose(high, 3 * (1 - 0.5 * math.exp(-1.5)), rel_tol=1e-14), high
    for path in ("scalar", "sse4"):
        run(limen, "eval", NAME, "--path", path, "--dtype", "f32", "1.5")


def main():
    source, work = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    tree = work
    build = tree / "build"
    copy_tree(source, tree)
    add_the_law(source, tree)
    run("cmake", "-S", tree, "-B", build, "-G", "Ninja", *sys.argv[3:])
    run("ninja", "-C", build, "limen", "core_test", "kernels_test", "torch_test")
    check_program(build)
    for program in ("core_test", "kernels_test", "torch_test"):
        run(build / "tests" / program)
    print(f"{NAME}: a header and an entry in the registry; listed, evaluated, run by kernels and operator, tested, documented")


main()
