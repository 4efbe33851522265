"""`tracks`: models on two cohorts, by their shared names, in a file, and what is refused."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from explorer.cohorts.layout import HOME_VARIABLE
from tests.explorer.cli.command import run
from tests.support.wording import Wording

LABELS = "id,Mass\n" + "".join(f"{n},{int(n < 3)}\n" for n in range(8))
COLUMNS = 'image_id = "id"\nfindings = ["Mass"]\n'


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Two cohorts of eight images, `early` and `late`; the models `good` and `poor` score both, `single` the first."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    (tmp_path / "T.csv").write_text(LABELS)
    (tmp_path / "map.toml").write_text(COLUMNS)
    for cohort in ("early", "late"):
        table, columns = str(tmp_path / "T.csv"), str(tmp_path / "map.toml")
        assert run("ingest", "csv", "--table", table, "--columns", columns, "--out", cohort).exit_code == 0
        for model, sign in (("good", 1), ("poor", -1), *([("single", 1)] if cohort == "early" else [])):
            scores = tmp_path / f"{model}.csv"
            scores.write_text("id,Mass\n" + "".join(f"{n},{0.5 - sign * n / 20}\n" for n in range(8)))
            done = run("ingest", "predictions", str(scores), "--cohort", cohort, "--model", model, "--id-column", "id")
            assert done.exit_code == 0, done.stderr
    yield tmp_path


def test_models_of_both_tracks_are_ranked(home: Path) -> None:
    out = home / "ranks.csv"
    words = (
        "tracks",
        "--cohort",
        "early",
        "--cohort",
        "late",
        "--resamples",
        "20",
        "--format",
        "csv",
        "--out",
        str(out),
    )
    assert run(*words).exit_code == 0
    rows = list(csv.DictReader(io.StringIO(out.read_text(encoding="utf-8"))))
    assert [(row["model"], row["track"], float(row["rank"])) for row in rows] == [
        ("good", "early", 1),
        ("good", "late", 1),
        ("poor", "early", 2),
        ("poor", "late", 2),
    ]
    assert {float(row["average_rank"]) for row in rows if row["model"] == "good"} == {1.0}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--cohort", "early"), "two tracks"),
        (("--cohort", "early", "--cohort", "nowhere"), "no cohort"),
        (("--cohort", "early", "--cohort", "late", "--model", "single"), "single"),
    ],
)
def test_what_cannot_be_ranked_is_refused(home: Path, words: tuple[str, ...], said: str, wording: Wording) -> None:
    done = run("tracks", *words, "--resamples", "0")
    assert done.exit_code == 2 and said in done.stderr
    wording(done.stderr)
