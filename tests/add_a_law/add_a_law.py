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
import tempfile

NAME = "laplace"


def run(*command, cwd=None, expect=0):
    done = subprocess.run([str(c) for c in command], cwd=cwd, capture_output=True, text=True)
    if done.returncode != expect:
        print(done.stdout[-4000:], done.stderr[-4000:], sep="\n")
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}, expected {expect}")
    return done.stdout


def copy_tree(source, tree):
    names = subprocess.run(["git", "ls-files"], cwd=source, capture_output=True, text=True).stdout.splitlines()
    if not names:
        sys.exit("add_a_law.py copies what git tracks, and this tree is no checkout")
    for name in names:
        if (source / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source / name, tree / name)


def add_the_law(tree):
    """Runs the page's own commands."""
    page = (tree / "docs/add-a-law.md").read_text()
    commands = re.search(r"To add it:\n\n```sh\n(.*?)```", page, re.S)[1]
    run("bash", "-ec", commands, cwd=tree)


def write_what_changed(source, tree):
    """So that a second run rebuilds nothing."""
    for path in filter(pathlib.Path.is_file, source.rglob("*")):
        to = tree / path.relative_to(source)
        if not (to.exists() and to.read_bytes() == path.read_bytes()):
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, to)


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
    source, tree = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    build = tree / "build"
    with tempfile.TemporaryDirectory() as fresh:
        copy_tree(source, pathlib.Path(fresh))
        add_the_law(pathlib.Path(fresh))
        write_what_changed(pathlib.Path(fresh), tree)
    run("cmake", "-S", tree, "-B", build, "-G", "Ninja", *sys.argv[3:])
    run("ninja", "-C", build, "limen", "core_test", "kernels_test", "operators_test")
    check_program(build)
    for program in ("core_test", "kernels_test", "operators_test"):
        run(build / "tests" / program)
    print(f"{NAME}: a header and an entry in the registry; listed, evaluated, run by kernels and operator, tested, documented")


main()
