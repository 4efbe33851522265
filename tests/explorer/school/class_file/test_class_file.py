"""A class as one file: what stands in it, and what cannot be read in it."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from explorer.school.class_file.bundled_modules import bundle_modules, import_order
from explorer.school.class_file.class_file import (
    FileFilmPayload,
    NoFilms,
    NoModelAnswers,
    build_class_file,
    class_file_name,
    run_lengths,
)
from explorer.school.class_file.learner_page import (
    LEARNER_PAGE,
    MAIN_MODULE,
    STANDALONE_MODULE,
    STATIC_FOLDER,
    STYLES,
    page_text,
    served_files,
)
from explorer.school.playlists.playlist import Playlist
from explorer.school.preparing.prepared import ModelCall
from tests.support.prepared_class import CLOSING, EFFUSION, NOTE, film, prepared_class

MOST = 10 * 2**20  # bytes of 20 simulated films
HOSTILE = '</script><script>alert(1)</script><!-- " & <b> ${x}'


def data_of(made: bytes) -> Any:  # noqa: ANN401 - whatever JSON holds
    (found,) = re.findall(r'<script type="application/json" id="class-data">(.*?)</script>', made.decode(), re.DOTALL)
    return json.loads(found)


def test_the_same_playlist_gives_the_same_bytes() -> None:
    assert build_class_file(prepared_class()) == build_class_file(prepared_class())
    assert (
        data_of(build_class_file(prepared_class()))["digest"]
        != data_of(build_class_file(prepared_class(title="Other")))["digest"]
    )


def test_nothing_in_the_file_tells_the_truth() -> None:
    made = build_class_file(prepared_class())
    films = data_of(made)["films"]
    for secret in (NOTE, CLOSING, "the simulator: exact", "phantom-mini", "phantom://"):
        assert secret not in made.decode()
    assert all(set(each) == set(FileFilmPayload.__annotations__) for each in films)
    assert len({len(each["sealed"]["data"]) for each in films}) == 1  # how much there is to show would tell
    assert len({each["sealed"]["salt"] for each in films}) == len(films)
    shown = [{name: part for name, part in each.items() if name not in ("sealed", "pictures")} for each in films]
    assert "left" not in json.dumps(shown) and "right" not in json.dumps(shown)


def test_a_model_s_answers_are_sealed_too_and_of_one_length() -> None:
    made = prepared_class()
    called = {"net": {"Pleural Effusion": ModelCall(0.2, False)}}
    films = tuple(replace(each, calls=called) for each in made.films)
    file = build_class_file(prepared_class(films), with_model=True)
    parts = [each["model"] for each in data_of(file)["films"]]
    # One question is about an effusion, two are about all findings; a mass and a pair have no answer.
    assert [part is not None for part in parts] == [True, False, True, True, False]
    assert len({len(part["data"]) for part in parts if part is not None}) == 1
    assert b'"net"' not in file and all(each["model"] is None for each in data_of(build_class_file(made))["films"])
    with pytest.raises(NoModelAnswers, match="without --with-model"):
        build_class_file(made, with_model=True)


def test_text_is_no_markup() -> None:
    prepared = prepared_class()
    hostile = replace(prepared.playlist, title=HOSTILE, about=HOSTILE)
    made = build_class_file(replace(prepared, playlist=hostile))
    text = made.decode()
    assert data_of(made)["title"] == data_of(made)["about"] == HOSTILE
    assert "<title>&lt;/script&gt;" in text and "<script>alert" not in text
    assert len(re.findall(r"<script\b", text)) == 2 and len(re.findall(r"</script", text)) == 2


def test_it_may_reach_nothing() -> None:
    text = build_class_file(prepared_class()).decode()
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]+)"', text)
    assert policy.startswith("default-src 'none'; img-src data: blob:; script-src 'sha256-")
    assert "unsafe" not in policy
    assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)", text)
    assert not re.findall(r"\b(?:fetch|XMLHttpRequest|WebSocket|sendBeacon)\b", text)
    assert 'src="' not in text and re.findall(r'href="([^"]+)"', text) == ["data:,"]


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Chest films, part 2", "class-chest-films-part-2.html"),
        ("../../etc/passwd", "class-etc-passwd.html"),
        ("\u202e<x>.exe\x00", "class-x-exe.html"),
        ("\u80ba", "class.html"),
        ("a" * 300, f"class-{'a' * 40}.html"),
    ],
)
def test_the_name_of_the_file_is_safe(title: str, name: str) -> None:
    assert class_file_name(Playlist(title)) == name


def test_twenty_simulated_films_fit_ten_megabytes() -> None:
    of_full_size = [film(each.entry.question, (EFFUSION,), size=512) for each in prepared_class().films]
    pair = replace(of_full_size[-1], pictures=of_full_size[0].pictures * 2)
    assert len(build_class_file(prepared_class((*of_full_size[:-1], pair) * 4))) < MOST


def test_a_class_without_films_is_refused() -> None:
    with pytest.raises(NoFilms, match="Add films"):
        build_class_file(prepared_class(()))


def test_runs_of_a_mask_are_its_pixels() -> None:
    draw = np.random.default_rng(3)
    for mask in (draw.random((5, 7)) < 0.5, np.zeros((2, 2), bool), np.ones((2, 3), bool)):
        lengths = run_lengths(mask)
        pixels = [place % 2 == 1 for place, length in enumerate(lengths) for _ in range(length)]
        assert np.array_equal(np.array(pixels, bool).reshape(mask.shape), mask)


def test_every_module_stands_once_behind_those_that_it_imports() -> None:
    names = import_order(STANDALONE_MODULE, page_text)
    assert len(names) == len(set(names)) and names[-1] == STANDALONE_MODULE
    script = bundle_modules(STANDALONE_MODULE, page_text)
    assert not re.findall(r"^(?:import|export)\b", script, re.MULTILINE)
    assert re.findall(r"^const (m\d+) = ", script, re.MULTILINE) == [f"m{place}" for place in range(len(names))]


def test_a_class_server_serves_what_the_page_needs_and_nothing_else() -> None:
    files = served_files()
    page = files[LEARNER_PAGE].decode()
    assert set(re.findall(r'(?:src|href)="((?:class|shared|viewer)/[^"]+)"', page)) == {*STYLES, MAIN_MODULE}
    assert {name.partition("/")[0] for name in files} == {"class", "shared", "viewer"}
    assert {name for name in files if name.startswith("class/")} == {
        path.relative_to(STATIC_FOLDER).as_posix() for path in (STATIC_FOLDER / "class").iterdir()
    } - {STANDALONE_MODULE, "class/class_file.html", *(f"class/{name}.js" for name in ONLY_IN_A_FILE)}


ONLY_IN_A_FILE = ("file_answers", "judged", "own_sheet", "sealed", "transport_file")


def test_pictures_say_nothing_but_themselves() -> None:
    (url, *_) = data_of(build_class_file(prepared_class()))["films"][0]["pictures"]
    picture = base64.b64decode(url.partition(",")[2])
    assert picture[:4] == b"RIFF" and b"EXIF" not in picture and b"XMP" not in picture
