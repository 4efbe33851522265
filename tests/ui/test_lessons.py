"""The lessons: what they say is counted, and what they link to is there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest

from explorer.phantom import ABNORMAL, SIDES
from explorer.settings import CLASSIFIERS, VLMS
from explorer.store.store import Store
from explorer.ui.explore.links import chosen
from explorer.ui.simulate.lesson_facts import UNSEEN, facts, missed_words
from explorer.ui.simulate.lesson_steps import SEED
from explorer.ui.simulate.lessons import LESSONS, lessons_payload
from tests.support.small_cohort import Film, store_of, write_small
from tests.support.small_phantom import write_phantom

LONGEST = 420  # characters of a step: a few lines of the bar


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A simulated cohort in which Mass is missed at center B alone, and Pneumothorax everywhere."""
    films = [
        Film(
            f"{center}-{number}",
            {"Mass": _present(number < 20), "Pneumothorax": _present(number >= 38)},
            {"Mass": 0.9 if number < 20 and (center == "A" or number < 2) else 0.1, "Pneumothorax": 0.2},
            center=f"phantom {center}",
        )
        for center in "AB"
        for number in range(40)
    ]
    return store_of(write_small(tmp_path, films, {"Mass": 0.5, "Pneumothorax": 0.5}, name="phantom", simulated=True))


def _present(there: bool) -> str:
    return "present" if there else "absent"


def test_there_are_six_lessons_of_three_to_five_short_steps(store: Store) -> None:
    for known in (facts(store), facts(Store(lambda: ()))):
        lessons = lessons_payload(known)
        assert [lesson["title"] for lesson in lessons] == [lesson.title for lesson in LESSONS] and len(lessons) == 6
        for lesson in lessons:
            assert 3 <= len(lesson["steps"]) <= 5
            assert all(len(step["words"]) <= LONGEST and step["go"] for step in lesson["steps"])


def links(store: Store) -> list[str]:
    return [step["link"] for lesson in lessons_payload(facts(store)) for step in lesson["steps"]]


def test_every_link_into_simulate_is_a_film_that_can_be_made(store: Store) -> None:
    there = [link.partition("?")[2] for link in links(store) if link.startswith("#simulate?")]
    assert len(there) >= 8
    for words in map(dict, map(parse_qsl, there)):
        assert words.pop("center") in "AB" and words.pop("seed") == str(SEED)
        assert set(words.pop("show").split(",")) <= {"masks", "twin", "difference"}
        ((finding, said),) = words.items()
        side, severity = said.split(",")
        assert finding in ABNORMAL and side in (SIDES[finding] or ("",)) and 0 <= float(severity) <= 1


def test_every_link_into_explore_is_a_slice_of_the_simulated_cohort(store: Store) -> None:
    there = [dict(parse_qsl(link.partition("?")[2])) for link in links(store) if link.startswith("#explore?")]
    assert {words["panel"] for words in there} >= {"table", "scatter", "compare", "films"}
    for words in there:
        slices = [chosen(store, words)]
        if "beside" in words:
            slices.append(chosen(store, dict(parse_qsl(words["beside"]))))
        assert {each.cohort for each in slices} == {"phantom"}


def step(store: Store, lesson: int, place: int) -> dict[str, Any]:
    found: dict[str, Any] = lessons_payload(facts(store))[lesson]["steps"][place]
    return found


def test_numbers_are_those_of_the_cohort(store: Store) -> None:
    known = facts(store)
    assert known.classifier is not None and known.rarest == "Pneumothorax"
    assert missed_words(known.classifier.lines["Pneumothorax"].pooled).startswith("missed 4 of 4 films")
    assert "missed 4 of 4 films with Pneumothorax: 1.00 [0.51\N{EN DASH}1.00]" in step(store, 0, 1)["words"]
    gap = step(store, 1, 2)["words"]
    assert "Mass differs most: sensitivity 1.00" in gap and "0.10 [" in gap and "do not overlap" in gap
    compared = dict(parse_qsl(step(store, 1, 3)["link"].partition("?")[2]))
    at_a = chosen(store, compared)
    assert (at_a.finding, at_a.center) == ("Mass", "phantom A")
    assert chosen(store, dict(parse_qsl(compared["beside"]))) == replace(at_a, center="phantom B")


