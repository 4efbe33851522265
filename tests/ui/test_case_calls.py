"""What the server answers about a case: place in the slice, film, maps, nearest cases, SQL; and how it refuses."""

from __future__ import annotations

import base64
import functools
import json
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import duckdb
import numpy as np
import pytest

from explorer.analysis.intervals_job import IntervalsJob
from explorer.cohorts.film_source import StoredFilm
from explorer.cohorts.images import Images
from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.manifest import ModelManifest, read_model_manifest
from explorer.core.findings import Outcome
from explorer.reading.finding_list import rows_of
from explorer.reading.reader import Reader
from explorer.runtime.fair_queue import FairQueue, QueueFull
from explorer.store.slices import Slice
from explorer.store.store import Ranked, Store
from explorer.ui.explore import case_film
from explorer.ui.explore.case_calls import calls
from explorer.ui.explore.case_film import NoFilm, film_answer, maps_answer, missing_film
from explorer.ui.explore.services import Services
from models.cards.card import Card, card
from models.radiograph import UnreadableRadiograph, read_radiograph
from tests.ui.case_asker import STATE, Ask, asker

COHORT, MODEL = "nih-oof", "nih-mini"
FOLDER = Folder(CACHE / COHORT)
MASS = Slice(COHORT, MODEL, finding="Mass", outcomes=(Outcome.MISS,))


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


@pytest.fixture
def ask_with_films(store: Store, shared: Path) -> Ask:
    return asker(store, Images({"nih": shared / "data" / "nih_cxr14"}))


@pytest.fixture(scope="module")
def misses(store: Store) -> tuple[Ranked, ...]:
    return store.page(MASS)


class Loaded:
    """A model that is there and would read no film here."""

    loading = False

    def __init__(self, about: Card) -> None:
        self.card = about

    def __call__(self) -> Any:  # noqa: ANN401
        return self


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
    about = card(MODEL)
    read = {row.finding: row.group for row in rows_of(about, np.full(len(about.findings), 0.5, np.float32))}
    rows = {row["finding"]: row for row in ask("case_facts", misses[0].id)["rows"]}
    for finding, row in rows.items():
        group = read[finding]
        assert group is not None and row["group"] == group.group, finding
        assert row["group_source"] == (None if group.source == "paper" else "NIH"), finding
    assert (rows["Infiltration"]["group"], rows["Infiltration"]["group_source"]) == ("common", "NIH")


@pytest.mark.parametrize(
    ("age", "words"), [(None, "unknown"), (0, "0-17 years"), (17, "0-17 years"), (18, "18-39 years"), (80, "80+ years")]
)
def test_ages_are_told_in_the_bands_of_slices(age: int | None, words: str, store: Store, misses: Any) -> None:  # noqa: ANN401
    from explorer.analysis.case_facts import facts_of
    from explorer.ui.explore.case_payload import facts_payload

    case = store.case(COHORT, misses[0].case)
    assert case
    facts = facts_of(replace(case, age=age), store.models(COHORT), MASS, {})
    assert ("Age", words) in facts_payload(facts, store.cohorts()[0], MASS, {}, "", here=False)["about"]


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


# Film and maps


def test_the_film_is_decoded_and_takes_its_view_from_the_cohort(
    ask_with_films: Ask, misses: tuple[Ranked, ...]
) -> None:
    answer = ask_with_films("case_film", misses[0].id)
    assert answer["stage"] == "film"
    assert answer["film"]["view"] == misses[0].view
    assert answer["film"]["image"].startswith("data:image/png;base64,")


def test_without_images_the_answer_says_how_to_give_them_and_no_name(ask: Ask, misses: tuple[Ranked, ...]) -> None:
    answer = ask("case_film", misses[0].id)
    assert (answer["stage"], answer["command"]) == ("no film", 'make run ARGS="--images nih=DIR"')
    assert misses[0].case not in json.dumps(answer)  # a name may tell what is hidden
    assert ask("case_maps", misses[0].id)["stage"] == "refused"


def test_a_folder_without_the_film_and_a_case_without_an_image_are_told_apart() -> None:
    assert "is not in it" in missing_film("own", "own", given=True)["detail"]
    assert "made elsewhere" in missing_film("own", None, given=False)["detail"]


def test_a_film_that_is_gone_too_large_or_no_film_is_refused_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(NoFilm, match="cannot be read"):
        film_answer(StoredFilm(tmp_path / "gone.png"), "PA")
    letter = tmp_path / "letter.png"
    letter.write_text("Dear colleague, thank you. " * 40)
    with pytest.raises(UnreadableRadiograph):
        film_answer(StoredFilm(letter), "PA")
    monkeypatch.setattr(case_film, "LIMIT_MB", 0)
    with pytest.raises(NoFilm, match="too large"):
        film_answer(StoredFilm(letter), "PA")


