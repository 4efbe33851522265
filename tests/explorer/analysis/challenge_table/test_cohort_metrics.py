"""Two files become arrays of the same order, whatever order they are written in."""

from __future__ import annotations

import csv
import gc
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.analysis.challenge_table.cohort_metrics import ColumnNames, EvaluatedCohort, read_cohort
from explorer.analysis.challenge_table.lines import NOT_GROUPED, table_parts
from explorer.analysis.challenge_table.metric_table import evaluate_cohort
from explorer.core.findings import FrequencyGroup
from explorer.core.groups import frequency_groups
from explorer.core.metric_plan import Plan
from explorer.metrics.bootstrap import Bootstrap
from explorer.tabular.missing_words import is_missing
from tests.support.wording import Wording, line_with

pytestmark = pytest.mark.slow

FINDINGS = ("Normal", "Mass", "Nodule", "Lung Opacity")


def write(path: Path, header: list[str], rows: list[list[object]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return path


@given(data=st.data(), images=st.integers(1, 12))
def test_the_order_of_rows_and_columns_does_not_matter(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, images: int
) -> None:
    folder = tmp_path_factory.mktemp("order")
    names = data.draw(st.lists(st.text(min_size=1).filter(_is_id), min_size=images, max_size=images, unique=True))
    drawn = data.draw(_array(st.sampled_from(["1", "0", "", "-1", "1.0"]), images))
    labels = [["0", *row[1:]] if "1" in row[0] else row for row in drawn]  # Normal and a finding: left out
    scores = data.draw(_array(st.floats(0, 1), images))
    order, columns = data.draw(st.permutations(range(images))), data.draw(st.permutations(range(len(FINDINGS))))
    truth = write(
        folder / "labels.csv",
        ["image_id", *FINDINGS],
        [[name, *row] for name, row in zip(names, labels, strict=True)],
    )
    submitted = write(
        folder / "scores.csv",
        [*(FINDINGS[column] for column in columns), "image_id"],
        [[*(scores[row][column] for column in columns), names[row]] for row in order],
    )
    cohort = read_cohort(truth, submitted, ColumnNames(), "ignore")
    meaning = {"1": 1.0, "1.0": 1.0, "0": 0.0, "": np.nan, "-1": np.nan}
    np.testing.assert_array_equal(cohort.scores, np.array(scores))
    np.testing.assert_array_equal(cohort.labels, [[meaning[cell] for cell in row] for row in labels])
    assert cohort.findings == FINDINGS


def _is_id(text: str) -> bool:
    return not is_missing(text) and text.isprintable() and "\ufeff" not in text


def _array(cell: st.SearchStrategy, images: int) -> st.SearchStrategy:
    return st.lists(st.lists(cell, min_size=4, max_size=4), min_size=images, max_size=images)


def cohort_of(images: int = 120, centers: bool = True) -> EvaluatedCohort:
    rng = np.random.default_rng(5)
    labels = (rng.random((images, 4)) < (0.5, 0.2, 0.1, 0.3)).astype(float)
    labels[rng.random(labels.shape) < 0.1] = np.nan
    center = rng.choice(["A", "B"], images) if centers else None
    return EvaluatedCohort(FINDINGS, labels, np.round(rng.random(labels.shape), 1), center, None)


@pytest.mark.parametrize("center", [None, "A", "B"])
def test_means_are_the_means_of_their_members(center: str | None) -> None:
    table = evaluate_cohort(cohort_of(), Plan(grouping="cohort", resamples=10))
    lines = [line for line in table.lines if line.center == center]
    single = {line.part.members[0]: line for line in lines if line.part.level == "finding"}
    means = [line for line in lines if line.part.level != "finding"]
    assert len(single) == 4 and len(means) == 5  # all, without Normal, normal, common, medium
    for line in means:
        for metric, estimate in line.estimates.items():
            values = [single[member].estimates[metric].value for member in line.part.members]
            assert estimate.value == pytest.approx(np.mean([value for value in values if value is not None]))


def test_counts_are_of_images_with_known_labels() -> None:
    cohort = cohort_of()
    table = evaluate_cohort(cohort, Plan(resamples=1))
    for line in table.lines:
        rows = slice(None) if line.center is None else cohort.centers == line.center
        labels = cohort.labels[rows][:, line.part.members]
        assert line.n == sum(not np.isnan(row).all() for row in labels)
        assert line.positives == sum(1 in row for row in labels)


def test_parts_go_from_head_to_tail_and_nothing_is_lost() -> None:
    findings = ("Lung Opacity", "Pneumothorax", "Mass", "Normal", "Cardiomegaly", "Emphysema")
    groups = frequency_groups(findings, np.zeros((1, 6)), "paper")
    parts = table_parts(findings, groups)
    assert [(part.name, part.members) for part in parts if part.level != "finding"] == [
        ("all findings", (0, 1, 2, 3, 4, 5)),
        ("without Normal", (0, 1, 2, 4, 5)),
        ("normal", (3,)),
        ("common", (4,)),
        ("rare", (2,)),
        ("very rare", (1, 5)),
        (NOT_GROUPED, (0,)),
    ]
    assert [part.members[0] for part in parts if part.level == "finding"] == [3, 4, 2, 1, 5, 0]


def test_normal_is_left_out_only_where_something_remains() -> None:
    assert [part.name for part in table_parts(["Mass"], [None])] == ["all findings", NOT_GROUPED, "Mass"]
    assert "without Normal" not in [part.name for part in table_parts(["Normal"], [FrequencyGroup.NORMAL])]


def test_cohort_groups_count_known_labels_only() -> None:
    labels = np.full((2000, 4), np.nan)
    labels[:1000] = 0
    labels[:10, 1] = 1  # 1 % of the known ones
    labels[0, 2] = 1  # 0.1 %
    labels[:, 3] = np.nan
    assert frequency_groups(FINDINGS, labels, "cohort") == ("normal", "medium", "rare", None)


def test_one_long_cell_does_not_set_the_size_of_all(tmp_path: Path) -> None:
    rows = 3000
    names = [f"p{k}" for k in range(rows - 1)] + ["p" * 100_000]
    labels = write(tmp_path / "labels.csv", ["image_id", "patient", "Mass"], [[k, names[k], 0] for k in range(rows)])
    scores = write(tmp_path / "scores.csv", ["image_id", "Mass"], [[k, 0.5] for k in range(rows)])
    tracemalloc.start()
    cohort = read_cohort(labels, scores, ColumnNames(patient="patient"), "ignore")
    table = evaluate_cohort(cohort, Plan(resamples=1))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert table.patients == rows
    assert most < 50e6  # 1.2 GB as text of fixed width


def test_samples_of_one_center_at_a_time_are_kept() -> None:
    held = []

    def track(steps: list) -> Iterator:
        for step in steps:
            yield step
            held.append(sum(type(each) is Bootstrap for each in gc.get_objects()))

    evaluate_cohort(cohort_of(), Plan(resamples=1), track)
    assert max(held) <= 6


def test_the_fewest_positives_are_those_of_the_rarest_member() -> None:
    cohort = cohort_of()
    table = evaluate_cohort(cohort, Plan(resamples=1))
    present = (cohort.labels == 1).sum(axis=0)
    for line in table.lines:
        if line.center is None:
            there = [present[member] for member in line.part.members if present[member]]
            assert line.fewest_positives == min(there, default=0)


def test_progress_goes_through_every_step_once() -> None:
    seen: list[object] = []

    def track(steps: list) -> list:
        seen.extend(steps)
        return steps

    evaluate_cohort(cohort_of(), Plan(resamples=1), track)
    assert len(seen) == 3 * 6  # all, A, B; metrics


def test_images_that_ingest_rejects_are_left_out_and_named(tmp_path: Path, wording: Wording) -> None:
    """Normal and a finding; support devices may be beside Normal."""
    (tmp_path / "L.csv").write_text("image_id,Normal,Mass,Support Devices\na,1,1,0\nb,1,0,1\nc,0,1,0\nd,0,0,0\n")
    scores = "image_id,Normal,Mass,Support Devices\nd,.1,.2,.3\nc,.1,.9,.3\nb,.8,.2,.9\na,.5,.5,.5\n"
    (tmp_path / "S.csv").write_text(scores)
    cohort = read_cohort(tmp_path / "L.csv", tmp_path / "S.csv", ColumnNames("image_id"), "ignore")
    assert cohort.labels[:, 1].tolist() == [0, 1, 0] and cohort.scores[:, 1].tolist() == [0.2, 0.9, 0.2]
    wording(line_with(cohort.notes, "L.csv", "1 image", "Normal"))
