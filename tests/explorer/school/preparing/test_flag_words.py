"""What a class reads of a flag: the verdict by the cohort's other films, counted without the film itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest

from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.manifest import ModelManifest
from explorer.school.preparing.flag_words import add_flag_words
from explorer.school.preparing.model_scores import score_row
from explorer.store.store import Store
from tests.support.small_cohort import store_of

NIH, MODEL = "nih-oof", "nih-mini"


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    opened = store_of(Folder(CACHE / NIH))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def made(store: Store) -> ModelManifest:
    return next(each for each in store.models(NIH) if each.model == MODEL)


def counts(words: str) -> tuple[int, int]:
    """The films with the nearest scores, and how many of them had the finding."""
    found = re.search(r"the (\d+) test films with the nearest scores, (\d+) ", words)
    assert found is not None, words
    return int(found[1]), int(found[2])


def test_the_film_itself_does_not_count(store: Store, made: ModelManifest) -> None:
    grid = store.grid(NIH, MODEL)
    column = grid.findings.index("Pleural Effusion")
    labels, scores = grid.label[:, column], grid.score[:, column].astype(float)
    names = sorted(store.patients(NIH))
    film = int(np.flatnonzero((labels == 1) & (grid.called[:, column] == 1))[0])
    case = store.case(NIH, names[film])
    assert case is not None and "Pleural Effusion" in case.present
    cut = next(each.threshold for each in case.scores if (each.model, each.finding) == (MODEL, "Pleural Effusion"))

    alone, outside = (score_row("Pleural Effusion", scores[film], cut, "present") for _ in range(2))
    add_flag_words(store, NIH, made, [alone], case)
    add_flag_words(store, NIH, made, [outside])

    others = np.delete(scores, film)
    place = np.searchsorted(np.sort(others), scores[film]) - 15
    low, high = np.sort(others)[place], np.sort(others)[place + 29]
    inside = (others >= low) & (others <= high)
    assert counts(alone["flag_words"]) == (inside.sum(), int(np.delete(labels, film)[inside].sum()))
    assert counts(alone["flag_words"]) != counts(outside["flag_words"])


@pytest.mark.parametrize("case", ["below", "cannot judge", "Normal", "without a threshold"])
def test_only_a_flag_has_a_verdict(store: Store, made: ModelManifest, case: str) -> None:
    row = {
        "below": score_row("Pleural Effusion", 0.1, 0.5, "present"),
        "cannot judge": score_row("Pleural Effusion", 0.9, 0.5, "present", judged=False),
        "Normal": score_row("Normal", 0.9, 0.5, "present"),
        "without a threshold": score_row("Pleural Effusion", 0.9, None, "present"),
    }[case]
    add_flag_words(store, NIH, made, [row])
    assert "flag_words" not in row


def test_films_that_the_model_was_fitted_on_do_not_count(store: Store, made: ModelManifest) -> None:
    row = score_row("Pleural Effusion", 0.9, 0.5, "present")
    fitted = type(made)(**{**{name: getattr(made, name) for name in made.__slots__}, "origins": {"NIH": "in-sample"}})
    add_flag_words(store, NIH, fitted, [row])
    assert "flag_words" not in row


def test_a_finding_that_the_cohort_has_no_score_of_stays_without(store: Store, made: ModelManifest) -> None:
    scored, other = (
        score_row("Pleural Effusion", 0.9, 0.5, "present"),
        score_row("Pneumoperitoneum", 0.9, 0.5, "present"),
    )
    assert "Pneumoperitoneum" not in made.findings
    add_flag_words(store, NIH, made, [other, scored])
    assert "flag_words" in scored and "flag_words" not in other
