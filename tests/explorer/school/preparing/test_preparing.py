"""A prepared playlist of simulated and real films: true to the store, and silent about what it must not tell."""

from __future__ import annotations

import base64
import io
import json
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pyarrow.parquet as pq
import pytest
from matplotlib.path import Path as Polygon
from PIL import Image

from explorer.cohorts.film_source import SimulatedFilm
from explorer.cohorts.images import Images
from explorer.cohorts.layout import CACHE, Folder
from explorer.core.outcomes import outcome_of
from explorer.reading.model_loader import LazyModel
from explorer.reading.model_routing import ByProvenance
from explorer.reading.reader import InputBox, Reader
from explorer.school.playlists.film_facts import playlist_film_facts, unavailable_words
from explorer.school.playlists.found_film import FilmSources
from explorer.school.playlists.playlist import FilmQuestion, Playlist, PlaylistFilm
from explorer.school.playlists.playlist_files import SavedPlaylist
from explorer.school.preparing.heat_overlay import overlay, strength_words
from explorer.school.preparing.outlines import outlines
from explorer.school.preparing.prepared import PreparedFilm, PreparedPlaylist
from explorer.school.preparing.preparing import prepare_playlist, shown_first
from explorer.school.preparing.preparing_job import PreparingJob, PreparingProgress
from explorer.simulator.address import make_address
from models.cards.card import UnusableModel
from models.load import classifier
from tests.support.small_cohort import store_of
from tests.support.wording import Wording
from tests.ui.phantom_room import COHORT, DRAWN, MODEL, phantom

NIH = "nih-oof"
EFFUSION = make_address("A", 300_041, ["Pleural Effusion"])
FILMS = (
    PlaylistFilm(COHORT, "A-000001", FilmQuestion("findings"), note="Two findings."),
    PlaylistFilm(COHORT, "B-000003", FilmQuestion("present", "Pleural Effusion")),
    PlaylistFilm("", EFFUSION, FilmQuestion("pair", "Pleural Effusion")),
    PlaylistFilm("gone", "x", FilmQuestion("normal")),
    PlaylistFilm(COHORT, "C-1", FilmQuestion("normal")),
)


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory, shared: Path) -> FilmSources:
    def never() -> object:
        raise UnusableModel("No model of patients' films", "It is not here.")

    room = phantom(tmp_path_factory.mktemp("preparing"))
    readers = ByProvenance(
        Reader(LazyModel("nih-mini", never)),  # type: ignore[arg-type]
        Reader(LazyModel("tiny", lambda: classifier(str(room.card), "cpu"))),
    )
    images = Images({"nih": shared / "data" / "nih_cxr14"}, list)
    return FilmSources(store_of(Folder(CACHE / NIH), room.folder), images, readers, usual=("nih-mini", "tiny"))


@pytest.fixture(scope="module")
def boxed() -> str:
    """A real film on which somebody drew a box."""
    return str(pq.read_table(Folder(CACHE / NIH).boxes)["case"][0])


@pytest.fixture(scope="module")
def ready(sources: FilmSources, boxed: str) -> PreparedPlaylist:
    real = PlaylistFilm(NIH, boxed, FilmQuestion("findings"))
    return prepare_playlist(Playlist("Monday", (*FILMS, real), seed=3), sources)


