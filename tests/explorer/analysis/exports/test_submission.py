"""A file to hand in: the model's own scores in the challenge's columns, or in those of a sample; else a refusal."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from explorer.analysis.exports.submission import NoSubmission, submission_of
from explorer.cohorts.layout import CACHE
from explorer.core.challenge_columns import CHALLENGE_COLUMNS, TASK_FORMATS
from explorer.core.finding_words import finding_of
from explorer.core.findings import TASKS, TAXONOMIES
from explorer.store.store import Store
from explorer.tabular.submission_file import SubmissionFormat
from tests.support.lasting_store import loaded_store
from tests.support.small_cohort import MODEL, NAME, Film, store_of, write_small
from tests.support.wording import Wording, line_with


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Three films, of which the last has no score for Bulla; the model knows Task 2's findings alone."""
    scores = {finding: 0.1 * (place + 1) for place, finding in enumerate(TASKS["unseen"])}
    films = [Film(case, {}, scores) for case in ("a", "b")]
    some = {finding: value for finding, value in scores.items() if finding != "Bulla"}
    return store_of(write_small(tmp_path, [*films, Film("c", {}, some)], {}))


def sample(*images: str, columns: tuple[str, ...] = tuple(CHALLENGE_COLUMNS["unseen"])) -> SubmissionFormat:
    return SubmissionFormat("sample.csv", "id", columns, images)


def test_the_columns_of_the_challenge_are_its_findings_each_once() -> None:
    for task, columns in CHALLENGE_COLUMNS.items():
        assert sorted(columns.values()) == sorted(TASKS[task])
        assert all(finding_of(column) == finding for column, finding in columns.items())


def test_a_task_of_the_phantom_is_what_its_files_say() -> None:
    made = submission_of(loaded_store(), "phantom", "phantom", 1, None)
    header, *rows = csv.reader(io.StringIO(made.text()))
    assert header == ["ImageID", *CHALLENGE_COLUMNS["seen"]]
    (part,) = (CACHE / "phantom" / "predictions" / "phantom").glob("part-*.parquet")
    said = {(row["case"], row["finding"]): row["score"] for row in pq.read_table(part).to_pylist()}
    cases = pq.read_table(CACHE / "phantom" / "cases.parquet", columns=["case"])["case"].to_pylist()
    assert sorted(row[0] for row in rows) == sorted(cases)
    for image, *cells in rows:
        for column, cell in zip(header[1:], cells, strict=True):
            assert np.float32(cell) == said[image, CHALLENGE_COLUMNS["seen"][column]]


def test_margins_are_handed_in_as_scores_in_their_order() -> None:
    store = loaded_store()
    made = submission_of(store, "phantom", "phantom-vlm", 2, None)
    grid, scale = store.grid("phantom", "phantom-vlm"), store.model("phantom", "phantom-vlm").scale
    place = grid.findings.index("Scoliosis")
    assert scale is not None and made.scores.shape == (2000, 6)
    expected = 1 / (1 + np.exp(-scale * grid.score[:, place].astype(float)))
    np.testing.assert_allclose(made.scores[:, made.format.columns.index("Scoliosis")], expected, rtol=1e-12)
    assert any("sigmoid" in note for note in made.notes)


def test_a_sample_says_which_images_in_which_order_and_what_they_are_called(store: Store, wording: Wording) -> None:
    columns = ("goiter", "Bulla", "scoliosis", "Adenopathy", "Infarction", "Osteopenia")
    made = submission_of(store, NAME, MODEL, 2, sample("films/b.png", "films/a.png", columns=columns))
    header, first, _ = made.text().splitlines()
    assert header == f"id,{','.join(columns)}"
    expected = {finding: 0.1 * (place + 1) for place, finding in enumerate(TASKS["unseen"])}
    name, *cells = first.split(",")
    assert name == "films/b.png"
    assert [float(cell) for cell in cells] == pytest.approx([expected[finding_of(name) or ""] for name in columns])
    assert len(made.notes) == 2
    wording(made.notes, "sample.csv", "'films/b.png'", "2 images", "1 film")


