"""Run the tests marked `processor` as other processors would: `python -m tests.processors [pytest's arguments]`.

torch, NumPy and their threads choose other kernels on another machine, and computed numbers then end in other digits.
What OpenBLAS chooses stays as the machine has it: some of its builds compute wrongly on some processors.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

TESTS = Path(__file__).parent
MARK = "mark." + "processor"
NUMPYS = {"default": "X86_V2", "avx2": "X86_V3", "avx512": "AVX512_ICL"}  # the most that NumPy may use, by torch's word


def settings() -> Iterator[tuple[str, Mapping[str, str]]]:
    """Each setting that this machine can take: its name and its environment."""
    threads = {"OMP_NUM_THREADS": str(os.cpu_count() or 1)}
    for capability, most in NUMPYS.items():
        if capability != "avx512" or __cpu_features__["X86_V4"]:
            yield capability, {"ATEN_CPU_CAPABILITY": capability} | threads | _numpy_at_most(most)
    yield "one thread", {"OMP_NUM_THREADS": "1"}


def _numpy_at_most(most: str) -> dict[str, str]:
    """NumPy without what it would use beyond `most`; it refuses to be without what this processor lacks."""
    beyond = __cpu_dispatch__[__cpu_dispatch__.index(most) + 1 :] if most in __cpu_dispatch__ else __cpu_dispatch__
    left_out = [name for name in beyond if __cpu_features__[name]]
    return {"NPY_DISABLE_CPU_FEATURES": ",".join(left_out)} if left_out else {}


def marked_files() -> list[str]:
    """Collecting every test takes longer than running these."""
    return sorted(str(path) for path in TESTS.rglob("test_*.py") if MARK in path.read_text(encoding="utf-8"))


def main(arguments: list[str]) -> int:
    failed = []
    for name, environment in settings():
        start = time.monotonic()
        print(f"\n== {name}: {' '.join(f'{key}={value}' for key, value in environment.items())}", flush=True)
        command = [sys.executable, "-m", "pytest", "-q", "-m", "processor", *arguments, *marked_files()]
        if subprocess.run(command, env=os.environ | environment, check=False).returncode:
            failed.append(name)
        print(f"== {name} took {time.monotonic() - start:.0f} s", flush=True)
    if failed:
        print(f"These settings failed: {', '.join(failed)}.")
    return len(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
