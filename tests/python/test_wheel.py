# Part of limen. SPDX-License-Identifier: MIT
"""A wheel, built and installed where there is PyTorch and nothing else. Slow: it compiles the operators (minutes).

Both environments see this Python's PyTorch by a path file, so nothing of its size is installed again.
"""

import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import zipfile

import pytest

TREE = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = "limen/liblimen_torch_ops.so"


def run(*command, **options):
    # The package under test is the installed one, not the tree's.
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "LIMEN_OPS")}
    return subprocess.run(command, capture_output=True, text=True, env=environment | options.pop("env", {}), **options)


def environment_with_torch(folder):
    """The Python of a new environment that sees the PyTorch of this one."""
    done = run(sys.executable, "-m", "venv", folder)
    if done.returncode:
        pytest.skip(f"{sys.executable} cannot make an environment: {(done.stderr or done.stdout).strip().splitlines()[-1]}")
    python = folder / "bin/python"
    packages = pathlib.Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").stdout.strip())
    (packages / "torch.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python, packages


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    python, _ = environment_with_torch(folder / "build")
    done = run(python, "-m", "pip", "install", "--disable-pip-version-check", "scikit-build-core>=0.11")
    if done.returncode:
        pytest.skip(f"pip cannot install scikit-build-core (is there a network?): {done.stderr.strip().splitlines()[-1]}")
    done = run(python, "-m", "pip", "wheel", TREE, "--no-build-isolation", "--no-deps", "--no-index", "-w", folder)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    python, packages = environment_with_torch(tmp_path_factory.mktemp("clean") / "venv")
    done = run(python, "-m", "pip", "install", "--disable-pip-version-check", "--no-deps", "--no-index", wheel)
    assert done.returncode == 0, done.stderr
    return python, packages


def test_the_wheel_serves_every_python_and_holds_what_it_should(wheel):
    version = re.findall(r"project\(limen VERSION ([0-9.]+)", (TREE / "CMakeLists.txt").read_text())[0]
    assert wheel.name.startswith(f"limen-{version}-py3-none-linux_")
    names = zipfile.ZipFile(wheel).namelist()
    sources = {f"limen/{path.name}" for path in (TREE / "python/limen").iterdir() if path.suffix in (".py", ".pyi")}
    assert {n for n in names if n.startswith("limen/")} == sources | {"limen/py.typed", LIBRARY}
    assert all(n.startswith(("limen/", f"limen-{version}.dist-info/")) for n in names)
    metadata = zipfile.ZipFile(wheel).read(f"limen-{version}.dist-info/METADATA").decode()
    assert re.findall("^Requires-Dist: (.*)$", metadata, re.M) == ["torch<2.14,>=2.13"]


def test_the_library_names_no_folder_of_the_machine_that_built_it(installed):
    done = run("readelf", "-d", installed[1] / LIBRARY)
    assert re.findall(r"R(?:UN)?PATH.*\[(.*)\]", done.stdout) == ["$ORIGIN/../torch/lib"], done.stdout


def test_it_imports_where_there_is_pytorch_alone(installed, tmp_path):
    # Without a PATH there is no compiler to call.
    code = "import limen, torch; print(limen.__file__); print(limen.UELU(beta=1.0)(torch.tensor([0.5])).item())"
    done = run(installed[0], "-c", code, cwd=tmp_path, env={"PATH": ""})
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(installed[1] / "limen/__init__.py"), "0.375"]


@pytest.mark.parametrize("isa", ["scalar", "sse4"])
def test_it_runs_on_the_oldest_processors(installed, tmp_path, isa):
    code = "import limen, torch; print(limen.functional.relu(torch.ones(99)).sum().item())"
    done = run(installed[0], "-c", code, cwd=tmp_path, env={"LIMEN_ISA": isa})
    assert done.stdout.strip() == "99.0", done.stderr


def test_without_pytorch_the_import_says_so(installed, tmp_path):
    (installed[1] / "torch.pth").rename(tmp_path / "torch.pth")
    try:
        done = run(installed[0], "-c", "import limen", cwd=tmp_path)
    finally:
        (tmp_path / "torch.pth").rename(installed[1] / "torch.pth")
    assert done.stderr.strip().splitlines()[-1].startswith("ImportError: limen: expected PyTorch 2.13, got none; try pip install")
