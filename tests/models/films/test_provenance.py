"""A film of the simulator says so in its file: read from the text chunk of our own PNG, and from nothing else."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from models.films.amend import apply_remedy
from models.films.png_stream import PROVENANCE, VIEW_KEYWORD
from models.radiograph import Radiograph, read_radiograph

KEYWORD, MARK = PROVENANCE


def png(*texts: tuple[str, str], compressed: bool = False) -> bytes:
    said = PngInfo()
    for keyword, text in texts:
        said.add_text(keyword, text, zip=compressed)
    written = io.BytesIO()
    ramp = np.repeat(np.linspace(0, 65535, 64).astype(np.uint16)[None], 64, axis=0)
    Image.fromarray(ramp).save(written, "PNG", pnginfo=said)
    return written.getvalue()


@pytest.mark.parametrize(
    ("data", "simulated"),
    [
        pytest.param(png((KEYWORD, MARK)), True, id="the mark"),
        pytest.param(png(("Title", "a film"), (KEYWORD, f"{MARK}: phantom://v1/A/5")), True, id="with more text"),
        pytest.param(png(), False, id="no text"),
        pytest.param(png((KEYWORD, f"not {MARK}")), False, id="another text"),
        pytest.param(png(("Comment", MARK)), False, id="another keyword"),
        pytest.param(png((KEYWORD, MARK), compressed=True), False, id="compressed text is not ours"),
    ],
)
def test_only_our_own_mark_makes_a_film_a_simulated_one(data: bytes, simulated: bool) -> None:
    film = read_radiograph(data)
    assert (film.simulated, film.mark.startswith(MARK)) == (simulated, simulated)


def test_of_a_mark_no_more_than_its_beginning_is_kept() -> None:
    assert read_radiograph(png((KEYWORD, f"{MARK}: phantom://v1/A/5"))).mark == f"{MARK}: phantom://v1/A/5"
    assert len(read_radiograph(png((KEYWORD, MARK * 100_000))).mark) < 2001


@pytest.mark.parametrize(
    ("data", "view", "sides"),
    [
        pytest.param(png((KEYWORD, MARK), (VIEW_KEYWORD, "AP")), "AP", "stated", id="AP"),
        pytest.param(png((VIEW_KEYWORD, "PA"), (KEYWORD, MARK)), "PA", "stated", id="PA, in another order"),
        pytest.param(png((KEYWORD, MARK)), "unknown", "assumed", id="nothing said"),
        pytest.param(
            png((KEYWORD, MARK), (VIEW_KEYWORD, "lateral")), "unknown", "assumed", id="no view of the simulator"
        ),
        pytest.param(
            png((KEYWORD, MARK), (VIEW_KEYWORD, "PA"), (VIEW_KEYWORD, "AP")), "unknown", "assumed", id="two views"
        ),
        pytest.param(png((VIEW_KEYWORD, "PA")), "unknown", "assumed", id="a film that is not simulated"),
        pytest.param(png((KEYWORD, MARK), (VIEW_KEYWORD, "PA"), compressed=True), "unknown", "assumed", id="not ours"),
    ],
)
def test_a_simulated_film_names_its_view_and_no_other_png_does(data: bytes, view: str, sides: str) -> None:
    film = read_radiograph(data)
    assert (film.view, film.sides) == (view, sides)


def test_a_film_that_is_changed_on_request_stays_what_it_is() -> None:
    film = read_radiograph(png((KEYWORD, MARK)))
    assert apply_remedy(film, "invert").simulated and apply_remedy(film, "turn left").simulated


def test_pixels_are_real_unless_it_is_said() -> None:
    pixels = np.linspace(0, 1, 64).reshape(8, 8)
    assert not Radiograph.from_pixels(pixels).simulated
    assert Radiograph.from_pixels(pixels, simulated=True).simulated
