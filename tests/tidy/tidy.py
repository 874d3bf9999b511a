# Part of limen. SPDX-License-Identifier: MIT
"""The house rules that a machine can read, each a test: python3 tidy.py SOURCE_DIR RULE."""

import pathlib
import re
import shutil
import subprocess
import sys

CORE = {"math", "laws", "activations", "registry"}
BASE = CORE | {"common"}  # common: error.h, names.h and digits.h, which any room above the core may use
# What each room may include besides itself: data and includes flow one way.
MAY_INCLUDE = {
    "common": set(),
    "math": set(),
    "laws": {"math"},
    "activations": {"math", "laws"},
    "registry": CORE,
    "kernels": CORE,
    "operators": BASE | {"kernels"},
    "blocks": BASE | {"kernels", "operators"},
    "models": BASE | {"kernels", "operators", "blocks"},
    "io": BASE,
    "figures": BASE | {"io"},
    "data": BASE | {"io"},
    "train": BASE | {"kernels", "operators", "blocks", "models", "io", "data"},
    "study": BASE | {"io", "data", "train"},
    "report": BASE | {"io", "figures", "data", "train", "study"},
    "tools": BASE | {"kernels", "figures"},
    "cli": BASE | {"kernels", "operators", "blocks", "models", "io", "figures", "data", "train", "study", "report",
                   "tools"},
}
# The core stands on the standard library alone and cannot fail; kernels add Highway.
SILENT = {"math", "laws", "activations", "registry", "kernels"}
LINE_LIMIT, FILE_LIMIT, FUNCTION_LIMIT = 120, 500, 70


def tracked(root, *endings):
    names = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True).stdout.split("\n")
    if names == [""]:  # a copy of the tree that is no checkout
        names = [str(p.relative_to(root)) for p in root.rglob("*") if p.is_file() and ".git" not in p.parts]
        names = [n for n in names if not n.startswith(("build", ".venv", "limen-"))]
    return [root / n for n in names if n.endswith(endings) and (root / n).exists()]


def room_of(path):
    """The room of a path as written in an include or from the root of the tree, or None outside the house."""
    parts = pathlib.PurePosixPath(path).parts
    if parts[:1] == ("include",):
        parts = parts[1:]
    if parts[:1] == ("limen",):
        if len(parts) > 2:
            return parts[1]
        return {"error.h": "common", "names.h": "common", "digits.h": "common", "kernels.h": "kernels", "walk.h": "kernels",
                "strided.h": "kernels", "cuda.h": "kernels", "torch.h": "operators"}.get(parts[1], "registry")
    if parts[:1] == ("src",):
        parts = parts[1:]
    return parts[0] if len(parts) > 1 and parts[0] in MAY_INCLUDE else None


def includes(root):
    for path in tracked(root, ".h", ".cpp", ".cu"):
        room = room_of(path.relative_to(root).as_posix())
        if room is None:
            continue
        if room not in MAY_INCLUDE:
            yield path, 1, f"room {room} is not in tidy.py's plan of the house"
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = re.match(r'#include ([<"])([^>"]+)[>"]', line)
            if not match:
                continue
            target = room_of(match[2]) if match[1] == '"' else None
            if match[1] == '"' and target is None and not (path.parent / match[2]).exists():
                yield path, number, f"{match[2]}: write the path from src/ or include/"
            if target and target != room and target not in MAY_INCLUDE[room]:
                yield path, number, f"{room} must not know {target}"
            if room in CORE and match[1] == "<" and ("/" in match[2] or match[2].endswith(".h")):
                yield path, number, f"the core includes only the standard library, not {match[2]}"


def core_is_silent(root):
    for path in tracked(root, ".h", ".cpp", ".cu"):
        if room_of(path.relative_to(root).as_posix()) not in SILENT:
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            code = line.split("//")[0]
            if re.search(r"\bthrow\b|\bprintf\b|std::cerr|std::cout|\bexit\(", code):
                yield path, number, "the core and the kernels never throw, print or exit"


def text(root):
    for path in tracked(root, ".h", ".cpp", ".cu", ".py", ".md", ".toml", ".cmake", ".txt"):
        content = path.read_text()
        source = path.suffix in {".h", ".cpp", ".cu"}
        if source and not content.startswith("// Part of limen. SPDX-License-Identifier: MIT\n"):
            yield path, 1, "the first line names the project and the licence"
        if path.suffix == ".h" and "#pragma once" not in content:
            yield path, 1, "a header says #pragma once"
        lines = content.splitlines()
        if source and len(lines) > FILE_LIMIT:
            yield path, FILE_LIMIT, f"{len(lines)} lines; a file of more than {FILE_LIMIT} does several things"
        for number, line in enumerate(lines, 1):
            if not line.isascii() and path.suffix != ".md":
                yield path, number, "only ASCII in sources"
            if source and len(line) > LINE_LIMIT:
                yield path, number, f"longer than {LINE_LIMIT} characters"
            if re.search(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b", line):
                yield path, number, "say it in the documents or do it"


def functions(root):
    """Relies on clang-format: a body ends at the first line that is its opener's indentation and a brace."""
    for path in tracked(root, ".h", ".cpp", ".cu"):
        lines = path.read_text().splitlines()
        for start, line in enumerate(lines):
            opener = re.match(r"( {0,4})[\w:<>~&*\[\] ].*\)[^;]*\{$", line)
            if not opener or line.lstrip().startswith(("namespace", "if", "for", "while", "switch", "#", "}", "else")):
                continue
            close = opener[1] + "}"
            length = next((i for i, l in enumerate(lines[start:]) if l.rstrip(";,)") == close), 0)
            if length > FUNCTION_LIMIT:
                yield path, start + 1, f"a function of {length} lines; {FUNCTION_LIMIT} fit a screen"


def links(root):
    for path in tracked(root, ".md"):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for target in re.findall(r"\]\(([^)#\s]+)", line):
                if "://" not in target and not (path.parent / target).exists():
                    yield path, number, f"the link to {target} leads nowhere"


def formatting(root):
    tool = shutil.which("clang-format")
    version = subprocess.run([tool, "--version"], capture_output=True, text=True).stdout if tool else "none"
    if "version 14." not in version:
        print(f"skipped: clang-format 14 decides, found {version.strip()}")
        sys.exit(77)
    for path in tracked(root, ".h", ".cpp", ".cu"):
        done = subprocess.run(["clang-format", "--dry-run", "--Werror", path], capture_output=True, text=True)
        if done.returncode:
            match = re.search(r":(\d+):\d+:", done.stderr)
            yield path, int(match[1]) if match else 1, "not formatted: run scripts/format"


RULES = [includes, core_is_silent, text, functions, links, formatting]


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    rule = {r.__name__: r for r in RULES}[sys.argv[2]]
    faults = [f"{path.relative_to(root)}:{number}: {what}" for path, number, what in rule(root)]
    print("\n".join(faults) or "clean")
    sys.exit(1 if faults else 0)


main()
