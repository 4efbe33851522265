"""Files as people have them give the same numbers as the clean ones with what was done in a line, or a refusal."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from explorer.analysis.challenge_table.cohort_metrics import ColumnNames, EvaluatedCohort, read_cohort
from explorer.tabular.notes import Recognized
from explorer.tabular.problems import Refused
from tests.explorer.cli.command import evaluated, run
from tests.explorer.tabular.messy import MESSY
from tests.explorer.tabular.messy_writing import Messy, written
from tests.explorer.tabular.small_tables import LABELS, LOGITS, SCORES
from tests.support.wording import Wording, line_with

COLUMNS = ColumnNames("image_id", "center", "patient", "weight")
OPTIONS = ("--center-column", "center", "--patient-column", "patient", "--weight-column", "weight")


def put(folder: Path, messy: Messy) -> tuple[Path, Path]:
    for name, clean, text in (("labels", LABELS, messy.labels), ("scores", SCORES, messy.scores)):
        said = written(clean) if text is None else text
        (folder / f"{name}.csv").write_bytes(said.encode() if isinstance(said, str) else said)
    return folder / "labels.csv", folder / "scores.csv"


def read(folder: Path, messy: Messy) -> EvaluatedCohort:
    return read_cohort(*put(folder, messy), COLUMNS, "ignore", logits=messy.logits)


def by_image(cohort: EvaluatedCohort) -> dict[str, np.ndarray]:
    """What is said of each finding, in the order of the scores of Mass, which tells the images apart."""
    order = np.argsort(cohort.scores[:, cohort.findings.index("Mass")])
    columns = {f"label of {name}": cohort.labels[order, k] for k, name in enumerate(cohort.findings)}
    columns |= {f"score of {name}": cohort.scores[order, k] for k, name in enumerate(cohort.findings)}
    assert cohort.centers is not None and cohort.weights is not None
    return columns | {"centers": cohort.centers[order], "weights": cohort.weights[order]}


@pytest.mark.parametrize("messy", [each for each in MESSY if not each.refused], ids=lambda each: each.name)
def test_the_numbers_are_those_of_the_clean_files_and_what_was_done_is_said(
    tmp_path: Path, messy: Messy, wording: Wording
) -> None:
    (tmp_path / "clean").mkdir()
    clean, found = read(tmp_path / "clean", Messy("clean")), read(tmp_path, messy)
    said = [note for note in found.notes if note not in clean.notes]
    assert len(said) == len(messy.notes)
    for note, facts in zip(said, messy.notes, strict=True):
        wording(note, *facts.split(" ... "))
    expected = by_image(clean)
    for name, column in by_image(found).items():
        np.testing.assert_array_equal(column, expected[name], err_msg=name)
    if "rounded" in messy.name:
        assert found.patients is None
    else:
        assert found.patients is not None and sorted(found.patients) == ["p1", "p1", "p2", "p3", "p4"]


@pytest.mark.parametrize("messy", [each for each in MESSY if each.refused], ids=lambda each: each.name)
def test_what_cannot_be_read_for_sure_is_refused_in_words(tmp_path: Path, messy: Messy, wording: Wording) -> None:
    with pytest.raises(Refused) as refused:
        read(tmp_path, messy)
    wording(refused.value, *messy.refused.split(" ... "))
    assert len(str(refused.value).splitlines()) <= 11


def test_there_are_many_and_each_thing_that_can_be_noted_of_two_files_is_among_them() -> None:
    assert len(MESSY) >= 25 and len({each.name for each in MESSY}) == len(MESSY)
    assert len(Recognized) == 19


def test_logits_are_read_as_scores_where_that_is_said(tmp_path: Path, wording: Wording) -> None:
    found = read(tmp_path, Messy("logits", scores=written(LOGITS), logits=True))
    logits = {row[0]: [float(cell) for cell in row[1:]] for row in LOGITS[1:]}
    expected = 1 / (1 + np.exp(-np.array([logits[row[0]] for row in LABELS[1:]])))
    np.testing.assert_allclose(found.scores, expected, rtol=1e-15)
    wording(line_with(found.notes, "scores.csv", "1"))


def test_the_table_of_a_german_spreadsheet_is_the_clean_one_byte_for_byte(tmp_path: Path) -> None:
    """The whole command: the same figures, the notes on stderr."""
    (german,) = [each for each in MESSY if "German" in each.name]
    (tmp_path / "clean").mkdir()
    paths = {
        each.name: put(folder, each) for folder, each in ((tmp_path / "clean", Messy("clean")), (tmp_path, german))
    }
    tables = {
        name: evaluated("--labels", str(labels), "--scores", str(scores), *OPTIONS)
        for name, (labels, scores) in paths.items()
    }
    assert tables["clean"] == tables[german.name]
    labels, scores = paths[german.name]
    checked = run("check", "--labels", str(labels), "--scores", str(scores), *OPTIONS)
    assert (checked.exit_code, checked.stdout) == (0, "No problems: 5 images, 3 findings.\n")
    assert list(read(tmp_path, german).notes) == checked.stderr.splitlines()


def test_how_the_files_were_read_is_told_beside_problems_too(tmp_path: Path, wording: Wording) -> None:
    labels, scores = put(tmp_path, Messy("", labels=written(LABELS, ";"), scores=written([*SCORES[:-1]])))
    lines = run("check", "--labels", str(labels), "--scores", str(scores)).stderr.splitlines()
    assert len(lines) == 3
    wording(lines, "1 problem", "labels.csv", "2", "'a1'", "scores.csv")


def test_600_images_with_endings_are_one_line(tmp_path: Path, wording: Wording) -> None:
    labels = "image_id,Mass\n" + "".join(f"i{k:03},{k % 2}\n" for k in range(600))
    scores = "image_id,Mass\n" + "".join(f"i{k:03}.png,{k / 600}\n" for k in range(600))
    paths = put(tmp_path, Messy("", labels, scores))
    result = run("check", "--labels", str(paths[0]), "--scores", str(paths[1]))
    assert (result.exit_code, result.stdout) == (0, "No problems: 600 images, 1 findings.\n")
    wording(result.stderr, "scores.csv", "'i000.png'", "labels.csv", "600 images")


def test_a_column_that_a_program_named_may_hold_the_images(tmp_path: Path, wording: Wording) -> None:
    """`Unnamed: 0` is what a program calls a column without a name that it reads."""
    grids = [
        [["Unnamed: 0", *row[1:]] if not line else row for line, row in enumerate(grid)] for grid in (LABELS, SCORES)
    ]
    paths = put(tmp_path, Messy("", *map(written, grids)))
    wording(read_cohort(*paths, ColumnNames("Unnamed: 0"), "ignore").notes[0], "labels.csv", "'Effusion'")


def test_a_center_that_is_not_known_is_no_center_and_that_is_said(tmp_path: Path, wording: Wording) -> None:
    text = written([[*row[:1], "NaN" if row[1] == "south" else row[1], *row[2:]] for row in LABELS])
    found = read(tmp_path, Messy("", labels=text))
    assert found.centers is not None and set(found.centers) == {"north", "no center stated"}
    wording(line_with(found.notes, "labels.csv", "'NaN'", "'center'", "3 cells"))
