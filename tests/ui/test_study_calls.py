"""Two films of one study through Read's calls: what is answered and exported, and what of the header never is."""

from __future__ import annotations

import csv
import io
import json
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from explorer.cohorts.images import Images
from explorer.reading.compact_film import compacted_if_lossless
from explorer.reading.model_loader import LazyModel
from explorer.reading.model_routing import ByProvenance
from explorer.reading.reader import Reader, open_film
from explorer.store.store import Store
from explorer.ui.read.handlers import OpenedFilm, OpenedFilms, ReadHandlers
from explorer.ui.read.joiner import Joiner
from explorer.ui.shared.uploads import Uploads
from explorer.ui.viewer.payload import read_payload
from models.films.film import View
from models.films.study_token import study_token
from models.films.without_patient import strip_patient_data
from models.radiograph import Radiograph
from tests.explorer.reading.test_reader import FiveFindings
from tests.ui.reading_room import film_of, film_with_header

UID, OTHER = "1.2.826.0.1.3680043.8.498.4711", "1.2.826.0.1.3680043.8.498.4712"
# In the order of Mass, Nodule, Hernia, Edema, Normal.
SCORES: dict[View, tuple[float, ...]] = {"PA": (0.2, 0.5, 0.9, 0.8, 0.1), "lateral": (0.7, 0.3, 0.6, 0.1, 0.6)}
MAXIMUM = {"Mass": 0.7, "Nodule": 0.5, "Hernia": 0.9, "Edema": 0.8}


class ByView(FiveFindings):
    """Scores a film by its view alone."""

    def __init__(self, views: tuple[View, ...]) -> None:
        super().__init__()
        self.card = replace(self.card, views=views)

    def read(self, radiograph: Radiograph) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        return np.array(SCORES[radiograph.view], np.float32), np.zeros(4, np.float32)


class Desk:
    """Read's calls on two films that are open under `tokens`: a frontal one and a lateral one."""

    def __init__(
        self, folder: Path, views: tuple[View, ...] = ("PA", "lateral"), studies: tuple[str, str] = (UID, UID)
    ) -> None:
        films = OpenedFilms()
        readers = ByProvenance.one(Reader(LazyModel("five", lambda: ByView(views))))
        self.calls = ReadHandlers(readers, films, Uploads(folder), Joiner(Store(list), Images({}, list)))
        pixels = film_of("masses")[::8, ::8]
        self.files = [
            film_with_header(pixels, ViewPosition=position, StudyInstanceUID=study)
            for position, study in zip(("PA", "LL"), studies, strict=True)
        ]
        self.opened = [open_film(file) for file in self.files]
        self.tokens = [
            films.put(OpenedFilm(compacted_if_lossless(film)), visitor="somebody", nbytes=1) for film in self.opened
        ]
        self.films = films
        self.opinions: list[Any] = [self.calls.opinion(token) for token in self.tokens]

    def sent(self, first: int = 0, **changes: object) -> dict[str, object]:
        return {
            "token": self.tokens[first],
            "beside": self.tokens[1 - first],
            "together": False,
            "chosen": None,
        } | changes

    def study(self, **changes: object) -> Any:  # noqa: ANN401 - a payload
        return self.calls.study(self.sent(**changes))

    def exported(self, kind: str, first: int = 0, **changes: object) -> str:
        return str((self.calls.export(self.sent(first, kind=kind, **changes)) or {})["text"])


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_a_model_that_reads_both_views_answers_for_the_study(desk: Desk) -> None:
    answer = desk.study()
    assert (answer["one"], answer["headers"], answer["model"], answer["rule"]) == (True, True, "five", "maximum")
    assert answer["films"] == ["read", "read"]
    by_finding = {each["finding"]: each for each in answer["findings"]}
    assert by_finding["Mass"]["score"] == pytest.approx(0.7)
    assert (by_finding["Mass"]["decided"], by_finding["Nodule"]["decided"]) == (1, 0)
    assert "Normal" not in by_finding and {each["state"] for each in answer["findings"]} <= {"above", "unsure"}


def test_the_answer_is_in_the_order_of_the_request(desk: Desk) -> None:
    mass = next(each for each in desk.study(first=1)["findings"] if each["finding"] == "Mass")
    assert mass["scores"] == pytest.approx([0.7, 0.2]) and mass["decided"] == 0


def test_a_lateral_is_not_read_by_a_model_of_frontals_and_does_not_count(tmp_path: Path) -> None:
    desk = Desk(tmp_path, views=("PA", "unknown"))
    assert desk.opinions[1]["stage"] == "refused" and desk.opinions[1]["model"] == "five"
    assert desk.opinions[1]["verdict"]["check"] == "lateral"
    assert desk.study()["films"] == ["read", "lateral"]
    desk.calls.anyway(desk.tokens[1])
    assert desk.study()["films"] == ["read", "read anyway"]
    study = json.loads(desk.exported("json"))["study"]
    assert (study["films"], study["films_read"]) == (2, 1)
    assert {each["finding"]: each["score"] for each in study["findings"]}["Mass"] == pytest.approx(0.2)


def test_the_visitor_overrules_the_headers(tmp_path: Path) -> None:
    desk = Desk(tmp_path, studies=(UID, OTHER))
    assert (desk.study(together=True)["one"], desk.study()["headers"]) == (False, False)
    assert desk.study()["findings"] == []
    assert desk.study(chosen=True)["one"] is True
    assert desk.study(chosen="yes")["one"] is False


def test_without_a_second_film_there_is_no_answer(desk: Desk) -> None:
    for beside in (None, "", "elsewhere", [desk.tokens[1]]):
        assert desk.study(beside=beside) is None
        assert json.loads(desk.exported("json", beside=beside))["study"] is None


def test_exports_have_the_scores_of_the_study(desk: Desk) -> None:
    lines = list(csv.DictReader(io.StringIO(desk.exported("csv"), newline="")))
    found = {line["finding"]: float(line["study_score"]) for line in lines if line["study_score"]}
    assert found == pytest.approx(MAXIMUM)
    scored = [line for line in lines if line["score"]]
    assert {(line["study_rule"], line["study_films"], line["study_films_read"]) for line in scored} == {
        ("maximum", "2", "2")
    }
    study = json.loads(desk.exported("json"))["study"]
    assert {each["finding"]: each["score"] for each in study["findings"]} == pytest.approx(MAXIMUM)
    alone = desk.exported("csv", chosen=False)
    assert "study" not in alone.splitlines()[0] and json.loads(desk.exported("json", chosen=False))["study"] is None


def test_neither_the_identifier_of_the_study_nor_its_token_leaves_the_server(
    desk: Desk, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    secrets = (UID, str(study_token(UID)))
    assert {film.radiograph.study for film in desk.opened} == {secrets[1]}
    told: list[object] = [desk.study(), desk.study(chosen=False), *desk.opinions, repr(desk.opened)]
    for place, token in enumerate(desk.tokens):
        told += [desk.calls.film(token), desk.calls.join({"token": token}), desk.calls.text(token)]
        told += [desk.calls.heat({"token": token, "findings": ["Mass"]}), desk.calls.progress(token)]
        told += [desk.exported(kind, place) for kind in ("csv", "json")]
        kept = desk.films.get(token)
        assert kept is not None and kept.reading is not None
        told += [read_payload(desk.opened[place], kept.reading, False, None), repr(kept)]
        told.append(strip_patient_data(desk.files[place]).decode("latin-1"))
    told += [caplog.text, *capfd.readouterr()]
    assert not [secret for secret in secrets if any(secret in str(each) for each in told)]
