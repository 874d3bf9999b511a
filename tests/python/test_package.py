# Part of limen. SPDX-License-Identifier: MIT
"""The package as a whole: what it lists, its stubs, its version, and what it says where a part is missing."""

import importlib.util
import inspect
import os
import pathlib
import re
import subprocess
import sys

import limen
import torch
from cases import NAMES

TREE = pathlib.Path(__file__).resolve().parents[2]


def test_every_name_has_a_function_and_a_class_of_its_own():
    names = NAMES + list(limen.registry.aliases)
    assert len(NAMES) >= 24 and "tuelu" in names
    assert set(limen.functional.__all__) == set(names)
    assert len({limen.modules.classes[name] for name in names}) == len(names)
    for name in names:
        kind = limen.modules.classes[name]
        assert kind.__name__.isidentifier() and getattr(limen, kind.__name__) is kind, kind
        assert limen.registry.activations[kind.info.name].formula in inspect.getdoc(kind)
        assert kind.info.reference in inspect.getdoc(getattr(limen.functional, name))


def test_classes_are_spelled_as_pytorch_and_the_papers_do():
    expected = (
        "ReLU LeakyReLU PReLU ELU GELU GELUMuSigma GELUTanh LambdaGELU DGELU SiLU Softplus Squareplus T2Transmission UELU TUELU "
        "HardSwish ExpELU IGLU IGLUApprox AQuLU GEM EGEM Mish Identity"
    )
    assert [name for name in expected.split() if not hasattr(limen, name)] == []
    assert limen.GELUTanh.info.name == "gelu_tanh" and limen.T2Transmission.info.name == "t2_transmission"


def test_lambda_is_written_lam():
    assert "lam" in inspect.signature(limen.LambdaGELU).parameters
    assert "lam" in inspect.signature(limen.functional.expelu).parameters
    assert "raw_lambda" in limen.LambdaGELU(learnable=True).state_dict()


def test_stubs_are_current():
    spec = importlib.util.spec_from_file_location("write_stubs", TREE / "python/write_stubs.py")
    stubs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(stubs)
    for name, text in (("functional", stubs.functional()), ("modules", stubs.modules())):
        assert (TREE / f"python/limen/{name}.pyi").read_text() == text, f"run python python/write_stubs.py python/limen ({name})"


def test_the_version_is_that_of_cmake():
    (version,) = re.findall(r"project\(limen VERSION ([0-9.]+)", (TREE / "CMakeLists.txt").read_text())
    assert limen.__version__ == version


def test_the_range_of_pytorch_is_that_of_the_project_file():
    major, minor = (int(part) for part in limen._library.TORCH.split("."))
    project = (TREE / "pyproject.toml").read_text()
    assert f'"torch=={major}.{minor}.0"' in project and f'"torch>={major}.{minor},<{major}.{minor + 1}"' in project


def import_fails(code, parts, **environment):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, **environment})
    last = done.stderr.strip().splitlines()[-1]
    assert done.returncode == 1 and last.startswith("ImportError: limen: expected"), done.stderr
    assert all(part in last for part in parts), last


def test_a_missing_or_other_pytorch_is_one_sentence():
    import_fails("import sys; sys.modules['torch'] = None; import limen", ["PyTorch 2.13, got none", "pip install"])
    import_fails("import torch; torch.__version__ = '2.12.1+cpu'; import limen", ["got 2.12.1+cpu", "pip install"])
    import_fails("import torch; torch.__version__ = '2.130.0'; import limen", ["got 2.130.0"])


def test_a_missing_library_is_one_sentence():
    import_fails("import limen", ["no file /nowhere.so", "LIMEN_OPS"], LIMEN_OPS="/nowhere.so")


def test_a_library_that_the_program_loaded_serves():
    code = "import os, torch; torch.ops.load_library(os.environ['LIMEN_OPS']); os.environ['LIMEN_OPS'] = '/nowhere.so'; import limen"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_activation_makes_a_module_by_name():
    assert repr(limen.activation("uelu", beta=2, learnable=True)) == "UELU(beta=2, learnable)"
    for name, parts in (("gellu", ['"gellu"', '"gelu"']), ("gated(silu)", ["gated(silu)"])):
        try:
            limen.activation(name)
        except (RuntimeError, ValueError) as error:
            assert all(part in str(error) for part in parts), error
        else:
            raise AssertionError(name)


def test_modules_run_in_evaluation_without_a_gradient():
    with torch.no_grad():
        assert limen.TUELU().eval()(torch.tensor([2.0])).tolist() == [2.0]
