"""Thresholds that were chosen here: kept whole, in force while they are of these scores, and not used afterwards."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from explorer.cohorts.chosen_thresholds import (
    ChosenOn,
    ChosenThresholds,
    ThresholdPoint,
    films_words,
    points_file,
    save_thresholds,
    scores_version,
    thresholds_in_force,
    why_not_used,
)
from explorer.cohorts.layout import Folder, cohort_folder
from tests.support.small_cohort import MODEL, Film, write_small
from tests.support.wording import Wording, line_with

FILMS = (
    Film("a", {"Mass": "present"}, {"Mass": 0.9}),
    Film("b", {"Mass": "absent"}, {"Mass": 0.2}),
)


@pytest.fixture
def cohort(tmp_path: Path) -> Folder:
    return write_small(tmp_path, FILMS, {"Mass": 0.5})


def chosen(cohort: Folder) -> ChosenThresholds:
    about = ChosenOn(
        "youden", "center=North", 2, 2, "2026-01-01", scores_version(cohort, MODEL), {"Mass": 1}, {"Hernia": "no"}
    )
    return ChosenThresholds((ThresholdPoint("Mass", None, 0.25, "largest Youden index"),), about)


def test_what_is_kept_is_in_force_until_it_is_taken_back(cohort: Folder) -> None:
    own = points_file(cohort, MODEL)
    assert own == cohort.operating_points(MODEL) and thresholds_in_force(cohort, MODEL) is None
    save_thresholds(cohort, MODEL, chosen(cohort))
    assert thresholds_in_force(cohort, MODEL) == chosen(cohort) and why_not_used(cohort, MODEL) is None
    assert points_file(cohort, MODEL) == cohort.chosen_thresholds(MODEL)
    assert [path.name for path in cohort.chosen_thresholds(MODEL).parent.iterdir()] == [f"{MODEL}.parquet"]
    save_thresholds(cohort, MODEL, None)
    save_thresholds(cohort, MODEL, None)  # nothing is there any more
    assert thresholds_in_force(cohort, MODEL) is None and points_file(cohort, MODEL) == own


def test_of_other_scores_or_labels_they_are_not_used_and_a_sentence_says_so(
    cohort: Folder, tmp_path: Path, wording: Wording
) -> None:
    save_thresholds(cohort, MODEL, chosen(cohort))
    for films in (
        (FILMS[0], Film("b", {"Mass": "absent"}, {"Mass": 0.3})),
        (FILMS[0], Film("b", {"Mass": "present"}, {"Mass": 0.2})),
    ):
        write_small(tmp_path, films, {"Mass": 0.5})
        assert thresholds_in_force(cohort, MODEL) is None
        said = why_not_used(cohort, MODEL)
        assert said is not None
        wording(line_with(said, "2026", "01"))
    write_small(tmp_path, FILMS, {"Mass": 0.5})  # with other times
    assert thresholds_in_force(cohort, MODEL) == chosen(cohort)


@pytest.mark.parametrize("content", [b"", b"PAR1 torn", None], ids=["empty", "torn", "no words"])
def test_a_damaged_file_is_not_used(cohort: Folder, content: bytes | None, wording: Wording) -> None:
    path = cohort.chosen_thresholds(MODEL)
    save_thresholds(cohort, MODEL, chosen(cohort))
    path.write_bytes(cohort.operating_points(MODEL).read_bytes() if content is None else content)
    assert thresholds_in_force(cohort, MODEL) is None
    wording(line_with(str(why_not_used(cohort, MODEL)), "The model's"))


def test_a_change_that_leaves_time_and_size_is_seen(cohort: Folder) -> None:
    save_thresholds(cohort, MODEL, chosen(cohort))
    path = cohort.chosen_thresholds(MODEL)
    os.utime(path, (1, 1))
    assert thresholds_in_force(cohort, MODEL) == chosen(cohort)
    path.write_bytes(bytes(path.stat().st_size))
    os.utime(path, (1, 1))
    assert thresholds_in_force(cohort, MODEL) is None


def test_those_of_a_shipped_cohort_lie_in_the_visitors_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAILSCOPE_HOME", str(tmp_path))
    assert (
        cohort_folder("phantom").chosen_thresholds("phantom") == tmp_path / "cohorts/phantom/thresholds/phantom.parquet"
    )


@pytest.mark.parametrize(
    ("where", "words"),
    [("", "all films"), ("fold", "the other folds"), ("center=A, view=AP", "center A, view AP")],
)
def test_films_in_words(where: str, words: str) -> None:
    assert films_words(where) == words


def test_words_of_what_is_in_force(cohort: Folder, wording: Wording) -> None:
    about = chosen(cohort).about
    wording(about.words, "Youden", "North", "2 films")
    hand = ChosenOn(None, "", 0, 0, "", "", {}, {}, ("Mass", "Nodule"))
    wording(hand.words, "Mass", "Nodule")
