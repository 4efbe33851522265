"""Films go to the model that is for them: patients' to one, simulated ones to the other. No weights are needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from explorer.asking.asker import Asker
from explorer.asking.model import TextModel
from explorer.cohorts.images import Images
from explorer.reading.model_loader import LazyModel
from explorer.reading.model_routing import ByProvenance
from explorer.reading.reader import Reader, open_film
from explorer.reading.samples import sample_bytes
from explorer.store.store import Store
from explorer.ui.ask.handlers import AskHandlers
from explorer.ui.read.handlers import OpenedFilm, OpenedFilms, ReadHandlers
from explorer.ui.read.joiner import Joiner
from explorer.ui.shared.uploads import Uploads
from explorer.ui.viewer.payload import read_payload
from models.cards.card import UnusableModel
from models.films.film import Provenance
from tests.explorer.reading.test_reader import FiveFindings
from tests.support.wording import Wording

SAMPLES: dict[Provenance, str] = {"real": "masses", "simulated": "phantom-effusion"}


def model(films: Provenance) -> Callable[[], FiveFindings]:
    def load() -> FiveFindings:
        made = FiveFindings()
        made.card = replace(made.card, name=f"five-{films}", films=films)
        return made

    return load


def askers(films: Provenance) -> Asker:
    def load() -> TextModel:
        raise UnusableModel(f"No model asks about {films} films", "Choose one.")

    return Asker(load)


@pytest.fixture
def films() -> OpenedFilms:
    return OpenedFilms()


@pytest.fixture
def desk(films: OpenedFilms, tmp_path: Path) -> ReadHandlers:
    readers = ByProvenance[Reader](
        Reader(LazyModel("five-real", model("real"))), Reader(LazyModel("five-simulated", model("simulated")))
    )
    return ReadHandlers(readers, films, Uploads(tmp_path), Joiner(Store(list), Images({}, list)))


def token(films: OpenedFilms, provenance: Provenance) -> str:
    film = open_film(sample_bytes(SAMPLES[provenance]))
    return films.put(OpenedFilm(film), visitor="somebody", nbytes=1)


@pytest.mark.parametrize("provenance", ["real", "simulated"])
def test_a_films_provenance_chooses_its_model(desk: ReadHandlers, films: OpenedFilms, provenance: Provenance) -> None:
    said: Any = desk.opinion(token(films, provenance))
    assert (said["stage"], said["verdict"]["readable"]) == ("opinion", True)
    assert said["model"]["name"] == f"five-{provenance}"


def test_a_model_is_loaded_when_its_first_film_comes(desk: ReadHandlers, films: OpenedFilms) -> None:
    simulated = token(films, "simulated")
    assert desk.progress(simulated) == {"loading": False, "ahead": None}
    desk.opinion(simulated)
    assert desk._readers.simulated._model._begun  # type: ignore[attr-defined]
    assert not desk._readers.real._model._begun  # type: ignore[attr-defined]


def test_without_a_model_for_simulated_films_the_other_one_refuses_them(
    films: OpenedFilms, tmp_path: Path, wording: Wording
) -> None:
    only = ByProvenance.one(Reader(LazyModel("five-real", model("real"))))
    desk = ReadHandlers(only, films, Uploads(tmp_path), Joiner(Store(list), Images({}, list)))
    refused: Any = desk.opinion(token(films, "simulated"))
    assert refused["stage"] == "refused"
    assert "five-real" in refused["verdict"]["reason"]
    wording(refused["verdict"]["reason"])


@pytest.mark.parametrize("provenance", ["real", "simulated"])
def test_the_viewer_the_exports_and_programs_are_told_what_the_film_is(
    desk: ReadHandlers, films: OpenedFilms, provenance: Provenance
) -> None:
    there = token(films, provenance)
    film = desk.film(there) or {}
    assert film["simulated"] is (film["made_as"] is not None) is (provenance == "simulated")
    desk.opinion(there)
    word = {"real": "real", "simulated": "SIMULATED"}[provenance]
    as_csv, as_json = (desk.export({"token": there, "kind": kind}) or {} for kind in ("csv", "json"))
    assert f",{word}," in as_csv["text"]
    assert f'"films": "{word}"' in as_json["text"]
    opened = films.get(there)
    assert opened is not None and opened.reading is not None
    assert read_payload(opened.film, opened.reading, False, None)["simulated"] is (provenance == "simulated")


@pytest.mark.parametrize("provenance", ["real", "simulated"])
def test_questions_go_to_the_image_text_model_for_such_films(
    desk: ReadHandlers, films: OpenedFilms, provenance: Provenance, wording: Wording
) -> None:
    asking = AskHandlers(ByProvenance(askers("real"), askers("simulated")), desk)
    there = token(films, provenance)
    title = asking.ask_about(there)["title"]
    assert provenance in title
    wording(title)
    assert (asking.ask({"token": there, "text": "effusion"}) or {})["title"] == title
    assert "real" in asking.ask_about(None)["title"]
