"""`calibration` on shipped cohorts: after `thresholds --from` with what it carried, otherwise cross-fitted."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from tests.explorer.cli.command import run
from tests.support.wording import Wording, line_with

ORDER = ("calibration", "--cohort", "nih-oof", "--model", "nih-mini", "--resamples", "10")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAILSCOPE_HOME", str(tmp_path / "home"))


def test_what_was_fitted_on_validation_films_is_measured_on_others(wording: Wording) -> None:
    split = ("--rule", "f1", "--from", "split=fold 1", "--to", "split=fold 2")
    assert run("thresholds", "--cohort", "nih-oof", "--model", "nih-mini", *split).exit_code == 0
    done = run(*ORDER, "--where", "split=fold 2", "--format", "csv")
    assert done.exit_code == 0, done.stderr
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert len(rows) == 15 and {row["calibrated_by"] for row in rows} == {"carried"}
    better = [float(row["after_ece"]) < float(row["ece"]) for row in rows if row["after_ece"]]
    assert len(better) >= 10 and all(better)
    wording(line_with(run(*ORDER, "--format", "markdown").stdout, "left out"))
    crossed = run(*ORDER, "--by", "cross-fitted", "--intervals", "bias-corrected", "--format", "markdown")
    wording(line_with(crossed.stdout, "cross-fitted"))
    wording(line_with(crossed.stdout, "bias-corrected"))


def test_without_a_carried_calibration_that_option_is_refused(wording: Wording) -> None:
    done = run(*ORDER, "--by", "carried")
    assert done.exit_code == 2 and not done.stdout
    wording(line_with(done.stderr, "carried"))
