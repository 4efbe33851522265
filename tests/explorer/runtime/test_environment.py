"""How a process is set up before it works."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize("call", ["environment.no_core_files()", "environment.before_threads()"])
def test_a_crash_leaves_no_core_file(call: str) -> None:
    code = f"import resource as r\nfrom explorer.runtime import environment\n{call}\nprint(r.getrlimit(r.RLIMIT_CORE))"
    assert subprocess.check_output([sys.executable, "-c", code]).split() == [b"(0,", b"0)"]
