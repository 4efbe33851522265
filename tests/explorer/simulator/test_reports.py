"""Reports of simulated films: what they miss, doubt and deny, and that the labeler reads them as meant."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from explorer.reports import label
from explorer.simulator.cohort_sampling import MISSED_SHARE, TEST_SPLIT, has_finding, sample_cases
from explorer.simulator.hedging import hedged_findings
from explorer.simulator.report_table import write_reports
from explorer.simulator.report_writer import STYLES, write_report
from explorer.simulator.request import ABNORMAL, NORMAL

CASES = sample_cases(TEST_SPLIT)[:600]
REPORTS = [write_report(each) for each in CASES]


def test_a_film_has_one_report_and_all_styles_are_used() -> None:
    assert [write_report(each) for each in CASES[:20]] == REPORTS[:20]
    assert set(Counter(each.style for each in REPORTS)) == set(STYLES)
    assert {write_report(CASES[0], style).style for style in STYLES} == set(STYLES)


def test_a_tenth_of_the_findings_that_are_not_doubted_is_missed() -> None:
    pairs = [
        (report, name)
        for case, report in zip(CASES, REPORTS, strict=True)
        for name in case.findings - hedged_findings(case)
    ]
    missed = sum(report.said.get(name) != "present" for report, name in pairs)
    expected = MISSED_SHARE * len(pairs)
    assert len(pairs) > 500 and abs(missed - expected) < 4 * (expected * (1 - MISSED_SHARE)) ** 0.5


def test_doubted_findings_are_uncertain_and_no_report_is_normal_beside_a_finding() -> None:
    for case, report in zip(CASES, REPORTS, strict=True):
        doubted = {name for name, state in report.said.items() if state == "uncertain"}
        assert doubted == hedged_findings(case) - {NORMAL}
        if NORMAL in report.said:
            assert not {"present", "uncertain"} & {state for name, state in report.said.items() if name != NORMAL}


@pytest.mark.parametrize("style", STYLES)
def test_the_labeler_reads_each_style_as_it_was_meant(style: str) -> None:
    pairs: Counter[tuple[str, str]] = Counter()
    for case in CASES:
        report = write_report(case, style)  # type: ignore[arg-type]
        found = label(report.text)
        for name in (NORMAL, *ABNORMAL):
            if name != "Support Devices":  # a central venous catheter counts as one in reports, and not on films
                pairs[report.said.get(name, "-"), found.get(name, "-")] += 1
    alike = sum(count for (one, other), count in pairs.items() if one == other != "-")
    differ = sum(count for (one, other), count in pairs.items() if one != other)
    assert alike > 2000 and differ / (alike + differ) < 0.02, pairs


def test_the_tables_can_be_imported_and_hold_the_truth(tmp_path: Path) -> None:
    paths = write_reports(tmp_path / "made", CASES[:50])
    reports, rows = (
        list(csv.DictReader(path.read_text(encoding="utf-8").splitlines(keepends=True))) for path in paths[:2]
    )
    assert [row["case"] for row in rows] == [each.film.case for each in CASES[:50]]
    for case, row in zip(CASES, rows, strict=False):
        assert all(int(row[name]) == has_finding(case, name) for name in (NORMAL, *ABNORMAL))
    assert [row["report"] for row in reports] == [each.text for each in REPORTS[:50]]
