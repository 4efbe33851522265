"""What the server answers about simulated films: made on demand, with their masks, by the model that is for them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.cohorts.images import Images
from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.manifest import read_manifest, write_manifest
from explorer.core.findings import Outcome
from explorer.reading.heat_share import share_inside
from explorer.reading.model_loader import LazyModel
from explorer.reading.model_routing import ByProvenance
from explorer.reading.reader import Reader
from explorer.simulator.film_png import render_film
from explorer.store.slices import Slice
from explorer.store.store import Store
from explorer.ui import routes as page_routes
from explorer.ui.explore import case_calls as case
from explorer.ui.explore import slice_calls as gallery
from explorer.ui.shared.links import DEFAULT_COHORT, resolve_link, slice_words
from explorer.ui.shared.services import Services
from explorer.ui.thumbnail_route import thumbnail_address
from models.load import classifier
from tests.support.small_cohort import store_of
from tests.support.small_phantom import write_phantom
from tests.ui.phantom_room import COHORT, EFFUSION, Phantom, phantom

NIH = Folder(CACHE / "nih-oof")


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Phantom:
    return phantom(tmp_path_factory.mktemp("phantom"))


@pytest.fixture(scope="module")
def services(room: Phantom) -> Services:
    def never() -> Any:  # noqa: ANN401
        raise AssertionError("the model of patients' films was asked")

    readers = ByProvenance(
        Reader(LazyModel("nih-mini", never)), Reader(LazyModel("tiny", lambda: classifier(str(room.card), "cpu")))
    )
    return Services(store_of(NIH, room.folder), Images({}, list), readers, cast(IntervalsJob, None))


def asked(services: Services, name: str, chosen: Slice = EFFUSION, **more: object) -> dict[str, Any]:
    offered = {call.__name__: call for call in (*gallery.calls(services), *case.calls(services))}
    return cast(dict[str, Any], offered[name]({"state": slice_words(chosen), **more}))


def of_case(services: Services, name: str, film: str, chosen: Slice = EFFUSION) -> dict[str, Any]:
    page = asked(services, "slice_page", chosen)
    return asked(services, name, chosen, case=next(item["id"] for item in page["items"] if item["case"] == film))


def test_the_page_says_simulated_and_where_the_real_films_are(services: Services) -> None:
    page = asked(services, "slice_page")
    assert (page["simulated"], page["other"]["name"], page["missing"]) == (True, "nih-oof", None)
    assert all(item["thumb"] for item in page["items"])
    notes = {each["name"]: each["note"] for each in page["facets"]["cohort"]}
    assert notes == {"nih-oof": "1,650 films", COHORT: "8 films, SIMULATED"}
    real = asked(services, "slice_page", Slice("nih-oof", "nih-mini", outcomes=(Outcome.MISS,)))
    assert (real["simulated"], real["other"]["name"]) == (False, COHORT)


def test_explore_begins_with_the_phantom_where_it_is_there(tmp_path: Path) -> None:
    assert resolve_link(store_of(NIH), {}).slice.cohort == "nih-oof"
    store = store_of(NIH, write_phantom(tmp_path, DEFAULT_COHORT))
    assert resolve_link(store, {}).slice.cohort == DEFAULT_COHORT
    assert resolve_link(store, slice_words(Slice("nih-oof", "nih-mini"))).slice.cohort == "nih-oof"


def test_a_film_is_made_on_demand_and_says_what_it_is(services: Services) -> None:
    film = of_case(services, "case_film", "B-000001")
    assert film["stage"] == "film"
    assert (film["film"]["simulated"], film["film"]["size"]) == (True, [512, 512])
    assert film["film"]["view"] in ("PA", "AP"), "the cohort's"
    facts = of_case(services, "case_facts", "B-000001")
    assert facts["notes"][0].startswith("SIMULATED")
    assert facts["masked"]


def test_a_case_is_looked_up_once_for_all_that_is_asked_about_it(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up: list[str] = []
    case = Store.case
    monkeypatch.setattr(Store, "case", lambda store, *words: looked_up.append(words[1]) or case(store, *words))
    for name in ("case_place", "case_facts", "case_masks", "case_near"):
        of_case(services, name, "A-000001")
    assert looked_up == ["A-000001"]


def test_masks_are_those_of_the_film(services: Services) -> None:
    answer = of_case(services, "case_masks", "B-000001")
    assert sorted(mask["finding"] for mask in answer["masks"]) == ["Cardiomegaly", "Pleural Effusion"]
    assert all(mask["size"] == [512, 512] and 0 < mask["share"] < 0.6 for mask in answer["masks"])
    (kyphosis,) = of_case(services, "case_masks", "A-000002")["masks"]
    assert (kyphosis["finding"], kyphosis["global"]) == ("Kyphosis", True)
    assert of_case(services, "case_masks", "A-000003")["masks"] == []


def test_a_cohort_without_masks_has_none(services: Services, tmp_path: Path) -> None:
    folder = write_phantom(tmp_path, "plain")
    write_manifest(folder.manifest, replace(read_manifest(folder.manifest), masks="none"))
    plain = Services(store_of(folder), services.images, None, services.intervals)
    assert of_case(plain, "case_masks", "B-000001", Slice("plain", "phantom"))["masks"] == []
    assert not of_case(plain, "case_facts", "B-000001", Slice("plain", "phantom"))["masked"]


def test_maps_are_by_the_model_for_simulated_films_and_say_how_much_heat_lies_inside(services: Services) -> None:
    maps = of_case(services, "case_maps", "B-000001")
    assert maps["stage"] == "opinion", maps
    assert maps["model"]["name"] == "tiny"
    assert maps["verdict"]["readable"] or "chest" in maps["verdict"]["reason"]
    assert set(maps["inside"]) == {"Pleural Effusion"}  # the other mask is of a finding that the model does not have
    share = maps["inside"]["Pleural Effusion"]
    reader = cast(Any, services.readers).simulated
    (line,) = services.store.cases(COHORT, ["B-000001"])
    source = services.images.film(line.root, line.file)
    assert source is not None
    heat = reader.heat(source.radiograph(), ["Pleural Effusion"]).heat
    mask = render_film(str(line.file)).masks["Pleural Effusion"]
    assert share == pytest.approx(share_inside(np.asarray(heat.maps[0]), heat.box, mask), rel=1e-5)


def test_the_thumbnail_of_a_simulated_film_is_served(services: Services) -> None:
    client = TestClient(Starlette(routes=page_routes.page_routes(cast(Store, services.store), services.images)))
    answer = client.get(thumbnail_address(COHORT, "A-000000"))
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/webp")


def test_scores_of_the_cohort_are_those_of_the_film_as_it_is_read(services: Services, room: Phantom) -> None:
    """A film is scored from the very file that a visitor reads."""
    (line,) = services.store.cases(COHORT, ["A-000001"])
    scored = services.store.scored(COHORT, "tiny", ["A-000001"])["A-000001"]
    source = services.images.film(line.root, line.file)
    assert source is not None
    said = classifier(str(room.card), "cpu").explain(source.radiograph()).scores
    findings = classifier(str(room.card), "cpu").card.findings
    assert dict(zip(findings, said.tolist(), strict=True)) == pytest.approx(
        {finding: row.score for finding, row in scored.items()}, abs=1e-5
    )