def test_intervals_that_overlap_are_said_to(tmp_path: Path) -> None:
    films = [
        Film(
            f"{center}-{number}", {"Mass": "present"}, {"Mass": 0.9 if number or center == "A" else 0.1}, center=center
        )
        for center in "AB"
        for number in range(3)
    ]
    small = store_of(write_small(tmp_path, films, {"Mass": 0.5}, name="phantom", simulated=True))
    assert "overlap: these films cannot tell" in step(small, 1, 2)["words"]


def test_where_nothing_was_missed_nobody_is_told_to_look_at_misses(tmp_path: Path) -> None:
    films = [Film(str(number), {"Mass": "present"}, {"Mass": 0.9}) for number in range(3)]
    small = store_of(write_small(tmp_path, films, {"Mass": 0.5}, name="phantom", simulated=True))
    assert step(small, 0, 3)["words"].startswith("None of the films here with Mass was missed")


@pytest.mark.slow
def test_the_shipped_cohort_is_told_of_by_what_reads_simulated_films() -> None:
    known = facts(Store())
    assert known.classifier is not None and known.text_model is not None
    assert (known.classifier.model.model, known.text_model.model.model) == (CLASSIFIERS.simulated, VLMS.simulated)


def test_networks_of_the_lab_are_compared_by_what_was_counted(tmp_path: Path) -> None:
    """The second network finds every Hydropneumothorax and Mass, the first none; the third does so at A alone."""
    shown = {"Hydropneumothorax": range(8), "Mass": range(8, 16)}

    def films(right: Callable[[str], bool]) -> list[Film]:
        return [
            Film(
                f"{center}-{number}",
                {name: _present(number in those) for name, those in shown.items()},
                {name: 0.9 if (number in those) == right(center) else 0.1 for name, those in shown.items()},
                center=center,
            )
            for center in "AB"
            for number in range(40)
        ]

    cuts = dict.fromkeys(shown, 0.5)
    models = {"bce": lambda _: False, "class-aware": lambda _: True, "center-a": lambda center: center == "A"}
    for recipe, right in models.items():
        place = write_small(tmp_path, films(right), cuts, name="phantom", model=f"lab-{recipe}-0", simulated=True)
    small = store_of(place)
    tail, price = step(small, 4, 1), step(small, 4, 2)
    assert "Mean average precision of 1 very rare finding: 0.20 as they come, 1.00 equally often" in tail["words"]
    assert "Mean AUROC of" not in price["words"], "Mass is rare"
    one = dict(parse_qsl(tail["link"].partition("?")[2]))
    assert chosen(small, one).model == "lab-class-aware-0" and chosen(small, one).group == "very rare"
    assert chosen(small, dict(parse_qsl(one["beside"]))).model == "lab-bce-0"
    assert "Mean AUROC of 2 findings: 1.00 at A, 0.00 at B; higher at B for 0 of 2." in step(small, 5, 1)["words"]
    assert "Mean AUROC of 2 findings: 0.00 without B, 0.00 with B" in step(small, 5, 2)["words"]
    assert "Mean specificity of 2 findings: 1.00 at A, 0.00 at B" in step(small, 5, 3)["words"]
    at_b = dict(parse_qsl(step(small, 5, 2)["link"].partition("?")[2]))
    assert chosen(small, at_b).center == "B" and chosen(small, at_b).model == "lab-center-a-0"


def test_without_a_simulated_cohort_no_figure_of_one_is_told(tmp_path: Path) -> None:
    real = store_of(write_small(tmp_path, [Film("1", {"Mass": "present"}, {"Mass": 0.9})], {"Mass": 0.5}))
    for empty in (real, Store(lambda: ())):
        known = facts(empty)
        assert (known.classifier, known.text_model, known.widest) == (None, None, None)
        assert not any(known.recipes.values())
        assert all(link.startswith(("#simulate?", "#explore")) for link in links(empty))


def test_the_unseen_are_those_of_the_vocabulary(tmp_path: Path) -> None:
    words = lessons_payload(facts(store_of(write_phantom(tmp_path))))[3]["steps"][0]["words"]
    assert all(finding in words for finding in UNSEEN)