def test_no_more_films_are_decoded_at_once_than_stand_in_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(case_film, "DECODERS", FairQueue(longest=0))
    with pytest.raises(QueueFull):
        film_answer(StoredFilm(tmp_path / "film.png"), "PA")


@pytest.mark.parametrize(
    ("about", "made_with", "why"),
    [
        pytest.param({"name": "other"}, {}, "started with other", id="another model"),
        pytest.param({"sha256": "0" * 64}, {}, "not those that scored", id="other weights"),
        pytest.param({}, {"sha256": None}, "It is unknown", id="weights that nobody knows"),
    ],
)
def test_maps_are_only_by_the_model_that_made_the_scores(
    made: ModelManifest, about: dict[str, str], made_with: dict[str, None], why: str, tmp_path: Path
) -> None:
    reader = Reader(Loaded(replace(card(MODEL), **about)))  # type: ignore[arg-type]
    answer = maps_answer(StoredFilm(tmp_path / "never read"), reader, replace(made, **made_with), "NIH")
    assert answer["stage"] == "no maps"
    assert why in answer["detail"]
    assert maps_answer(StoredFilm(tmp_path / "never read"), None, made, "NIH")["stage"] == "no maps"


@pytest.fixture(scope="module")
def reader() -> Reader:
    from explorer.reading.model_loader import BackgroundModel
    from models.load import classifier

    model = BackgroundModel(MODEL, functools.partial(classifier, MODEL, "cpu"))
    model.start()
    return Reader(model)


def test_the_map_says_that_it_is_in_sample_and_has_the_models_own_scores(
    store: Store, shared: Path, reader: Reader, misses: tuple[Ranked, ...]
) -> None:
    images = Images({"nih": shared / "data" / "nih_cxr14"})
    answer = asker(store, images, reader)("case_maps", misses[0].id)
    assert answer["stage"] == "opinion"
    assert "out of fold" in answer["honest"]
    assert "trained on this film (in-sample)" in answer["honest"]
    path = images.path(misses[0].root, misses[0].file)
    assert path
    own = {row.finding: row.score for row in reader.read(read_radiograph(path.read_bytes())).rows}
    assert {row["finding"]: row["score"] for row in answer["rows"]} == pytest.approx(own, abs=1e-6)


def test_the_map_of_one_finding_is_that_of_all(
    store: Store, shared: Path, reader: Reader, misses: tuple[Ranked, ...]
) -> None:
    call = asker(store, Images({"nih": shared / "data" / "nih_cxr14"}), reader)
    every, one = call("case_maps", misses[0].id), call("case_maps", misses[0].id, findings=["Effusion", "Edema"])
    assert one["heat"]["findings"] == ["Edema"], "what the model does not look for has no map"
    assert len(every["heat"]["findings"]) == len(reader.card.findings) == len(one["rows"])
    maps, alone = (np.frombuffer(base64.b64decode(each["heat"]["maps"]), "<f4") for each in (every, one))
    place = every["heat"]["findings"].index("Edema")
    np.testing.assert_allclose(maps.reshape(len(one["rows"]), -1)[place], alone, rtol=1e-4, atol=1e-6)
    assert call("case_maps", misses[0].id, findings=["Goiter"])["stage"] == "no maps"


@pytest.mark.parametrize(
    ("split", "center", "words"),
    [
        ("out of fold: five models", "NIH", "trained on this film (in-sample)"),
        ("out of fold: five models", "Elsewhere", "trained on other films"),
        ("", "NIH", "The film is internal: films of other patients"),
        ("", "Elsewhere", "which made the listed scores"),
    ],
)
def test_what_a_map_is_to_be_believed(made: ModelManifest, split: str, center: str, words: str) -> None:
    assert words in case_film._honest(card(MODEL), replace(made, split=split), center)


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


# Refusals


@pytest.mark.parametrize("case", ["0" * 16, "", "x", "f" * 17, None, 7, ["a"]])
def test_a_case_that_is_not_there_is_refused(ask: Ask, case: object) -> None:
    for name in ("case_place", "case_facts", "case_film", "case_maps", "case_near"):
        answer = ask(name, case)
        assert (answer["stage"], answer["title"]) == ("refused", "This case is not in the cohort")


@pytest.mark.parametrize("sent", [None, 3, "x", [], {}, {"state": 3, "case": "x"}])
def test_whatever_a_caller_sends_is_answered(store: Store, sent: object) -> None:
    services = Services(store, Images({}, cohorts=list), None, cast(IntervalsJob, None))
    for call in calls(services):
        assert cast(dict[str, Any], call(sent))["stage"] == "refused"
