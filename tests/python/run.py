# Part of limen. SPDX-License-Identifier: MIT
"""Runs a file of this folder with pytest. Exits with 77 (skipped) where this Python lacks PyTorch or pytest, or where pytest
skipped everything. Usage, from the root of the tree: LIMEN_OPS=LIBRARY PYTHONPATH=python python tests/python/run.py FILE..."""

import pathlib
import sys

try:
    import pytest
    import torch  # noqa: F401
except ImportError as error:
    print(f"skipped: {sys.executable} lacks a part of these tests ({error}); try pip install torch==2.13.0 pytest")
    sys.exit(77)


class Outcomes:
    def __init__(self):
        self.counts = {"passed": 0, "failed": 0, "skipped": 0}

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.outcome != "passed":
            self.counts[report.outcome] += 1


here = pathlib.Path(__file__).parent
outcomes = Outcomes()
code = pytest.main(
    ["-q", "-ra", "-p", "no:cacheprovider", f"--rootdir={here}", *(str(here / name) for name in sys.argv[1:])], plugins=[outcomes]
)
nothing_ran = outcomes.counts["skipped"] and not outcomes.counts["passed"] and not outcomes.counts["failed"]
sys.exit(77 if code == 0 and nothing_ran else int(code))
