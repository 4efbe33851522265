"""The benchmark of all stress figures goes on when one command fails or lacks something, and says which."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.benchmarks import stress
from tests.benchmarks.stress import HERE, STEPS, Step

DOCS = HERE.parents[1] / "docs"
PAGES = ("stress.md", "anatomy.md", "insertion.md")


def test_every_command_that_the_pages_name_is_run() -> None:
    texts = [(DOCS / page).read_text(encoding="utf-8") for page in PAGES]
    named = {name for text in texts for name in re.findall(r"-m tests\.benchmarks\.(\w+)", text)} - {"stress"}
    assert len(named) > 9
    assert named <= {step.name for step in STEPS}
    assert [step.name for step in STEPS if not step.model and not (HERE / f"{step.name}.py").is_file()] == []


def test_a_command_that_fails_does_not_stop_the_next(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = (
        Step("Not there", "missing_benchmark"),
        Step("Without films", "similarity"),
        Step("No such cohort", "nowhere", "nobody"),
        Step("Helps", "command_line"),
    )
    monkeypatch.setattr(stress, "STEPS", steps)
    monkeypatch.setattr(stress, "SHARED", tmp_path)
    (tmp_path / "missing_benchmark.py").touch()
    monkeypatch.setattr(stress, "HERE", tmp_path)
    (tmp_path / "similarity.py").write_text('NEEDS = ("shared",)\n', encoding="utf-8")
    (tmp_path / "command_line.py").touch()
    assert stress.main([]) == 1
    out = capsys.readouterr().out
    assert out.index("## Not there") < out.index("## Without films") < out.index("## Helps")
    assert "No module named tests.benchmarks.missing_benchmark" in out
    assert out.partition("\n## 1 of 4 complete\n")[2].splitlines() == [
        "  missing_benchmark: failed with exit code 1",
        "  similarity: not run, because this machine lacks real radiographs (TAILSCOPE_SHARED)",
        "  nowhere: failed with exit code 2",
    ]
