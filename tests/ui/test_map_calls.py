"""The server's side of the panel Map over the shipped nih-oof, and an area of it in every way that filters go."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from explorer.analysis.film_maps.film_map_job import FilmMapsJob
from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.cohorts.film_map import KnownMap
from explorer.cohorts.images import Images
from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.public_ids import opaque_id
from explorer.core.map_area import MapArea, area_word
from explorer.store.filter_words import WrongFilter
from explorer.store.slices import Slice, films_sentence, sentence
from explorer.store.store import Store
from explorer.store.where_words import FILM_WORDS, slice_in
from explorer.ui.explore.map_calls import calls
from explorer.ui.explore.slice_endpoint import slice_endpoint
from explorer.ui.map_route import map_address, map_route
from explorer.ui.read.handlers import ReadHandlers
from explorer.ui.shared.links import resolve_link, slice_words
from explorer.ui.shared.services import Services
from tests.support.wording import Wording

COHORT, MODEL = "nih-oof", "nih-mini"
FINDING = "Pleural Effusion"
ALL = Slice(COHORT, MODEL)
CORNERS = ((400, 300), (3000, 500), (3300, 2600), (1200, 3500))
Json = dict[str, Any]


class Desk:
    """Read, with what is open there."""

    def __init__(self) -> None:
        self.films: dict[object, object] = {}

    def opened(self, token: object) -> object:
        return self.films.get(token) if isinstance(token, str) else None


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    store = Store(lambda: [Folder(CACHE / COHORT)])
    yield store
    store.close()


@pytest.fixture(scope="module")
def known(store: Store) -> KnownMap:
    known = store.film_map(COHORT, MODEL)
    assert known is not None, "it is shipped"
    return known


@pytest.fixture(scope="module")
def area(known: KnownMap) -> MapArea:
    return known.area(area_word(MapArea(MODEL, known.version, CORNERS, 0)))


@pytest.fixture(scope="module")
def desk() -> Desk:
    return Desk()


@pytest.fixture(scope="module")
def services(store: Store) -> Services:
    return Services(store, Images(), None, cast(IntervalsJob, None), None, FilmMapsJob(store))


def ask(services: Services, desk: Desk, chosen: Slice, token: str = "", **words: str) -> Json:
    (film_map,) = calls(services, cast(ReadHandlers, desk))
    return cast(Json, film_map({"state": slice_words(chosen) | words, "token": token}))


def test_a_map_comes_with_colors_counts_and_what_it_is_worth(
    services: Services, desk: Desk, known: KnownMap, store: Store
) -> None:
    answer = ask(services, desk, replace(ALL, finding=FINDING))
    assert (answer["stage"], answer["points"], answer["version"]) == ("map", 1650, known.version)
    codes = np.frombuffer(b64decode(answer["colors"]["codes"]), np.uint8)
    for code, entry in enumerate(answer["colors"]["entries"]):
        assert (codes == code).sum() == entry["films"]
    tally = [each for each in store.tally(ALL) if each.finding == FINDING]
    films = {entry["name"]: entry["films"] for entry in answer["colors"]["entries"]}
    assert films["miss"] == sum(each.misses for each in tally) and films["hit"] == sum(each.hits for each in tally)
    assert answer["colors"]["entries"][0]["changes"] == {"outcome": "miss"}
    assert answer["worth"]["kept"] == known.map.made.kept and "scikit-learn" in answer["made"]
    assert answer["own"] is None and answer["corners"] == []


def test_a_color_that_the_slice_does_not_have_is_the_groups(services: Services, desk: Desk) -> None:
    assert ask(services, desk, ALL, color="score")["colors"]["by"] == "group"
    assert ask(services, desk, ALL, color="center")["colors"]["by"] == "center"
    assert ask(services, desk, replace(ALL, finding=FINDING), color="score")["colors"]["by"] == "score"
    assert ask(services, desk, ALL)["choices"] == ["group", "center"]


def test_hidden_labels_hide_the_map(services: Services, desk: Desk) -> None:
    assert ask(services, desk, ALL, hide="1")["stage"] == "refused"


def test_a_map_that_is_not_there_yet_is_made(store: Store, desk: Desk) -> None:
    waiting = SimpleNamespace(ask=lambda cohort, model: (150, 1000), close=lambda: None)
    services = Services(store, Images(), None, cast(IntervalsJob, None), None, cast(FilmMapsJob, waiting))
    answer = ask(services, desk, ALL)
    assert (answer["stage"], answer["computing"], answer["done"], answer["of"]) == ("making", True, 150, 1000)


def test_the_film_of_read_lies_between_its_nearest(
    services: Services, desk: Desk, store: Store, known: KnownMap
) -> None:
    features, model = store.features(COHORT, MODEL), store.model(COHORT, MODEL)
    same = SimpleNamespace(name=MODEL, sha256=model.sha256)
    vector = features.vectors[7] * 0.6 + features.vectors[8] * 0.4
    desk.films["mine"] = SimpleNamespace(reading=SimpleNamespace(card=same, features=vector))
    own = ask(services, desk, ALL, "mine")["own"]
    units = features.vectors / np.linalg.norm(features.vectors, axis=1, keepdims=True)
    distances = 1 - units @ (vector / np.linalg.norm(vector))
    first = np.argsort(distances)[:5]
    names = [features.cases[at] for at in first]
    assert [each["case"] for each in own["near"]] == names
    places = np.array([known.place(name) for name in names], float)
    weights = 1 / distances[first]
    assert (own["x"], own["y"]) == pytest.approx(weights @ places / weights.sum(), rel=1e-3)
    desk.films["copy"] = SimpleNamespace(reading=SimpleNamespace(card=same, features=features.vectors[3]))
    own = ask(services, desk, ALL, "copy")["own"]
    assert (own["x"], own["y"]) == known.place(features.cases[3])


def test_a_film_that_another_model_read_has_no_place(services: Services, desk: Desk) -> None:
    other = SimpleNamespace(name="phantom", sha256="0")
    desk.films["other"] = SimpleNamespace(reading=SimpleNamespace(card=other, features=np.ones(3)))
    own = ask(services, desk, ALL, "other")["own"]
    assert own["x"] is None and "read by phantom" in own["words"]
    desk.films["unread"] = SimpleNamespace(reading=None)
    assert ask(services, desk, ALL, "unread")["own"] is ask(services, desk, ALL, "nobody's")["own"] is None


def test_points_come_in_bytes(store: Store, known: KnownMap) -> None:
    address = map_address(COHORT, MODEL, known.version)
    with TestClient(Starlette(routes=[map_route(store)])) as client:
        answer = client.get(address)
        assert answer.status_code == 200 and "immutable" in answer.headers["cache-control"]
        n = len(known.map.cases)
        assert len(answer.content) == 12 * n
        assert np.array_equal(np.frombuffer(answer.content, "<u2", n), known.map.x)
        assert np.array_equal(np.frombuffer(answer.content, "<u2", n, 2 * n), known.map.y)
        for at in (0, 5, n - 1):
            name = answer.content[4 * n + 8 * at : 4 * n + 8 * at + 8].hex()
            assert name == opaque_id(COHORT, "case", known.map.cases[at])
        for wrong in (address.replace(known.version, "AAAAAA"), map_address(COHORT, "none", known.version)):
            assert client.get(wrong).status_code == 404


def test_an_area_goes_every_way_that_filters_go(
    services: Services, store: Store, area: MapArea, known: KnownMap
) -> None:
    chosen = replace(ALL, lasso=area, finding=FINDING)
    names = [case for case in known.map.cases if area.holds(*cast(tuple[int, int], known.place(case)))]
    assert 200 < len(names) == area.films < 1200
    assert store.count(chosen).films == len(names) == len(store.films(chosen))
    assert sorted(store.rows(chosen)["case"].to_pylist()) == names
    assert (
        resolve_link(store, slice_words(chosen)).slice == chosen
        and not resolve_link(store, slice_words(chosen)).complaints
    )
    where = f"finding={FINDING}, lasso={area_word(area)}"
    assert slice_in(store, COHORT, MODEL, where, {}) == chosen
    answer = slice_endpoint(services)(COHORT, MODEL, where)
    assert answer["films"] == len(names) and "map of nih-mini" in answer["slice"]


def test_an_area_in_words(area: MapArea, wording: Wording) -> None:
    count = f"({area.films} films)"
    scores, films = sentence(replace(ALL, lasso=area)), films_sentence(replace(ALL, lasso=area))
    assert count in scores and count in films
    wording(scores.replace(count, "(its films)"))
    wording(films.replace(count, "(its films)"))
    with pytest.raises(WrongFilter) as refused:
        replace(ALL, lasso=cast(MapArea, "aB-_09.AAAA"))
    wording(refused.value)


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("aB-_09.AAAAAAEAAEAE", "a different map of nih-mini"),
        ("no area", "damaged"),
        ("x." + "A" * 400, "100 corners"),
    ],
)
def test_an_area_that_means_nothing_is_refused_in_a_sentence(store: Store, word: str, why: str) -> None:
    understood = resolve_link(store, slice_words(ALL) | {"lasso": word})
    assert understood.slice == ALL and len(understood.complaints) == 1 and why in understood.complaints[0]
    with pytest.raises(WrongFilter, match=why):
        slice_in(store, COHORT, MODEL, f"lasso={word}", {})


def test_an_area_of_a_model_without_a_map_says_what_to_do(store: Store, area: MapArea, wording: Wording) -> None:
    understood = resolve_link(store, slice_words(Slice(COHORT, "nih-phantom")) | {"lasso": area_word(area)})
    (complaint,) = understood.complaints
    wording(complaint)


def test_several_models_share_no_map(store: Store, area: MapArea) -> None:
    """Evaluate's films are picked by what every model can be asked."""
    with pytest.raises(WrongFilter, match="no filter 'lasso'"):
        slice_in(store, COHORT, MODEL, f"lasso={area_word(area)}", {}, FILM_WORDS)


def test_a_map_that_went_is_told(store: Store, area: MapArea, tmp_path: Path) -> None:
    with pytest.raises(Exception, match="The map has changed"):
        store.count(replace(ALL, lasso=replace(area, map="AAAAAA")))
