"""A figure of error films: its size in print, maps, outlines, what is left out, from the command and from the page."""

from __future__ import annotations

import base64
import io
import json
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from explorer.analysis.exports.dicom.shown_map import ShownMap
from explorer.analysis.exports.error_figure import FigureRequest, NoFigure, error_figure
from explorer.analysis.exports.figure_sheet import DPI, OUTLINE, SheetFilm, draw_sheet, sheet_bytes
from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.cohorts.images import Images
from explorer.core.findings import Outcome
from explorer.store.slices import Slice
from explorer.ui.explore.slice_calls import calls
from explorer.ui.shared.links import slice_words
from explorer.ui.shared.services import Services
from tests.explorer.cli.command import run
from tests.support.lasting_store import loaded_store
from tests.support.wording import Wording, line_with

MISSES = Slice("phantom", "phantom", outcomes=(Outcome.MISS,))


@dataclass(frozen=True)
class _Box:
    size: int
    inner: tuple[int, int]
    offset: tuple[int, int]


def sheet_film(heat: bool, place: bool = False) -> SheetFilm:
    pixels = np.full((80, 60), 0.5, np.float32)
    where = np.zeros((80, 60), np.bool_)
    where[20:40, 10:30] = True
    box = _Box(64, (64, 48), (0, 8))
    shown = ShownMap("Mass", np.eye(4, dtype=np.float32), box, 1.0, True, "share", "mask head")
    return SheetFilm(pixels, shown if heat else None, where if place else None, ("Mass: miss", "score 0.1"))


def colors(image: Image.Image) -> set[tuple[int, ...]]:
    packed = np.unique(np.asarray(image).astype(np.int32) @ np.array([65536, 256, 1]))
    return {(each >> 16, each >> 8 & 255, each & 255) for each in packed.tolist()}


def test_a_sheet_is_180_mm_wide_at_300_dots_per_inch() -> None:
    sheet = draw_sheet([sheet_film(heat=True), sheet_film(heat=False)], "Title", ["A note."], columns=2)
    assert sheet.width == round(180 / 25.4 * 300)
    png = Image.open(io.BytesIO(sheet_bytes(sheet, "png")))
    assert png.info["dpi"] == pytest.approx((DPI, DPI), abs=0.1)
    assert sheet_bytes(sheet, "pdf").startswith(b"%PDF")


def test_where_the_finding_is_is_outlined_and_maps_are_in_color() -> None:
    plain, mapped, outlined = (
        colors(draw_sheet([film], "Title", [], columns=1))
        for film in (sheet_film(heat=False), sheet_film(heat=True), sheet_film(heat=False, place=True))
    )
    assert not any(max(color) - min(color) > 10 for color in plain), "grays alone"
    assert any(max(color) - min(color) > 40 for color in mapped)
    assert OUTLINE in outlined and OUTLINE not in mapped


def test_films_without_maps_are_drawn_with_their_masks(wording: Wording) -> None:
    store = loaded_store()
    films = store.page(MISSES, size=2)
    request = FigureRequest(MISSES, films, None)
    drawn = error_figure(store, Images(), request, lambda film: film.radiograph(256))
    assert drawn.name == "tailscope_figure_phantom_phantom.png"
    assert OUTLINE in colors(Image.open(io.BytesIO(drawn.data))), "the missed finding is outlined"
    with pytest.raises(NoFigure) as refused:
        error_figure(store, Images(), replace(request, films=()), lambda film: film.radiograph())
    wording(f"{refused.value.title}: {refused.value.detail}")
    elsewhere = Slice("nih-oof", "nih-mini")
    with pytest.raises(NoFigure) as refused:
        shown = store.page(elsewhere, size=1)
        error_figure(store, Images(), FigureRequest(elsewhere, shown, None), lambda film: film.radiograph())
    wording(f"{refused.value.title}: {refused.value.detail}")


def test_the_page_exports_the_films_of_its_page() -> None:
    store = loaded_store()
    offered = {call.__name__: call for call in calls(Services(store, Images(), None, IntervalsJob(store)))}
    answer = json.loads(json.dumps(offered["slice_export"]({"state": slice_words(MISSES), "kind": "figure"})))
    assert (answer["stage"], answer["type"]) == ("export", "image/png")
    assert Image.open(io.BytesIO(base64.b64decode(answer["data"]))).width == 2126


@pytest.mark.slow
def test_the_command_draws_films_beside_their_maps(tmp_path: Path, wording: Wording) -> None:
    out = tmp_path / "alarms.png"
    order = ("figure", "--cohort", "phantom", "--model", "phantom", "--out", str(out))
    done = run(*order, "--where", "outcome=false-alarm, center=B, finding=Pneumothorax", "--films", "2")
    assert done.exit_code == 0, done.stderr
    wording(line_with(done.stdout, "alarms.png", "2 films"))
    assert any(color[0] - color[1] > 25 for color in colors(Image.open(out))), "magma"
    wrong = run(*order[:-1], str(tmp_path / "alarms.gif"))
    assert wrong.exit_code == 2 and "--out" in wrong.stderr
    empty = run(*order, "--where", "outcome=miss, finding=Hernia, age=0-17, sex=F, with=Kyphosis")
    assert empty.exit_code == 2