def picture(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


@pytest.mark.slow
def test_films_that_are_not_here_are_left_out_with_a_sentence(ready: PreparedPlaylist, wording: Wording) -> None:
    assert [film.entry.case for film in ready.films[:3]] == ["A-000001", "B-000003", EFFUSION] and len(ready.films) == 4
    assert len(ready.left_out) == 2
    wording(ready.left_out, "4", "5", COHORT, "C-1")
    assert any("not here" in each for each in ready.missing) and len(set(ready.missing)) == len(ready.missing)


def test_a_picture_is_the_film_and_nothing_else(ready: PreparedPlaylist, sources: FilmSources) -> None:
    film = ready.films[0]
    case = sources.store.case(COHORT, "A-000001")
    assert case is not None and case.file is not None
    shown = np.asarray(picture(film.pictures[0]).convert("L"), float) / 255
    assert shown.shape == (film.height, film.width)
    pixels = SimulatedFilm(case.file).radiograph().pixels
    assert np.abs(shown - pixels).mean() < 0.02  # as WebP keeps it
    for each in ready.films:
        assert max(each.width, each.height) <= 1024
        for data in each.pictures:
            chunks = {data[at : at + 4] for at in chunk_places(data)}
            assert chunks == {b"VP8 "}  # neither EXIF nor XMP nor a profile
            assert b"phantom" not in data and b"SIMULATED" not in data


def chunk_places(data: bytes) -> list[int]:
    places, at = [], 12
    while at < len(data):
        places.append(at)
        size = int.from_bytes(data[at + 4 : at + 8], "little")
        at += 8 + size + size % 2
    return places


def test_truth_and_scores_are_those_of_the_store(ready: PreparedPlaylist, sources: FilmSources) -> None:
    for film in (ready.films[0], ready.films[1], ready.films[3]):
        case = sources.store.case(film.entry.cohort, film.entry.case)
        assert case is not None and sorted(film.truth.present) == sorted(case.present)
        assert film.reveal["source"] == film.truth.source != ""
        for says in film.reveal["models"]:
            stored = {row.finding: row for row in case.scores if row.model == says["model"]}
            judged = {row["finding"] for row in says["rows"] if not row["cannot_judge"]}
            assert judged < film.calls[says["model"]].keys() <= stored.keys(), "also what the reveal does not show"
            made = sources.store.model(film.entry.cohort, says["model"])
            called = {name for name, row in stored.items() if row.threshold is not None and row.score >= row.threshold}
            asked = {film.entry.question.finding} & stored.keys()
            assert {row["finding"] for row in says["rows"]} == called | asked | ({*case.present} & stored.keys())
            for row in says["rows"]:
                kept = stored[row["finding"]]
                assert row["outcome"] == kept.outcome == outcome_of(kept.label, kept.score, kept.threshold)
                usual = kept.score if made.scale is None else 1 / (1 + np.exp(-made.scale * kept.score))
                assert row["score"] == pytest.approx(usual)
                if not row["cannot_judge"]:
                    assert film.calls[says["model"]][row["finding"]].score == row["score"]
            assert says["origin"].startswith(made.origins.get(case.center) or "not known")


def test_a_film_shows_the_models_that_it_names_and_says_which_are_lacking(sources: FilmSources) -> None:
    named = PlaylistFilm(COHORT, "B-000003", FilmQuestion("present", "Pleural Effusion"), models=("nobody", DRAWN))
    ready = prepare_playlist(Playlist("Two networks", (named, replace(named, models=()))), sources)
    (says,), usual = (film.reveal["models"] for film in ready.films)
    assert (says["model"], says["title"]) == (DRAWN, sources.store.model(COHORT, DRAWN).title)
    assert says["rows"][0]["finding"] == "Pleural Effusion"  # asked about, on a film labeled Normal
    assert [each["model"] for each in usual] == [MODEL] and "title" not in usual[0]
    assert [list(film.outcomes) for film in ready.films] == [[DRAWN], [MODEL]]
    lacking = f"{COHORT} has no scores by nobody: the reveal omits them."
    assert lacking in ready.missing and unavailable_words(playlist_film_facts(sources, [named])) == lacking


def test_a_class_is_not_compared_with_the_model_that_chose_the_film(sources: FilmSources) -> None:
    film = PlaylistFilm(COHORT, "B-000003", FilmQuestion("present", "Pleural Effusion"))
    ready = prepare_playlist(Playlist("Misses", (film, replace(film, picked_by=MODEL))), sources)
    assert [list(each.outcomes) for each in ready.films] == [[MODEL], []]
    assert [says["model"] for says in ready.films[1].reveal["models"]] == [MODEL], "the reveal shows it all the same"
    assert any(f"chosen by the results of {MODEL}" in each for each in ready.missing)


def test_the_reveal_has_places_near_cases_and_the_note(ready: PreparedPlaylist) -> None:
    film = ready.films[0]
    assert {each["finding"] for each in film.reveal["areas"]} == {"Cardiomegaly", "Pleural Effusion"}
    assert film.reveal["note"] == "Two findings." and film.reveal["simulated"] and film.simulated
    assert film.reveal["near"] and all(each["picture"].startswith("data:image/webp;") for each in film.reveal["near"])
    assert ready.films[1].reveal["absent"] == ["Pleural Effusion"] and ready.films[1].reveal["normal"] is True
    boxes = ready.films[3].reveal["areas"]
    assert boxes and all(len(outline) == 4 for each in boxes for outline in each["outlines"])
    json.dumps([each.reveal for each in ready.films])  # it can be sent


def test_a_map_is_a_small_picture_that_is_clear_where_there_is_no_heat(ready: PreparedPlaylist) -> None:
    says = next(each for each in ready.films[2].reveal["models"] if each["model"] == "tiny")
    (made,) = says["overlays"]  # of the one finding that is called
    assert made["finding"] == "Pleural Effusion" and "not known" in made["worth"]
    with picture(base64.b64decode(made["picture"].partition(",")[2])) as shown:
        assert shown.mode == "RGBA" and max(shown.size) == 160
        alpha = np.asarray(shown)[..., 3]
        assert alpha.max() <= round(255 * 0.6) + 1
        assert made["peak"] == pytest.approx(alpha.max() / (255 * 0.6), abs=0.02) and "common scale" in made["strength"]


def test_how_strong_a_map_is_is_said_and_a_faint_one_is_called_so() -> None:
    box = cast(InputBox, SimpleNamespace(size=8, offset=(0, 0), inner=(8, 8)))
    values = np.zeros((4, 4), np.float32)
    values[2, 1] = 0.5
    faint, plain = (overlay("Mass", values, box, maximum, (64, 64), "") for maximum in (4.0, 0.5))
    assert faint["peak"] == pytest.approx(0.125, rel=0.07) and plain["peak"] == pytest.approx(1, rel=0.07)
    assert "nearly invisible" in faint["strength"] and "nearly invisible" not in plain["strength"]
    assert "it is faint" in strength_words(0.28) and strength_words(0.5).endswith("scale.")
    assert "reaches less than 1 % of" in strength_words(0.002)
    own = overlay("Mass", values, box, None, (64, 64), "")
    assert own["peak"] is None and "its own maximum" in own["strength"] and own["picture"] == plain["picture"]


def test_a_pair_is_the_patient_twice_and_the_place_is_by_the_seed(ready: PreparedPlaylist) -> None:
    film = ready.films[2]
    assert len(film.pictures) == 2 and film.truth.pair in (0, 1)
    shown = [np.asarray(picture(data).convert("L"), float) for data in film.pictures]
    differs = np.abs(shown[0] - shown[1])
    mask = film.truth.masks["Pleural Effusion"]
    assert differs[mask].mean() > 4 * differs[~mask].mean()
    healthy = SimulatedFilm(make_address("A", 300_041, ())).radiograph().pixels * 255
    errors = [np.abs(each - healthy).mean() for each in shown]
    assert int(np.argmax(errors)) == film.truth.pair
    places = {shown_first(Playlist("x", seed=seed), film.entry) for seed in range(20)}
    assert places == {0, 1}


def test_names_of_answers_are_the_whole_vocabulary(ready: PreparedPlaylist) -> None:
    assert {"Goiter", "Fibrosis", "Pleural Effusion"} <= ready.findings.keys() and "Normal" not in ready.findings
    assert "fluid around the lung" in ready.findings["Pleural Effusion"]
    assert "PTX" in ready.findings["Pneumothorax"]


def test_outlines_enclose_the_mask(ready: PreparedPlaylist) -> None:
    film: PreparedFilm = ready.films[0]
    for mask in film.truth.masks.values():
        filled = np.zeros(mask.shape, int)
        height, width = mask.shape
        across, down = np.meshgrid((np.arange(width) + 0.5) / width, (np.arange(height) + 0.5) / height)
        points = np.column_stack([across.ravel(), down.ravel()])
        for outline in outlines(mask):
            filled += Polygon(outline).contains_points(points).reshape(mask.shape)
        assert np.mean((filled % 2 == 1) != mask) < 0.01  # a hole lies in two outlines
    assert outlines(np.ones((4, 6), bool))[0] and not outlines(np.zeros((4, 6), bool))


def test_in_the_background_it_says_how_far_it_is(sources: FilmSources) -> None:
    kept = SavedPlaylist("0" * 16, "1", Playlist("Monday", FILMS[:2]))
    job = PreparingJob(sources)
    said: list[PreparingProgress] = []
    deadline = time.monotonic() + 60
    while isinstance(answer := job.ask(kept), PreparingProgress) and time.monotonic() < deadline:
        said.append(answer)
        time.sleep(0.02)
    assert isinstance(answer, PreparedPlaylist) and len(answer.films) == 2
    assert said[0] == PreparingProgress(0, 2) and [each.done for each in said] == sorted(each.done for each in said)
    assert job.ask(kept) is answer
    job.close()
