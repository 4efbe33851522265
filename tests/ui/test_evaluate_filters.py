"""Whatever Explore's filters are, Evaluate measures the films that Explore counts, and leads back to them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from explorer.analysis.comparisons.subgroups import SubgroupRequest, subgroup_points
from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.analysis.leaderboard.joint_scores import NoComparison, joint_scores
from explorer.analysis.leaderboard.means import leaderboard
from explorer.analysis.leaderboard.picked_films import listed_film_slice
from explorer.cohorts.images import Images
from explorer.cohorts.layout import Folder
from explorer.cohorts.mark_edits import starring
from explorer.cohorts.schema import CASES
from explorer.core.findings import Outcome
from explorer.core.map_area import MAP_SIDE
from explorer.store.filter_registry import FILTERS
from explorer.store.slices import Slice
from explorer.store.store import Store
from explorer.store.where_words import choices
from explorer.ui.evaluate.panels.finding_asked import leaderboard_finding_scores
from explorer.ui.evaluate.panels.panel import PanelRequest
from explorer.ui.evaluate.subject import subject_of, subject_words
from explorer.ui.shared.links import model_id, resolve_link, slice_words
from explorer.ui.shared.services import Services
from tests.support.brute_force import NAME, Row, Rows, chosen_pairs, pairs_of
from tests.support.wording import Wording
from tests.ui.evaluate_asker import Ask, asker

FINDINGS = ("Mass", "Normal", "Hernia", "Scoliosis", "A name of its own")
MODELS = ("one", "other")
LABELS = ("present", "absent", "absent", "unknown", "uncertain")
FILMS, SLICES = 40, 60
LOOKS = {"severity": (None, 0.1, 0.5, 0.9), "side": (None, "left", "right"), "area": (None, 0.005, 0.02, 0.2)}
AREAS = ("AAAAAA____AA", "____AA____AA")  # a half of the map each


def made(dice: np.random.Generator) -> Rows:
    """Films that both models scored for every finding; two sources label some pairs, one of them alone others."""

    def one(values: tuple[Any, ...]) -> Any:  # noqa: ANN401 - whatever the values are
        return values[dice.integers(len(values))]

    names = [f"film {number:02}" for number in range(FILMS)]
    cases: list[Row] = [
        dict.fromkeys(CASES.names)
        | {"case": name, "patient": str(dice.integers(FILMS)), "center": one(("North", "South"))}
        | {"view": one(("PA", "AP", "lateral")), "sex": one(("F", "M")), "age": int(dice.integers(10, 90))}
        for name in names
    ]
    labels: list[Row] = [
        {"case": name, "finding": finding, "label": one(LABELS), "source": source}
        for name, finding in product(names, FINDINGS)
        for source in ((), ("reports",), ("reports", "a reader"), ("a reader",))[dice.integers(4)]
    ]
    scores: dict[str, list[Row]] = {
        model: [
            {"case": name, "finding": finding, "score": round(float(dice.random()), 1)}
            for name, finding in product(names, FINDINGS)
        ]
        for model in MODELS
    }
    cuts: list[Row] = [{"finding": each, "split": None, "threshold": 0.5, "rule": "set"} for each in FINDINGS[:4]]
    looks: list[Row] = [
        {"case": name, "finding": finding, **{key: one(values) for key, values in LOOKS.items()}}
        for name, finding in product(names, FINDINGS)
        if dice.random() < 0.2
    ]
    places = {
        name: (int(dice.integers(MAP_SIDE)), int(dice.integers(MAP_SIDE))) for name in names if dice.random() < 0.9
    }
    return Rows(cases, labels, scores, dict.fromkeys(MODELS, cuts), looks, places)


@pytest.fixture(scope="module")
def rows() -> Rows:
    return made(np.random.default_rng(18))


@pytest.fixture(scope="module")
def services(rows: Rows, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    folder: Folder = rows.write(tmp_path_factory.mktemp("cohorts"))
    store = Store(lambda: (folder,))
    store.change_marks(NAME, starring([str(row["case"]) for row in rows.cases[::3]], on=True))
    with closing(IntervalsJob(store, resamples=5)) as job:
        yield Services(store, Images(), None, job)


@pytest.fixture(scope="module")
def ask(services: Services) -> Ask:
    return asker(services)


def drawn(store: Store, dice: np.random.Generator) -> Slice:
    """A slice with one to three filters, each with a value that there is."""
    known, values = choices(store, NAME, "one"), dict[str, Any]()
    for at in dice.choice(len(FILTERS), dice.integers(1, 4), replace=False):
        for word in FILTERS[at].words:
            values[word.field] = _value(store, list(word.shown(known)), word.field, dice)
    if values.get("low") is not None and values["low"] >= values["high"]:
        values["high"] = None
    return Slice(NAME, "one", **values)


def _value(store: Store, there: list[Any], field: str, dice: np.random.Generator) -> Any:  # noqa: ANN401 - any filter
    if field in ("low", "high"):
        return float(dice.integers(0, 10)) / 10
    if field == "lasso":
        known = store.film_map(NAME, "one")
        assert known is not None
        return known.area(f"{known.version}.{AREAS[dice.integers(len(AREAS))]}")
    return there[dice.integers(len(there))]


def words(chosen: Slice) -> dict[str, Any]:
    """Explore's address, as its link to Evaluate has it, with both models."""
    return slice_words(chosen) | {"models": ".".join(model_id(NAME, each) for each in MODELS)}


