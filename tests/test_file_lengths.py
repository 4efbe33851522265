"""No file of code is so long that nobody reads it through: each that is tracked has at most 400 lines."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MOST = 400


def test_no_file_of_code_is_too_long() -> None:
    command = ["git", "ls-files", "-z", "*.py", "*.js", "*.css"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode != 0:
        pytest.skip("not a git checkout")
    paths = [ROOT / name for name in done.stdout.split("\0") if name]
    # One that was deleted, and not committed as such yet, is listed still.
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in paths if path.is_file()}
    assert len(lengths) > 100
    assert {path.relative_to(ROOT).as_posix(): lines for path, lines in lengths.items() if lines > MOST} == {}
