"""The end of a program whose threads are at work in C++ code."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[3]
CODE = """
import atexit, threading, time
from explorer.runtime.program_exit import exit_without_teardown
with exit_without_teardown():
    import duckdb
    def work():
        with duckdb.connect() as database:
            while True:
                database.execute("SELECT sum(range) FROM range(1000)").fetchall()
    for _ in range(4):
        threading.Thread(target=work, daemon=True).start()
    atexit.register(print, "cleaned up")
    time.sleep(0.2)
    {end}
"""


@pytest.mark.parametrize(
    ("end", "code", "errors"),
    [
        ("raise SystemExit(3)", 3, ""),
        ("raise SystemExit", 0, ""),
        ("raise SystemExit('It is full.')", 1, "It is full.\n"),
    ],
)
def test_ends_with_its_code_after_its_clean_up(end: str, code: int, errors: str) -> None:
    words = [sys.executable, "-c", CODE.format(end=end)]
    done = subprocess.run(words, cwd=PROJECT, check=False, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (code, "cleaned up\n", errors)
