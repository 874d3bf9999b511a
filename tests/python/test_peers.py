# Part of limen. SPDX-License-Identifier: MIT
"""bench/peers.py: it runs, warms up, and times nothing that computes something else."""

import json
import pathlib
import subprocess
import sys

PEERS = pathlib.Path(__file__).parents[2] / "bench" / "peers.py"


def run(*arguments):
    return subprocess.run([sys.executable, PEERS, *arguments], capture_output=True, text=True)


def test_row151_peers_gives_medians_with_quartiles():
    done = run("uelu", "gelu", "--elements", "500", "--samples", "3", "--types", "f32,bf16", "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["rows"]
    assert [row["direction"] for row in rows] == ["forward", "backward", "peak memory"] * 4
    for row in rows:
        if row["direction"] == "peak memory":
            assert 0 < row["limen"] <= row["torch"]
            continue
        for who in ("limen", "torch"):
            low, high = row[who]["quartiles"]
            assert 0 < low <= row[who]["seconds"] <= high


def test_peers_makes_the_table_of_the_iglu_paper():
    done = run("--table", "iglu", "--iterations", "20", "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["rows"]
    assert {row["elements"] for row in rows} == {10_000, 1_000_000}
    assert all(row["of_identity"] == 1 for row in rows if row["function"] == "identity")


def test_peers_times_nothing_that_is_wrong(tmp_path):
    broken = tmp_path / "peers.py"
    broken.write_text(PEERS.read_text().replace('"silu": (limen.functional.silu, F.silu)', '"silu": (limen.functional.silu, F.gelu)'))
    done = subprocess.run([sys.executable, broken, "silu", "--elements", "500"], capture_output=True, text=True)
    assert done.returncode == 1 and "the value of torch is off by" in done.stderr and "nothing was timed" in done.stderr


def test_peers_knows_its_names():
    done = run("sillu")
    assert done.returncode == 2 and "expected a name among" in done.stderr and "sillu" in done.stderr
