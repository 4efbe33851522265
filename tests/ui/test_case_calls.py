"""What the server answers about a case: place in the slice, facts, nearest cases, SQL; and how it refuses."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import duckdb
import numpy as np
import pytest

from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.cohorts.images import Images
from explorer.cohorts.manifest import ModelManifest, read_model_manifest
from explorer.cohorts.public_ids import opaque_id
from explorer.core.findings import Outcome
from explorer.reading.finding_list import finding_rows
from explorer.store.slices import Slice
from explorer.store.store import Ranked, Store
from explorer.ui.explore.case_calls import calls
from explorer.ui.shared.services import Services
from models.cards.classifier_card import classifier_card
from models.films.film import View
from tests.support.small_cohort import NAME, Film, store_of, write_small
from tests.ui.case_asker import COHORT, FOLDER, MASS, MODEL, STATE, Ask, asker


@pytest.fixture(scope="module")
def store() -> Store:
    return Store(lambda: [FOLDER])


@pytest.fixture(scope="module")
def made() -> ModelManifest:
    return read_model_manifest(FOLDER.model(MODEL))


@pytest.fixture
def ask(store: Store) -> Ask:
    """Without any image."""
    return asker(store, Images({}, cohorts=list))


@pytest.fixture(scope="module")
def misses(store: Store) -> tuple[Ranked, ...]:
    return store.page(MASS)


# Place


def test_the_place_of_each_case_and_its_neighbors(ask: Ask, misses: tuple[Ranked, ...]) -> None:
    ids = [None, *(film.id for film in misses), None]
    for number, (before, own, after) in enumerate(zip(ids, ids[1:], ids[2:], strict=False), 1):
        place = ask("case_place", own)
        assert (place["number"], place["of"]) == (number, len(misses))
        assert place["previous"] == (before and {"case": before, "page": 1})
        assert place["next"] == (after and {"case": after, "page": 1})


def test_neighbors_go_over_the_pages(store: Store, ask: Ask) -> None:
    misses = Slice(COHORT, MODEL, outcomes=(Outcome.MISS,))
    first, second = store.page(misses, 0), store.page(misses, 1)
    state = {"outcome": "miss"}
    assert ask("case_place", first[-1].id, state)["next"] == {"case": second[0].id, "page": 2}
    there = ask("case_place", second[0].id, state | {"page": "2"})
    assert there["previous"] == {"case": first[-1].id, "page": 1}
    assert there["number"] == 25


def test_a_case_that_is_not_on_the_page_has_no_number(ask: Ask, misses: tuple[Ranked, ...]) -> None:
    assert ask("case_place", misses[0].id, STATE | {"page": "2"}) == {"stage": "place", "page": 2}
    assert ask("case_place", misses[0].id, {"finding": "hernia", "outcome": "miss"})["page"] == 1


@pytest.mark.parametrize("page", ["0", "-1", "x", "9" * 40, "\u00b2"])
def test_any_page_of_an_address_is_answered(ask: Ask, misses: tuple[Ranked, ...], page: str) -> None:
    assert ask("case_place", misses[0].id, STATE | {"page": page})["stage"] == "place"


def test_hidden_the_order_is_that_of_the_shuffled_gallery(store: Store, ask: Ask) -> None:
    shuffled = store.page(MASS, shuffle=7)
    state = STATE | {"hide": "1", "shuffle": "7"}
    assert ask("case_place", shuffled[2].id, state)["number"] == 3
    assert ask("case_place", shuffled[2].id, state)["previous"]["case"] == shuffled[1].id


# Facts


def test_facts_are_those_of_the_store(ask: Ask, misses: tuple[Ranked, ...], made: ModelManifest) -> None:
    film = misses[0]
    facts = ask("case_facts", film.id)
    first = next(row for row in facts["rows"] if row["finding"] == "Mass")
    assert facts["finding"] == "Mass"
    assert (first["score"], first["threshold"], first["outcome"]) == (film.score, film.threshold, "miss")
    assert first["margin"] == pytest.approx(film.score - film.threshold)  # type: ignore[operator]
    assert {row["finding"] for row in facts["rows"]} == set(made.findings)
    present = next(said["findings"] for said in facts["labels"] if said["label"] == "present")
    assert tuple(present) == film.present
    assert facts["notes"] == []  # out of fold


def test_a_finding_has_the_group_that_read_gives_it(ask: Ask, misses: tuple[Ranked, ...]) -> None:
    """The paper has no group for Infiltration: the NIH's is shown, and called that."""
    about = classifier_card(MODEL)
    read = {row.finding: row.group for row in finding_rows(about, np.full(len(about.findings), 0.5, np.float32))}
    rows = {row["finding"]: row for row in ask("case_facts", misses[0].id)["rows"]}
    for finding, row in rows.items():
        group = read[finding]
        assert group is not None and row["group"] == group.group, finding
        assert row["group_source"] == (None if group.source == "paper" else "NIH"), finding
    assert (rows["Infiltration"]["group"], rows["Infiltration"]["group_source"]) == ("common", "NIH")


