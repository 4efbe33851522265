"""The reader study of a class on the teacher's page, after its end: a table, and files without a name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, expect

from explorer.metrics.multireader import multireader
from explorer.school.classroom.classroom import Classroom
from explorer.school.classroom.place import ClassAddresses
from explorer.school.judging.answer import answer_json
from explorer.school.playlists.playlist import Playlist
from explorer.school.preparing.prepared import PreparedPlaylist
from explorer.tabular.reader_study import read_reader_study
from explorer.ui.teach.study_calls import StudyCalls
from explorer.ui.teach.study_payload import FindingStudyPayload
from tests.explorer.school.classroom import studied_class as made
from tests.support.prepared_class import prepared_class
from tests.ui.axe import assert_accessible
from tests.ui.class_desk import calls_of, teacher


@pytest.fixture
def classroom(tmp_path: Path) -> Iterator[Classroom]:
    """A class in which everyone has answered everything, not yet ended."""
    room = Classroom(ClassAddresses(("http://127.0.0.1:9/",), False, ""), tmp_path / "classes")
    films = [replace(each, pictures=prepared_class().films[0].pictures) for each in made.films()]
    room.begin(PreparedPlaylist(Playlist("Masses"), tuple(films), {made.FINDING: ()}), own_pace=True)
    session = room.session()
    assert session is not None
    learners = [session.join(session.code, f"Zebedee {number}")[0] for number in range(made.LEARNERS)]
    for learner, row in zip(learners, made.ratings().tolist(), strict=True):
        for film, rating in enumerate(row):
            session.answer(learner, film, answer_json(made.answer_of(rating))).result(timeout=10)
    yield room
    room.close()


def study_of(calls: StudyCalls, finding: object = None) -> FindingStudyPayload:
    found = calls.class_study({"finding": finding})
    assert found["stage"] == "study"
    return found


def test_the_study_follows_the_end_of_the_class(classroom: Classroom) -> None:
    calls = StudyCalls(classroom)
    assert calls.class_study(None)["stage"] == "refused", "its truth is not revealed yet"
    classroom.end()
    found = study_of(calls)
    mean = multireader(made.truths(), made.ratings()[None]).mean(0)
    assert found["finding"] == made.FINDING and found["title"] == "5 readers and 24 cases, 12 with the finding"
    assert f"{mean.value:.3f} [{mean.low:.3f}\u2013{mean.high:.3f}]" in found["grids"][0]["rows"][0][1]
    assert [grid["title"] for grid in found["grids"]][1] == "Models against readers"
    assert found["command"].endswith('--finding "Mass"')
    assert calls.class_study({"finding": "Hernia"})["stage"] == "refused"
    assert calls.class_study_file({"finding": "Hernia", "format": "csv"})["stage"] == "refused"
    for wrong in (0, 0.6, "0.05", True):
        assert calls.class_study({"finding": made.FINDING, "difference": wrong})["stage"] == "refused"


@pytest.mark.browser
def test_the_table_is_shown_and_its_ratings_are_saved(chromium: Browser, classroom: Classroom, tmp_path: Path) -> None:
    classroom.end()
    with teacher(chromium, calls_of(classroom, tmp_path / "playlists")) as page:
        study = page.get_by_role("region", name="Readers beside models")
        expect(study.get_by_role("table", name="Models against readers")).to_contain_text("net")
        expect(study.get_by_label("Finding")).to_contain_text("Mass: 12 of 24 films with it, 5 readers")
        for button, ending in (("Save as CSV", "csv"), ("Save for iMRMC", "imrmc")):
            with page.expect_download() as download:
                study.get_by_role("button", name=button).click()
            assert download.value.suggested_filename == f"reader-study-mass.{ending}"
            download.value.save_as(tmp_path / f"saved.{ending}")
            assert "Zebedee" not in (tmp_path / f"saved.{ending}").read_text(encoding="utf-8")
            saved = read_reader_study(tmp_path / f"saved.{ending}")
            np.testing.assert_array_equal(saved.ratings, made.ratings()[None])
        expect(study.get_by_role("status")).to_contain_text("no name")
        assert_accessible(page)
