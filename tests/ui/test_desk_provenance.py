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
from explorer.ui.read.handlers import Films, Opened, ReadHandlers
from explorer.ui.read.joiner import Joiner
from explorer.ui.shared.uploads import Uploads
from explorer.ui.viewer.payload import read_payload
from models.cards.card import UnusableModel
from models.films.film import Provenance
from tests.explorer.reading.test_reader import FiveFindings

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
def films() -> Films:
    return Films()


@pytest.fixture
def desk(films: Films, tmp_path: Path) -> ReadHandlers:
    readers = ByProvenance[Reader](
        Reader(LazyModel("five-real", model("real"))), Reader(LazyModel("five-simulated", model("simulated")))
    )
    return ReadHandlers(readers, films, Uploads(tmp_path), Joiner(Store(list), Images({}, list)))


def token(films: Films, provenance: Provenance) -> str:
    film = open_film(sample_bytes(SAMPLES[provenance]))
    return films.put(Opened(film), visitor="somebody", nbytes=1)


@pytest.mark.parametrize("provenance", ["real", "simulated"])
def test_a_films_provenance_chooses_its_model(desk: ReadHandlers, films: Films, provenance: Provenance) -> None:
    said: Any = desk.opinion(token(films, provenance))
    assert (said["stage"], said["verdict"]["readable"]) == ("opinion", True)
    assert said["model"]["name"] == f"five-{provenance}"


def test_a_model_is_loaded_when_its_first_film_comes(desk: ReadHandlers, films: Films) -> None:
    simulated = token(films, "simulated")
    assert desk.progress(simulated) == {"loading": False, "ahead": None}
    desk.opinion(simulated)
    assert desk._readers.simulated._model._begun  # type: ignore[attr-defined]
    assert not desk._readers.real._model._begun  # type: ignore[attr-defined]


def test_without_a_model_for_simulated_films_the_other_one_refuses_them(films: Films, tmp_path: Path) -> None:
    only = ByProvenance.one(Reader(LazyModel("five-real", model("real"))))
    desk = ReadHandlers(only, films, Uploads(tmp_path), Joiner(Store(list), Images({}, list)))
    refused: Any = desk.opinion(token(films, "simulated"))
    assert refused["stage"] == "refused"
    assert refused["verdict"]["reason"].startswith("The film is simulated, and five-real was trained on patients")


@pytest.mark.parametrize("provenance", ["real", "simulated"])
def test_the_viewer_the_exports_and_programs_are_told_what_the_film_is(
    desk: ReadHandlers, films: Films, provenance: Provenance
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
    desk: ReadHandlers, films: Films, provenance: Provenance
) -> None:
    asking = AskHandlers(ByProvenance(askers("real"), askers("simulated")), desk)
    there = token(films, provenance)
    words = f"No model asks about {provenance} films"
    assert asking.ask_about(there)["title"] == words
    assert (asking.ask({"token": there, "text": "effusion"}) or {})["title"] == words
    assert asking.ask_about(None)["title"] == "No model asks about real films"
