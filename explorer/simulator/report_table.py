"""Writes the reports of the cohort's films as tables that `ingest csv --reports report` reads."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

from explorer.simulator.cohort_sampling import TEST_SPLIT, TRAINING_SPLIT, SampledCase, has_finding, sample_cases
from explorer.simulator.report_writer import write_report
from explorer.simulator.request import ABNORMAL, NORMAL

REPORTS, TRUTH, MAP = "reports.csv", "truth.csv", "map.toml"


def write_reports(folder: Path, cases: Iterable[SampledCase] | None = None) -> Sequence[Path]:
    """Write reports.csv, truth.csv with the exact findings, and the map.toml for an import; returns their paths.

    By default the cases are the cohort's training and test films.
    """
    chosen = [*sample_cases(TRAINING_SPLIT), *sample_cases(TEST_SPLIT)] if cases is None else [*cases]
    folder.mkdir(parents=True, exist_ok=True)
    findings = (NORMAL, *ABNORMAL)
    reports = [(each.film.case, each.film.center, write_report(each)) for each in chosen]
    _write(
        folder / REPORTS,
        ("case", "center", "style", "report"),
        ((case, center, report.style, report.text) for case, center, report in reports),
    )
    _write(
        folder / TRUTH,
        ("case", *findings),
        ((each.film.case, *(int(has_finding(each, name)) for name in findings)) for each in chosen),
    )
    (folder / MAP).write_text('image_id = "case"\ncenter = "center"\n', encoding="utf-8")
    return [folder / REPORTS, folder / TRUTH, folder / MAP]


def _write(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(header)
        lines.writerows(rows)
