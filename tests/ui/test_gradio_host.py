"""The list of what leans on Gradio's insides: whole, of the pinned version, and each with a test that there is."""

from __future__ import annotations

import re
from pathlib import Path

import explorer.ui.gradio_host as host

ROOT = Path(__file__).parents[2]
ROWS = [line.strip("| ").split(" | ") for line in (host.__doc__ or "").splitlines() if line.startswith("| `")]


def test_every_file_of_the_room_has_a_reason_and_a_test() -> None:
    named = {name.strip("`"): test.strip("`") for name, reason, test in ROWS if reason}
    files = {path.stem for path in Path(host.__file__).parent.glob("*.py")} - {"__init__"}
    assert set(named) == files
    assert not [test for test in named.values() if not (ROOT / "tests" / "ui" / f"{test}.py").is_file()]


def test_it_is_of_the_pinned_version() -> None:
    pinned = re.search(r"^gradio==(\d+\.\d+)", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.MULTILINE)
    assert pinned is not None and f"Gradio {pinned[1]})" in (host.__doc__ or "")
