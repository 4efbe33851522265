"""`localize` on the shipped phantom: figures on standard output, every line as CSV, and words for what cannot be."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.explorer.cli.conftest import Run

pytestmark = pytest.mark.slow
ORDER = ("localize", "--cohort", "phantom", "--model", "phantom")


def test_it_measures_what_was_asked_for(run: Run, tmp_path: Path) -> None:
    method = "HiResCAM@blocks.2+blocks.4:192:contrastive"
    done = run(*ORDER, "--films", "12", "--methods", method, "--randomization", "2", "--out", tmp_path / "maps.csv")
    assert done.code == 0, done.err
    assert method in done.out
    assert "mean mask of other patients" in done.out
    assert "classifier" in done.out, "the layer that forgets first"
    rows = list(csv.DictReader((tmp_path / "maps.csv").open()))
    assert {row["by"] for row in rows} >= {"all", "center", "finding"}
    assert all(0 <= float(row["pointing"]) <= 1 for row in rows)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--methods", "MagicCAM@last"), "is not a method for heat maps"),
        (("--films", "2", "--methods", "GradCAM@blocks.99"), "has no stage 'blocks.99'"),
    ],
)
def test_what_cannot_be_measured_is_refused(run: Run, words: tuple[str, ...], why: str) -> None:
    done = run(*ORDER, *words)
    assert done.code == 2
    assert why in " ".join(done.err.split())
