"""The call behind Save as DICOM: what it asks for, what it refuses, and what it does not take from a page."""

from __future__ import annotations

import io
import zipfile
from base64 import b64decode
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pydicom
import pytest

from explorer.reading.finding_list import finding_rows
from explorer.reading.reader import DecodedFilm
from explorer.runtime.fair_queue import QueueFull
from explorer.ui.read.dicom_export import DicomExport
from explorer.ui.read.handlers import ReadHandlers
from models.radiograph import Radiograph
from tests.explorer.analysis.exports.dicom.made_up import CARD, Box, Word, some_film
from tests.support.wording import Wording

ORDER: dict[str, Any] = {"token": "here", "finding": "Mass", "window": {}, "confirmed": True}


class Desk:
    """Keeps one film under `here`, and counts the maps that are asked of its model."""

    def __init__(self, *, readable: bool = True, anyway: bool = False, read: bool = True, full: bool = False) -> None:
        rows = finding_rows(CARD, np.full(len(CARD.findings), 0.5, np.float32))
        reading = SimpleNamespace(verdict=Word(readable, "It is a leg."), rows=rows, card=CARD, device="cpu")
        film = DecodedFilm(some_film(), 1.0)
        self.kept = SimpleNamespace(film=film, reading=reading if read else None, anyway=anyway, stability=None)
        self.full, self.asked = full, []

    def opened(self, token: object) -> object:
        return self.kept if token == "here" else None

    def reader(self, _: object) -> Desk:
        return self

    def heat(self, _: Radiograph, findings: Sequence[str], name: str) -> object:
        if self.full:
            raise QueueFull(9)
        self.asked.append((tuple(findings), name))
        return SimpleNamespace(heat=SimpleNamespace(maps=np.ones((1, 4, 4), np.float32), box=Box()))


def answer(desk: Desk, **changes: object) -> Any:  # noqa: ANN401 - a payload or a refusal
    return DicomExport(cast(ReadHandlers, desk)).dicom(ORDER | changes)


@pytest.mark.parametrize("sent", [False, None, "true", 1, {}])
def test_nothing_is_made_before_it_is_confirmed(sent: object) -> None:
    desk = Desk()
    said = answer(desk, confirmed=sent)
    assert said["stage"] == "wrong" and said["title"] and "zip" not in said
    assert not desk.asked


def test_a_refused_film_is_saved_only_where_it_was_read_anyway() -> None:
    assert answer(Desk(readable=False)) is None
    assert "zip" in answer(Desk(readable=False, anyway=True))


def test_a_film_that_is_gone_or_was_not_read_gives_nothing() -> None:
    assert answer(Desk(), token="elsewhere") is None
    assert answer(Desk(read=False)) is None


def test_the_map_is_of_the_finding_that_the_page_shows() -> None:
    desk = Desk()
    answer(desk)
    assert desk.asked == [(("Mass",), "here")]
    for finding in ("", "Unheard of", ["Mass"]):
        desk = Desk()
        assert "zip" in answer(desk, finding=finding) and not desk.asked


def test_a_full_line_and_a_wrong_identifier_are_said_in_words(wording: Wording) -> None:
    assert answer(Desk(full=True))["stage"] == "unscored"
    refused = [answer(Desk(), patient="a\\b"), answer(Desk(), study="x")]
    assert "patient" in refused[0]["title"] and "study" in refused[1]["title"]
    for each in refused:
        wording(each["title"])


def test_what_is_typed_and_no_other_word_of_the_page_is_written() -> None:
    made = answer(Desk(), patient="4711", name="Roentgen", description="Roentgen", sha256="Roentgen")
    with zipfile.ZipFile(io.BytesIO(b64decode(made["zip"]))) as packed:
        files = [packed.read(name) for name in packed.namelist()]
    assert len(files) == 2 and not [file for file in files if b"Roentgen" in file]
    assert {pydicom.dcmread(io.BytesIO(file)).PatientID for file in files} == {"4711"}
