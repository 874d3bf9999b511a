# Part of limen. SPDX-License-Identifier: MIT
"""Reads what nvcc makes of a unit: python3 ptx.py UNIT.cu NVCC FLAGS...

A constant of the host that device code reads compiles without a warning, to a trap; vectors are taken apart where the compiler sees no
reason for them. Neither shows before a GPU runs the code, or times it.
"""

import re
import subprocess
import sys
import tempfile

unit, compiler, *flags = sys.argv[1:]
with tempfile.NamedTemporaryFile(suffix=".ptx") as file:
    subprocess.run([compiler, *flags, "-arch=sm_90", "-ptx", unit, "-o", file.name], check=True)
    ptx = file.read().decode()

kernels = re.findall(r"\.entry (\S+)\((.*?)\n}", ptx, re.DOTALL)
faults = []
for name, body in kernels:
    if re.search(r"\b(trap|brkpt)\b", body):
        faults.append(f"{name}: ends in a trap; a host's constant is used by reference")
    if re.search(r"\bcall\b", body):
        faults.append(f"{name}: calls a function that was not inlined")
    moves = len(re.findall(r"(?:ld|st)\.global\.(?:\w+\.)?v\d", body))
    if "by_slices" in name and moves < 2 + 2 * ("Second" in name) - ("Lb1" in name):
        faults.append(f"{name}: {moves} vector moves")
if not kernels:
    faults.append("no kernels")
print("\n".join(faults) or f"{len(kernels)} kernels are as expected")
sys.exit(1 if faults else 0)
