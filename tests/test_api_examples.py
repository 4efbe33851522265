"""The examples of docs/api.md run as they stand, one after another, as a reader would type them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


def test_every_example_runs() -> None:
    """Those of the running page run in tests/ui/test_program_endpoints.py."""
    text, running, _ = (ROOT / "docs" / "api.md").read_text(encoding="utf-8").partition("## The running page")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert running and len(blocks) == 6
    done = subprocess.run(
        [sys.executable, "-W", "error::DeprecationWarning:__main__", "-c", "\n".join(blocks)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
