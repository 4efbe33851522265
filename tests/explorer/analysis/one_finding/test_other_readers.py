"""Other sources of labels as readers, against counting label by label."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from explorer.analysis.leaderboard.joint_scores import joint_scores
from explorer.analysis.one_finding.other_readers import label_source_marks
from explorer.analysis.one_finding.scores import FindingScores, OperatingMark
from explorer.cohorts.manifest import read_manifest, write_manifest
from explorer.cohorts.parquet_files import read_table
from explorer.core.rates import Rate
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.support.small_cohort import MODEL, Film, write_small
from tests.support.small_cohort import NAME as SMALL
from tests.ui.two_sources import FINDINGS, MODELS, NAME, two_sources


def readers_of(store: Store, chosen: Slice, finding: str) -> tuple[OperatingMark, ...]:
    joint = joint_scores(store, chosen, MODELS)
    one = FindingScores.of(joint, joint.findings.index(finding), natural=False)
    return label_source_marks(store, chosen, MODELS, one)


@pytest.mark.parametrize("finding", FINDINGS)
def test_a_reader_is_counted_against_the_source_that_counts(tmp_path: Path, finding: str) -> None:
    folder = two_sources(tmp_path)
    said: dict[str, dict[str, str]] = {}
    for row in read_table(folder.labels).to_pylist():
        if row["finding"] == finding:
            said.setdefault(row["source"], {})[row["case"]] = row["label"]
    reader = said.pop("readers")
    ((source, truth),) = said.items()
    store, chosen = Store(lambda: [folder]), Slice(NAME, MODELS[0])
    assert readers_of(store, chosen, finding) == ()  # all sources together count: the reader is one of them
    write_manifest(folder.manifest, replace(read_manifest(folder.manifest), default_source=source))

    def share(label: str, called: str) -> Rate:
        films = [case for case in truth if truth[case] == label]
        return Rate(sum(reader[case] == called for case in films), len(films))

    for store, asked in (
        (Store(lambda: [folder]), chosen),
        (Store(lambda: [folder]), replace(chosen, label_source=source)),
    ):
        (mark,) = readers_of(store, asked, finding)
        assert mark.name == "readers"
        assert mark.point == (share("present", "present"), share("absent", "absent"))
        assert mark.precision.n == sum(label == "present" for label in reader.values())
    (other,) = readers_of(Store(lambda: [folder]), replace(chosen, label_source="readers"), finding)
    assert other.name == source and other.point.sensitivity.n == mark.precision.n


def test_a_source_that_is_uncertain_has_its_bounds(tmp_path: Path) -> None:
    truth = ["present", "present", "absent", "absent"]
    report = ["present", "uncertain", "uncertain", "absent"]
    films = [
        Film(str(n), {"Mass": exact}, {"Mass": 0.5}, others={"report": {"Mass": said}})
        for n, (exact, said) in enumerate(zip(truth, report, strict=True))
    ]
    folder = write_small(tmp_path, films, {})
    (source,) = {row["source"] for row in read_table(folder.labels).to_pylist()} - {"report"}
    write_manifest(folder.manifest, replace(read_manifest(folder.manifest), default_source=source))
    store, chosen = Store(lambda: [folder]), Slice(SMALL, MODEL)
    joint = joint_scores(store, chosen, (MODEL,))
    marks = label_source_marks(store, chosen, (MODEL,), FindingScores.of(joint, 0, natural=False))
    assert {mark.name: mark.point for mark in marks} == {
        "report": (Rate(1, 1), Rate(1, 1)),
        "report, uncertain wrong": (Rate(1, 2), Rate(1, 2)),
        "report, uncertain right": (Rate(2, 2), Rate(2, 2)),
    }
