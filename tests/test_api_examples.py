"""The examples of docs/api.md run as they stand, one after another, as a reader would type them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.forked_app import program

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


def test_every_example_runs(tmp_path: Path) -> None:
    """Those of the running page run in tests/ui/test_program_endpoints.py."""
    text, running, _ = (ROOT / "docs" / "api.md").read_text(encoding="utf-8").partition("## The running page")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert running and len(blocks) == 6
    strict = "import warnings\nwarnings.filterwarnings('error', category=DeprecationWarning, module='__main__')"
    done = program("\n".join([strict, *blocks]), [], tmp_path / "said")
    assert done.wait(120) == 0, (tmp_path / "said").read_text(encoding="utf-8")
