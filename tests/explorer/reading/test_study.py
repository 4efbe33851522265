"""Two films as one study: by their headers, by how they were opened, and the scores of the study worked by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from explorer.reading.finding_list import finding_rows
from explorer.reading.reader import Reading
from explorer.reading.study import FilmPart, StudyFilm, headers_agree, is_one_study, read_study
from explorer.reading.study_json import study_scores
from models.cards.card import Card, StudyRule
from models.films.film import View
from models.gate.judgment import Verdict
from models.gate.verdict import CheckName, VerdictDetails
from models.radiograph import Radiograph
from tests.support.cards import card_of

KNOWN = ("Mass", "Nodule", "Edema", "Normal")
CARD = card_of(KNOWN, {"Mass": 0.6, "Nodule": 0.5, "Edema": 0.7})
FRONTAL, LATERAL = (0.2, 0.5, 0.9, 0.8), (0.7, 0.3, 0.6, 0.1)


def film_of(
    scores: tuple[float, ...] = FRONTAL,
    *,
    check: CheckName | None = None,
    anyway: bool = False,
    view: View = "PA",
    study: str | None = None,
    card: Card = CARD,
) -> StudyFilm:
    verdict = Verdict(check is None, "" if check is None else "So.", VerdictDetails(check, "", None, {}))
    rows = finding_rows(card, np.array(scores, np.float32))
    film = replace(Radiograph.from_pixels(np.zeros((8, 8)), view=view), study=study)
    return StudyFilm(film, Reading(verdict, rows, np.zeros(2, np.float32), card, "cpu", 0, 0, 0), anyway)


def made_by(rule: StudyRule) -> Card:
    return replace(CARD, study=rule)


def test_the_maximum_over_views_decides_each_finding() -> None:
    card = made_by("maximum")
    read = read_study([film_of(FRONTAL, card=card), film_of(LATERAL, view="lateral", card=card)])
    rows = {each.row.finding: each for each in read.rows}
    assert {name: each.row.score for name, each in rows.items()} == pytest.approx(
        {"Mass": 0.7, "Nodule": 0.5, "Edema": 0.9}
    )
    assert {name: each.row.state for name, each in rows.items()} == {
        "Mass": "above",
        "Nodule": "above",
        "Edema": "above",
    }
    assert {name: each.decided for name, each in rows.items()} == {"Mass": 1, "Nodule": 0, "Edema": 0}
    assert rows["Mass"].scores == pytest.approx((0.2, 0.7))
    assert (read.rule, read.parts, read.films_read) == ("maximum", ("read", "read"), 2)


def test_by_the_mean_no_film_decides() -> None:
    card = made_by("mean")
    read = read_study([film_of(FRONTAL, card=card), film_of(LATERAL, card=card)])
    rows = {each.row.finding: each for each in read.rows}
    assert {name: each.row.score for name, each in rows.items()} == pytest.approx(
        {"Mass": 0.45, "Nodule": 0.4, "Edema": 0.75}
    )
    assert {name: each.row.state for name, each in rows.items()} == {
        "Mass": "below",
        "Nodule": "below",
        "Edema": "above",
    }
    assert {each.decided for each in read.rows} == {None}


def test_of_equal_scores_the_first_film_decides() -> None:
    read = read_study([film_of(FRONTAL), film_of(FRONTAL)])
    assert {each.decided for each in read.rows} == {0}


@pytest.mark.parametrize(
    ("check", "anyway", "part"),
    [("lateral", False, "lateral"), ("lateral", True, "read anyway"), ("inverted", False, "refused")],
)
def test_a_film_that_the_model_may_not_read_does_not_count(check: CheckName, anyway: bool, part: FilmPart) -> None:
    read = read_study([film_of(LATERAL, check=check, anyway=anyway), film_of(FRONTAL)])
    assert (read.parts, read.films_read) == ((part, "read"), 1)
    rows = {each.row.finding: each for each in read.rows}
    assert {name: each.row.score for name, each in rows.items()} == pytest.approx(
        {"Mass": 0.2, "Nodule": 0.5, "Edema": 0.9}
    )
    assert rows["Mass"].scores == (None, pytest.approx(0.2)) and rows["Mass"].decided == 1


def test_a_study_of_which_no_film_may_be_read_has_no_scores() -> None:
    read = read_study([film_of(check="lateral"), film_of(check="turned", anyway=True)])
    assert (read.parts, read.rows, read.films_read) == (("lateral", "read anyway"), (), 0)
    assert study_scores(read)["findings"] == []


def test_an_export_has_scores_rule_and_counts_and_nothing_that_names_the_study() -> None:
    read = read_study([film_of(FRONTAL, study="a" * 16), film_of(LATERAL, check="lateral", study="a" * 16)])
    answer = study_scores(read)
    assert (answer["rule"], answer["films"], answer["films_read"]) == ("maximum", 2, 1)
    assert [each["finding"] for each in answer["findings"]] == ["Edema", "Nodule", "Mass"]
    assert answer["findings"][0] == {"finding": "Edema", "score": pytest.approx(0.9), "state": "above"}
    assert "a" * 16 not in str(answer)


ONE, OTHER = "0" * 16, "1" * 16


@pytest.mark.parametrize(
    ("studies", "views", "together", "chosen", "one"),
    [
        ((ONE, ONE), ("PA", "PA"), False, None, True),
        ((ONE, OTHER), ("PA", "lateral"), True, None, False),
        ((ONE, None), ("PA", "PA"), True, None, True),
        ((ONE, None), ("PA", "PA"), False, None, False),
        ((None, None), ("unknown", "lateral"), False, None, True),
        ((None, None), ("lateral", "lateral"), False, None, False),
        ((None, None), ("unknown", "unknown"), False, None, False),
        ((ONE, OTHER), ("PA", "PA"), False, True, True),
        ((ONE, ONE), ("PA", "PA"), True, False, False),
    ],
)
def test_what_makes_two_films_one_study(
    studies: tuple[str | None, str | None],
    views: tuple[View, View],
    together: bool,
    chosen: bool | None,
    one: bool,
) -> None:
    first, second = (film_of(study=study, view=view) for study, view in zip(studies, views, strict=True))
    assert is_one_study(first, second, together=together, chosen=chosen) is one
    assert is_one_study(second, first, together=together, chosen=chosen) is one


@pytest.mark.parametrize(
    ("studies", "agree"), [((ONE, ONE), True), ((ONE, OTHER), False), ((ONE, None), None), ((None, None), None)]
)
def test_headers_agree_or_differ_or_do_not_say(studies: tuple[str | None, str | None], agree: bool | None) -> None:
    first, second = (film_of(study=study).film for study in studies)
    assert headers_agree(first, second) is agree


def test_films_of_different_models_are_never_one_study() -> None:
    other = replace(CARD, name="other")
    first, second = film_of(study=ONE), film_of(study=ONE, card=other)
    assert not is_one_study(first, second, together=True, chosen=True)
