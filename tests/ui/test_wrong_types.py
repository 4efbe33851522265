"""Every server function, event and endpoint of the real page, sent what no script of ours sends: none is surprised."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import gradio as gr
import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from starlette.responses import Response

from explorer.analysis.film_maps.film_map_job import FilmMapsJob
from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.asking.asker import Asker
from explorer.asking.model import TextModel
from explorer.cohorts.images import Images
from explorer.reading.model_loader import BackgroundModel
from explorer.reading.model_routing import ByProvenance
from explorer.reading.model_shelf import ModelShelf
from explorer.reading.reader import DecodedFilm, Reader, ReadingModel
from explorer.reading.samples import sample_bytes
from explorer.school.classroom.classroom import Classroom
from explorer.school.playlists.playlist import FilmQuestion, Playlist, PlaylistFilm
from explorer.school.playlists.playlist_files import PlaylistFiles
from explorer.store.slices import Slice
from explorer.store.store import Store
from explorer.ui.ask.handlers import AskHandlers
from explorer.ui.page import build_page
from explorer.ui.read.handlers import OpenedFilm, OpenedFilms, ReadHandlers
from explorer.ui.read.joiner import Joiner
from explorer.ui.shared.links import cohort_id
from explorer.ui.shared.services import Services
from explorer.ui.shared.uploads import Uploads
from explorer.ui.simulate.handlers import SimulateHandlers
from explorer.ui.simulate.scores import PhantomModels
from explorer.ui.teach.handlers import TeachHandlers
from models.cards.card import UnusableModel
from models.radiograph import read_radiograph
from tests.support.odd_values import nasty, put, spoilt
from tests.support.small_phantom import write_phantom
from tests.ui.event_loop import run_in_thread
from tests.ui.playlist_sent import playlist_calls
from tests.ui.teaching_sent import SIMULATED, teaching_calls

pytestmark = pytest.mark.slow

Json = dict[str, Any]
COHORT = "phantom-small"
STATE = {"cohort": cohort_id(COHORT), "finding": "kyphosis", "page": "1", "low": "0.1", "shuffle": "7"}
ORDER = {"center": "A", "seed": 300_041, "requests": [{"finding": "Kyphosis", "side": "", "severity": 0.5}]}
# What the page's script sends to each function; TOKEN, FOLDER and CASE stand for those that are there.
CALLS: dict[str, object] = {
    **dict.fromkeys(("film", "opinion", "anyway", "text", "progress", "put_away", "gone"), "TOKEN"),
    **dict.fromkeys(("stability", "heart_size"), "TOKEN"),
    **dict.fromkeys(("blind_spots", "dose_response", "insertion"), {
        "token": "TOKEN", "finding": "Mass", "side": "left", "severity": 0.5, "point": [0.5, 0.5], "beside": "nih-mini"
    }),
    "still_here": ["TOKEN"],
    **dict.fromkeys(("ask_about", "ask_progress", "export_asked"), "TOKEN"),
    "amend": {"token": "TOKEN", "remedy": "sharpen"},
    "heat": {"token": "TOKEN", "findings": ["Kyphosis"]},
    "join": {"token": "TOKEN", "cohort": cohort_id(COHORT)},
    "export": {"token": "TOKEN", "kind": "csv", "beside": "TOKEN", "together": True, "chosen": None},
    "study": {"token": "TOKEN", "beside": "TOKEN", "together": True, "chosen": None},
    "dicom": {
        "token": "TOKEN", "finding": "Kyphosis", "patient": "4711", "study": "1.2.3", "confirmed": True,
        "window": {"width": 0.5, "level": 0.5, "inverted": False},
    },
    "choose": {"token": "TOKEN", "model": ""},
    "beside_model": {"token": "TOKEN", "model": "nih-mini"},
    "models": None,
    "fetched": "xrv-all",
    "look_at_model": {"address": "/nowhere/a.pth", "architecture": "resnet18"},
    "add_model": {
        "address": "/nowhere/a.pth?findings=Mass", "architecture": "", "findings": ["Mass", "Noduel"], "meant": ["x"],
        "size": "224", "mean": "0.5", "std": "0.25", "name": "mine",
    },
    "ask": {"token": "TOKEN", "text": "fluid", "templates": "{} | no {}"},
    "ask_at": {"token": "TOKEN", "text": "fluid", "templates": "{} | no {}", "prevalence": "5"},
    "slice_page": {"state": STATE, "known": "v"},
    "slice_counts": {"state": STATE, "key": "view"},
    "slice_reveal": {"state": STATE | {"hide": "1"}, "cases": ["CASE"]},
    "slice_export": {"state": STATE, "kind": "csv"},
    "slice_asked": {"state": STATE | {"ask": "fluid"}},
    "slice_sealed": {"state": STATE | {"hide": "1"}},
    **dict.fromkeys(("case_place", "case_facts", "case_film"), {"state": STATE, "case": "CASE"}),
    **dict.fromkeys(("case_others", "case_masks", "case_maps", "case_near"), {"state": STATE, "case": "CASE"}),
    "case_report": {"state": STATE, "case": "CASE"},
    "films_folder": {"state": STATE, "case": "CASE", "folder": "x"},
    **dict.fromkeys(("cell_table", "confused_with", "label_issues"), {"state": STATE}),
    "cell_intervals": {"state": STATE, "known": ["kyphosis"]},
    **dict.fromkeys(("thresholds_shown", "thresholds_own"), {"state": STATE}),
    "where_it_fails": {"state": STATE | {"fails": "embeddings", "within": "finding=kyphosis"}},
    "where_it_fails_file": {"state": STATE},
    "cluster_listed": {"state": STATE, "finding": "Kyphosis", "words": "Cluster 1", "failure": "miss"},
    **dict.fromkeys(("crosswalk", "crosswalk_file"), {"state": STATE | {"taxonomy": "chexpert"}}),
    "thresholds_chosen": {"state": STATE, "rule": "youden", "where": "center=A"},
    "thresholds_by_hand": {"state": STATE, "finding": "Kyphosis", "value": 0.25},
    "case_mark": {"state": STATE, "case": "CASE", "starred": True, "tags": ["subtle"], "note": "apex"},
    "cases_starred": {"state": STATE, "cases": ["CASE"], "on": True},
    "lists_shown": {"state": STATE},
    "list_added": {"state": STATE, "name": "few", "cases": ["CASE"], "findings": {"CASE": "Kyphosis"}},
    "list_without": {"state": STATE, "name": "few", "cases": ["CASE"]},
    "list_renamed": {"state": STATE, "name": "few", "new": "fewer"},
    "list_deleted": {"state": STATE, "name": "few"},
    "list_exported": {"state": STATE, "name": "few", "kind": "csv", "notes": True},
    "cases_exported": {"state": STATE, "cases": ["CASE"], "findings": {"CASE": "Kyphosis"}},
    "list_imported": {"state": STATE, "name": "few", "parts": ["case\n"]},
    "prevalence": {"state": STATE, "width": 800, "height": 600, "known": 0},
    "two_slices": {"state": STATE | {"beside": "finding=kyphosis&low=0.2"}},
    "compared_intervals": {"state": STATE | {"beside": "finding=kyphosis&low=0.2"}, "known": ["kyphosis"]},
    "film_map": {"state": STATE | {"color": "outcome", "lasso": "aB-_09.AAAAAAEAAEAE"}, "token": "TOKEN"},
    "board": {"state": STATE | {"models": "x.y", "reference": "x", "metric": "ece", "natural": "1"}, "waiting": True},
    "panel": {"state": STATE | {"panel": "finding", "about": "mass", "at": "0.3", "prevalence": "5"}, "waiting": True},
    "films_listed": {"state": STATE | {"models": "x", "panel": "robustness"}, "kinds": "on_or_off"},
    "point": {"state": STATE | {"at": "0.3", "prevalence": "5"}},
    "board_file": {"state": STATE | {"models": "x"}, "kind": "latex"},
    "count_by": {"state": STATE, "unit": "study"},
    "keep_ensemble": {"state": STATE | {"mean": "ranks"}, "name": "pair"},
    **teaching_calls(ORDER),
    "reviews_listed": None,
    "review_slice": {"state": STATE},
    "review_made": {
        "state": STATE, "name": "few", "readers": 3, "per_film": 2, "films": 5, "suggest": "labels",
        "findings": ["Kyphosis"], "issues": False, "order": "helpful", "file": {"name": "x.json", "parts": ["{}"]},
        "anchors": 1, "repeats": 20, "strata": "1, 1", "label_set": "CheXpert",
    },
    "review_adjudicated": {"name": "few", "new_reader": True},
    "review_agreement": {"name": "few"},
    "review_votes": {"name": "few"},
    "review_study": {"name": "few", "finding": "Kyphosis", "difference": 0.05},
    "review_study_file": {"name": "few", "finding": "Kyphosis", "format": "csv"},
    "review_released": {
        "name": "few", "protocol": "reveal", "source": "readers", "to": "", "rare": ["Kyphosis"], "select": 2,
    },
    "tour": None,
    **playlist_calls(STATE, ORDER),
    "folder_add": {"token": "FOLDER", "path": "/tmp/x", "name": "film.png"},
    "folder_shown": {"token": "FOLDER", "order": "Mass", "page": 0},
    "folder_pictures": {"token": "FOLDER", "films": [1, 2]},
    "folder_keep": {"token": "FOLDER", "name": "mine", "headers": False},
    "folder_again": {"token": "FOLDER", "model": ""},
    **dict.fromkeys(("folder_table", "folder_explore", "folder_complete", "folder_stop", "folder_close"), "FOLDER"),
}  # fmt: skip
EVENTS: dict[str, object] = {
    "open_upload": {"path": "/tmp/x", "request": 1},
    "open_sample": {"key": "masses", "request": 1},
    "open_case": {"state": STATE, "case": "CASE", "request": 1},
    "begin_folder": {"files": 3, "model": "", "request": 1},
    "open_folder_film": {"token": "FOLDER", "film": 1, "request": 1},
}
TRIGGERS = {"uploaded", "sample", "onward", "begun", "wanted"}
SLOW = {"case_film", "case_masks", "film", "open_sample", *SIMULATED}
REFUSED = ("refused", "unscored", "wrong", "apart", "no film", "no maps")

EXAMPLES = int(os.environ.get("TAILSCOPE_EXAMPLES", "20"))
QUIET: Json = {"suppress_health_check": list(HealthCheck), "database": None, "derandomize": True}


class NoModel:
    """An unavailable classifier."""

    loading = False

    def __call__(self) -> ReadingModel:
        raise UnusableModel("There is no classifier", "Choose another one.")


def no_text_model() -> TextModel:
    raise UnusableModel("There is no image-text model", "Choose another one with --vlm.")


def no_classifier() -> ReadingModel:
    raise UnusableModel("There is no classifier", "Choose another one.")


@dataclass(frozen=True)
class Room:
    """The real page over a small simulated cohort, with an open film; its models are unavailable."""

    calls: dict[str, Callable[[object], object]]
    events: dict[str, Callable[[Any, Any], object]]
    desk: ReadHandlers
    asking: AskHandlers
    token: str
    case: str
    folder: str
    seal: str
    playlist: str

    def filled(self, sent: object) -> object:
        """With a token and a case that are there."""
        if isinstance(sent, dict):
            return {key: self.filled(value) for key, value in sent.items()}
        if isinstance(sent, list):
            return [self.filled(value) for value in sent]
        names = {"TOKEN": "token", "CASE": "case", "FOLDER": "folder", "PLAYLIST": "playlist", "SEAL": "seal"}
        return getattr(self, names[sent]) if isinstance(sent, str) and sent in names else sent


async def built(*parts: Any) -> gr.Blocks:  # noqa: ANN401 - those of the page
    """The page, in a running loop: without one gradio makes its own and leaves it open."""
    return build_page(*parts)


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    place = tmp_path_factory.mktemp("room")
    folder = write_phantom(place / "cohorts", COHORT)
    store, films = Store(lambda: [folder]), OpenedFilms(each=10**6)
    reader, asker = Reader(NoModel()), Asker(no_text_model)
    readers, askers = ByProvenance.one(reader), ByProvenance.one(asker)
    services = Services(store, Images({}), readers, IntervalsJob(store), askers, FilmMapsJob(store))
    desk = ReadHandlers(
        readers,
        films,
        Uploads(place),
        Joiner(store, services.images),
        shelf=ModelShelf(lambda name: no_classifier()),
        dicom=True,
    )
    asking = AskHandlers(askers, desk)
    model = BackgroundModel("none", no_classifier)
    simulating = SimulateHandlers(PhantomModels(reader, asker, store), store)
    teaching = TeachHandlers.of(services, askers, PlaylistFiles(lambda: place / "playlists"))
    parts = (desk, asking, services, simulating, teaching, Classroom())
    page = run_in_thread(built(model, ByProvenance.one("none"), *parts))
    token = films.put(OpenedFilm(DecodedFilm(read_radiograph(sample_bytes("leg")), 0.0)), visitor="somebody", nbytes=1)
    (case, *_) = store.page(Slice(COHORT, "phantom"))
    calls = {fn.__name__: fn for block in page.blocks.values() for fn in getattr(block, "server_fns", [])}
    seal = simulating.hidden.seal.close("phantom://v1/A/300041")
    functions = [event.fn for event in page.fns.values() if {name for _, name in event.targets} & TRIGGERS]
    events = {function.__name__: function for function in functions if function}
    begun: Any = cast(Any, events)["begin_folder"]
    folder_token = begun(SimpleNamespace(_data={"files": 1}), SimpleNamespace(session_hash="another"))["token"]
    playlist = teaching.playlists.add(Playlist("few", (PlaylistFilm(COHORT, case.case, FilmQuestion("findings")),))).key
    yield Room(calls, cast(Any, events), desk, asking, token, case.id, folder_token, seal, playlist)
    services.close()


def test_every_function_of_the_page_is_tried(room: Room) -> None:
    assert set(room.calls) == set(CALLS)
    assert set(room.events) == set(EVENTS)


def is_answer(answer: object) -> None:
    """It goes to a browser; a refusal is one in words."""
    answer = orjson.loads(answer.body if isinstance(answer, Response) else orjson.dumps(answer))
    if isinstance(answer, dict) and answer.get("stage") in REFUSED and "verdict" not in answer:
        assert answer["title"] and answer["detail"]


@pytest.mark.parametrize("name", CALLS)
def test_a_call_answers_or_refuses_in_words(room: Room, name: str) -> None:
    @settings(max_examples=EXAMPLES // 5 if name in SLOW else EXAMPLES, **QUIET)
    @given(spoilt(CALLS[name]))
    def tried(sent: object) -> None:
        is_answer(room.calls[name](room.filled(sent)))

    tried()


@pytest.mark.parametrize(
    ("name", "at", "value"),
    [
        *((name, ("state", "page"), "9" * digits) for name in ("slice_page", "case_place") for digits in (20, 4301)),
        *(("slice_counts", ("key",), key) for key in ("", "score", "cohort", "pinned", "__class__", "low")),
        *(("prevalence", (side,), size) for side in ("width", "height") for size in (math.inf, 10**400, math.nan)),
        *(("slice_reveal", ("cases",), cases) for cases in ([{}], [[]], [None], {}, "all")),
        *(("simulated_preview", ("requests", 0, "severity"), size) for size in (10**400, -(10**400), math.nan)),
        ("simulated_classifier", ("seed",), 10**400),
    ],
)
def test_what_once_was_not_caught(room: Room, name: str, at: tuple[Any, ...], value: object) -> None:
    is_answer(room.calls[name](room.filled(put(deepcopy(CALLS[name]), at, value))))


@pytest.mark.parametrize("name", [name for name in CALLS if name not in SLOW])
def test_another_type_altogether_is_caught(room: Room, name: str) -> None:
    for odd in ([], [{}], {}, "9" * 4301, 10**400):
        is_answer(room.calls[name](room.filled(odd)))


@pytest.mark.parametrize("name", EVENTS)
def test_an_event_answers_or_refuses_in_words(room: Room, name: str) -> None:
    @settings(max_examples=EXAMPLES // 5, **QUIET)
    @given(spoilt(EVENTS[name]))
    def tried(sent: object) -> None:
        event, request = SimpleNamespace(_data=room.filled(sent)), SimpleNamespace(session_hash="somebody")
        is_answer(room.events[name](event, request))

    tried()


def test_an_endpoint_refuses_what_is_no_film_and_no_text(room: Room) -> None:
    @settings(max_examples=EXAMPLES, **QUIET)
    @given(nasty, nasty, nasty, nasty)
    def tried(film: Any, text: Any, templates: Any, anyway: Any) -> None:  # noqa: ANN401 - JSON
        for call in (lambda: room.desk.read(film, anyway), lambda: room.asking.answer(film, text, templates, anyway)):
            with pytest.raises(gr.Error) as refusal:
                call()
            assert refusal.value.title

    tried()


@pytest.mark.parametrize("text", [None, 5, [], "", "a\nb", "\ud800"])
def test_ask_refuses_a_text_that_is_none(room: Room, text: Any, tmp_path: Path) -> None:  # noqa: ANN401 - JSON
    folder = room.desk._uploads._folder / ("a" * 64)
    folder.mkdir(exist_ok=True)
    (folder / "film").write_bytes(b"film")
    with pytest.raises(gr.Error) as refusal:
        room.asking.answer(cast(Any, {"path": str(folder / "film")}), text)
    assert refusal.value.title and "finding" in str(refusal.value).lower()
    assert not (folder / "film").exists()