def labels(rows: Rows, source: str | None, uncertain: str | None) -> dict[tuple[str, str], float]:
    """By case and finding what the labels say: 1 present, 0 absent, NaN neither."""
    return {
        (pair.case, pair.finding): {"present": 1.0, "absent": 0.0}.get(pair.label, np.nan)
        for pair in pairs_of(rows, "one", uncertain)
        if (pair.whole if source is None else pair.source == source)
    }


@pytest.mark.slow
def test_evaluate_measures_the_films_that_explore_counts_and_leads_back_to_them(rows: Rows, services: Services) -> None:
    store, dice = services.store, np.random.default_rng(3)
    names, seen, measured = sorted(str(row["case"]) for row in rows.cases), set[str](), 0
    for turn in range(SLICES):
        chosen = drawn(store, dice)
        seen |= {each.key for each in FILTERS if chosen.without(each) != chosen}
        subject = subject_of(store, words(chosen))
        assert not subject.complaints and subject.in_explore == chosen
        again = subject_of(store, subject_words(subject))
        assert again == subject and again.in_explore == chosen  # the address of Evaluate holds all filters
        assert resolve_link(store, slice_words(again.in_explore)).slice == chosen  # and so does the link back

        films = {pair.case for pair in chosen_pairs(rows, chosen)}
        assert store.count(chosen).films == len(films)
        said = labels(rows, chosen.label_source, chosen.uncertain)
        known = {case for case in films if any(not np.isnan(said.get((case, each), np.nan)) for each in FINDINGS)}
        try:
            joint = joint_scores(store, subject.chosen, MODELS)
        except NoComparison:
            assert not known
            continue
        measured += 1
        assert {names[film] for film in joint.films} == films
        board = leaderboard(store, subject.chosen, MODELS)
        assert board.films == len(films) and board.films_left_out == 0
        everything = tuple(range(len(board.findings)))
        question = SubgroupRequest(subject.chosen, MODELS, "AUROC", everything, False)
        for each in subgroup_points(store, question) if turn % 6 == 0 else ():  # a query for each subgroup
            assert each.films + each.others == len(known)
        for place, finding in enumerate(board.findings[:2]):
            one = leaderboard_finding_scores(PanelRequest(services, subject, {}), place)
            of = [said.get((names[film], finding), np.nan) for film in joint.films]
            np.testing.assert_array_equal(one.labels, of)
    assert seen == {each.key for each in FILTERS}, "every filter was drawn"
    assert measured > SLICES / 2


def test_films_are_picked_by_what_the_reference_says_where_no_model_is_named(rows: Rows, services: Services) -> None:
    chosen = Slice(NAME, "other", outcomes=(Outcome.MISS,), finding="Mass")
    state = {name: word for name, word in words(chosen).items() if name != "model"}
    subject = subject_of(services.store, state | {"reference": model_id(NAME, "other")})
    assert subject.in_explore == chosen and subject_words(subject)["model"] == model_id(NAME, "other")
    assert subject_of(services.store, state | {"model": model_id(NAME, "one")}).in_explore.model == "one"


def test_what_a_finding_alone_picks_is_every_film_and_nothing_is_computed_twice(services: Services) -> None:
    plain, one = (subject_of(services.store, words(Slice(NAME, "one", finding=each))) for each in (None, "Mass"))
    assert plain.chosen == one.chosen and one.in_explore.finding == "Mass"


def test_the_page_says_what_the_filters_mean_and_offers_the_others(
    ask: Ask, services: Services, wording: Wording
) -> None:
    found = ask("board", words(Slice(NAME, "one", outcomes=(Outcome.MISS,), also_present="Mass")))
    assert found["complaints"] == [] and found["words"].items() >= {"outcome": "miss", "with": "mass"}.items()
    assert "2 models" in found["title"] and "by one in rows" in found["title"]
    wording(found["title"])
    whole, by_choice = found["picked"]
    assert "of any finding" in whole and "scores of one:" in by_choice
    wording(by_choice)
    assert found["notes"][:2] == found["picked"], "files have it, too"
    more = {each["key"]: each for each in found["more"]}
    assert {key for key, each in more.items() if each["shown"]} == {"outcome", "with", "model"}
    offered = {"finding", "severity", "side", "size", "score", "relation", "called", "task"}
    assert {key for key, each in more.items() if each["offered"]} >= offered
    none = ask("board", words(Slice(NAME, "one", finding="Mass")))
    (line,) = none["picked"]
    assert "Finding" in line
    wording(line)
    assert not {each["key"] for each in none["more"] if each["shown"]}


def test_the_finding_shown_has_a_word_of_its_own_where_a_finding_picks_the_films(ask: Ask) -> None:
    state = words(Slice(NAME, "one", severity="faint", finding="Mass")) | {"panel": "finding"}
    first = ask("panel", state)
    assert first["content"]["word"] == "about" and first["content"]["finding"] != "Mass"  # all of these have it
    assert first["words"]["finding"] == "mass"
    other = ask("panel", state | {"about": "hernia"})
    assert other["content"]["finding"] == "Hernia" and other["words"]["about"] == "hernia"


def test_metrics_by_finding_are_of_the_same_films(rows: Rows, services: Services) -> None:
    chosen = Slice(NAME, "one", outcomes=(Outcome.FALSE_ALARM,), also_present="Normal")
    films = {pair.case for pair in chosen_pairs(rows, chosen)}
    alike = listed_film_slice(services.store, chosen)
    assert films and services.store.count(alike).films == len(films)
    assert services.store.count(replace(alike, model="other")).pairs == len(films) * len(FINDINGS)