def test_a_finding_that_the_model_cannot_judge_is_called_so_as_in_read(ask: Ask, misses: tuple[Ranked, ...]) -> None:
    about = classifier_card(MODEL)
    assert about.cannot_judge
    facts, asked = ask("case_facts", misses[0].id), ask("case_others", misses[0].id)
    assert {row["finding"] for row in facts["rows"] if row["cannot_judge"]} == set(about.cannot_judge)
    assert len(asked["models"]) == facts["other_models"]
    others = {
        row["finding"]
        for each in asked["models"]
        if each["title"] == "nih-mini"
        for row in each["rows"]
        if row["cannot_judge"]
    }
    assert others == set(classifier_card("nih-mini").cannot_judge)


@pytest.mark.parametrize(
    ("age", "words"), [(None, "unknown"), (0, "0-17 years"), (17, "0-17 years"), (18, "18-39 years"), (80, "80+ years")]
)
def test_ages_are_told_in_the_bands_of_slices(age: int | None, words: str, store: Store, misses: Any) -> None:  # noqa: ANN401
    from explorer.analysis.cases.case_facts import collect_case_facts
    from explorer.ui.explore.case_payload import facts_payload

    case = store.case(COHORT, misses[0].case)
    assert case
    facts = collect_case_facts(replace(case, age=age), store.models(COHORT), MASS, {})
    assert ("Age", words) in facts_payload(facts, store.cohorts()[0], MASS, {}, "", others=0, here=False)["about"]


def test_the_sql_runs_as_it_stands_and_gives_the_scores_of_the_case(ask: Ask, misses: tuple[Ranked, ...]) -> None:
    facts = ask("case_facts", misses[0].id)
    connection = duckdb.connect()
    connection.execute(f"SET file_search_path = '{FOLDER.path}'")
    rows = connection.execute(facts["sql"]).fetchall()
    columns = [column[0] for column in connection.description or ()]
    found = {row[columns.index("finding")]: row for row in rows}
    assert {finding: row[columns.index("outcome")] for finding, row in found.items()} == {
        row["finding"]: row["outcome"] for row in facts["rows"]
    }
    assert {row[columns.index("case")] for row in rows} == {misses[0].case}


# Nearest cases


def test_nearest_cases_are_the_nearest_by_cosine_distance(
    ask: Ask, store: Store, misses: tuple[Ranked, ...], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    features = store.features(COHORT, MODEL)
    vectors = features.vectors.astype(np.float64)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    at = features.cases.index(misses[0].case)
    distances = 1 - vectors @ vectors[at]
    distances[at] = np.inf
    expected = [features.cases[place] for place in np.argsort(distances)[:6]]
    answer = ask("case_near", misses[0].id)
    assert [near["id"] for near in answer["cases"]] == [line.id for line in store.cases(COHORT, expected)]
    first = answer["cases"][0]
    assert first["words"].startswith(f"distance {distances.min():.2f}, closer than ")
    known = store.case(COHORT, expected[0])
    assert known
    assert first["outcomes"]["Mass"] == next(row.outcome for row in known.scores if row.finding == "Mass")


def test_other_films_of_a_study_are_shown_with_their_view(tmp_path: Path) -> None:
    def film(case: str, view: View, study: str | None, patient: str | None, center: str = "North") -> Film:
        return Film(case, {"Mass": "present"}, {"Mass": 0.5}, patient, center, study, view)

    films = [
        film("a", "PA", "1", "p"),
        film("b", "lateral", "1", "p"),
        film("c", "AP", "1", "p"),
        film("d", "PA", "2", "p"),
        film("e", "PA", "1", "q"),
        film("f", "PA", "1", "p", "South"),
        film("g", "PA", None, "p"),
        film("h", "PA", "3", None),
        film("i", "lateral", "3", None),
        *(film(f"many {n}", "PA", "4", "p") for n in range(9)),
    ]
    store = store_of(write_small(tmp_path, films, {"Mass": 0.5}))
    ask = asker(store, Images({}, cohorts=list))
    state = {"cohort": opaque_id(NAME)}

    def mates(case: str) -> list[tuple[str, str]]:
        answer = ask("case_near", opaque_id(NAME, "case", case), state)
        assert answer["stage"] == "none", "without features"
        return [(film["case"], film["view"]) for film in answer["same_study"]]

    assert mates("a") == [("b", "lateral"), ("c", "AP")] and mates("b") == [("a", "PA"), ("c", "AP")]
    assert mates("h") == [("i", "lateral")] and len(mates("many 3")) == 6
    assert all(mates(case) == [] for case in "defg")
    store.close()


# Refusals


@pytest.mark.parametrize("case", ["0" * 16, "", "x", "f" * 17, None, 7, ["a"]])
def test_a_case_that_is_not_there_is_refused(ask: Ask, case: object) -> None:
    answers = [ask(name, case) for name in ("case_place", "case_facts", "case_film", "case_maps", "case_near")]
    assert {answer["stage"] for answer in answers} == {"refused"}
    assert len({answer["title"] for answer in answers}) == 1


@pytest.mark.parametrize("sent", [None, 3, "x", [], {}, {"state": 3, "case": "x"}])
def test_whatever_a_caller_sends_is_answered(store: Store, sent: object) -> None:
    services = Services(store, Images({}, cohorts=list), None, cast(IntervalsJob, None))
    for call in calls(services):
        assert cast(dict[str, Any], call(sent))["stage"] == "refused"
