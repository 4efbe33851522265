"""A cohort whose labels were read from written reports by the commands that a visitor types, with its own beside."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from PIL import Image

from explorer.cohorts.layout import CACHE
from explorer.simulator.cohort_sampling import TEST_SPLIT, SampledCase, sample_cases
from explorer.simulator.render import render
from explorer.simulator.report_table import MAP, REPORTS, TRUTH, write_reports
from tests.explorer.cli.command import run

NAME, MODEL = "reported", "phantom"
SOURCE = "reports (English rules)"
FILMS, SIZE = 30, 160


def reported_cases() -> list[SampledCase]:
    """Return films of the test split whose scores ship."""
    return list(sample_cases(TEST_SPLIT)[:FILMS])


def make_reported(place: Path) -> Path:
    """Make the cohort in the home of this process: films, what is on them, reports, and a model's scores.

    Returns the folder of films.
    """
    cases = reported_cases()
    films = place / "films"
    films.mkdir(parents=True)
    for case in cases:
        film, _ = render(case.film.seed, case.film.requests, case.film.center, SIZE, case.film.drawing)
        Image.fromarray(np.round(film * 255).astype(np.uint8)).save(films / f"{case.film.case}.png")
    write_reports(place, cases)
    tables = [_read(place / name) for name in (REPORTS, TRUTH)]
    _write(place / "table.csv", [one | other for one, other in zip(*tables, strict=True)])
    words = ("--table", place / "table.csv", "--columns", place / MAP, "--images", films, "--reports", "report")
    _done("ingest", "csv", *words, "--out", NAME)
    scores = pq.read_table(CACHE / "phantom" / "predictions" / MODEL).to_pylist()
    chosen = {case.film.case: {"image_id": case.film.case} for case in cases}
    for row in scores:
        if row["case"] in chosen:
            chosen[row["case"]][row["finding"]] = row["score"]
    _write(place / "scores.csv", list(chosen.values()))
    _done("ingest", "predictions", place / "scores.csv", "--model", MODEL, "--cohort", NAME)
    return films


def _read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _write(path: Path, rows: list[dict[str, str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        lines = csv.DictWriter(file, list(rows[0]))
        lines.writeheader()
        lines.writerows(rows)


def _done(*words: object) -> None:
    result = run(*map(str, words))
    assert result.exit_code == 0, result.stdout + result.stderr