@pytest.mark.parametrize(
    ("number", "like", "title", "detail"),
    [
        (2, None, "1 of 3 films", "--cohort small --model"),
        (1, None, "finding of task 1", "python -m explorer score"),
        (2, sample("a", "x", "y"), "2 of 3 images", "'x', 'y'"),
        (1, sample("a"), "sample of task 1", "'Scoliosis', 'Osteopenia', 'Bulla'"),
        (2, sample("a", columns=("Bulla", "goiter")), "sample of task 2", "Without a column: 'Scol"),
    ],
)
def test_what_cannot_be_handed_in_is_refused_with_what_to_do(
    store: Store, number: int, like: SubmissionFormat | None, title: str, detail: str, wording: Wording
) -> None:
    with pytest.raises(NoSubmission) as refused:
        submission_of(store, NAME, MODEL, number, like)
    assert title in str(refused.value) and detail in str(refused.value)
    wording(refused.value)


def test_a_model_that_can_score_is_named_as_the_way_to_the_missing_scores(tmp_path: Path, wording: Wording) -> None:
    scores = dict.fromkeys(TASKS["unseen"], 0.5)
    films = [Film("a", {}, scores), Film("b")]
    with pytest.raises(NoSubmission) as caught:
        submission_of(store_of(write_small(tmp_path, films, {}, sha256="ab12")), NAME, MODEL, 2, None)
    wording(caught.value, "`python -m explorer score --cohort small --model reader`")


def test_a_sample_of_images_alone_leaves_the_columns_to_the_task(store: Store, wording: Wording) -> None:
    made = submission_of(store, NAME, MODEL, 2, sample("b", "a", columns=()))
    assert (made.format.columns, made.format.images) == (tuple(CHALLENGE_COLUMNS["unseen"]), ("b", "a"))
    wording(line_with(made.notes[-1], "the organizers"))


def test_models_that_score_the_task_are_named(wording: Wording) -> None:
    with pytest.raises(NoSubmission) as caught:
        submission_of(loaded_store(), "phantom", "phantom", 2, None)
    wording(caught.value, "phantom-vlm", "zero-shot-dual")


def test_the_tasks_of_2024_have_their_findings_in_the_order_of_the_design() -> None:
    tasks = {number: task for (year, number), task in TASK_FORMATS.items() if year == "2024"}
    assert [len(tasks[number].columns) for number in (1, 2, 3)] == [40, 26, 5]
    assert {task.image_column for task in tasks.values()} == {"dicom_id"}
    assert tuple(tasks[3].columns) == ("Bulla", "Cardiomyopathy", "Hilum", "Osteopenia", "Scoliosis")
    before = set(TAXONOMIES["CXR-LT 2023"].seen)
    assert set(tasks[2].columns) == before - {"No Finding"} | {"Normal"}
    assert all(finding_of(name) == finding for task in tasks.values() for name, finding in task.columns.items())


def test_a_file_for_a_task_of_2024(tmp_path: Path, wording: Wording) -> None:
    scores = {finding: 0.1 * (place + 1) for place, finding in enumerate(TASK_FORMATS["2024", 3].columns)}
    small = store_of(write_small(tmp_path, [Film("a", {}, scores), Film("b", {}, scores)], {}))
    made = submission_of(small, NAME, MODEL, 3, None, "2024")
    header, first, _ = made.text().splitlines()
    assert header == "dicom_id,Bulla,Cardiomyopathy,Hilum,Osteopenia,Scoliosis"
    assert [float(cell) for cell in first.split(",")[1:]] == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.5])
    wording(line_with(made.notes, "design document"))
    with pytest.raises(NoSubmission) as caught:
        submission_of(small, NAME, MODEL, 2, None, "2024")
    wording(caught.value, "any finding of task 2 of CXR-LT 2024")


def test_a_task_that_the_challenge_lacks_is_refused(store: Store, wording: Wording) -> None:
    with pytest.raises(NoSubmission) as caught:
        submission_of(store, NAME, MODEL, 3, None)
    wording(caught.value, "2026", "1, 2")
