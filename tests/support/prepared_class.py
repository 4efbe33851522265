"""A playlist made ready by hand: simulated films, a question of each kind, everything that a reveal can have."""

from __future__ import annotations

import base64
import io
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from explorer.core.findings import FINDINGS, Outcome
from explorer.school.playlists.playlist import FilmQuestion, Playlist, PlaylistFilm
from explorer.school.playlists.truth import Mask, Truth
from explorer.school.preparing.heat_overlay import strength_words
from explorer.school.preparing.prepared import (
    AreaPayload,
    ModelSaysPayload,
    PreparedFilm,
    PreparedPlaylist,
    RevealPayload,
)
from explorer.simulator import Center, Request, render
from models.prompts.terms import terms

SIZE = 192  # pixels
NOTE = "The note of the reveal"
CLOSING = "The closing words"
PEAK = 0.08  # of the scale: a map that is next to empty
WORTH = "Such a map points to the finding in 6 of 10 films."
_EXACT = "the simulator: exact"
MASS = Request("Mass", "left", 0.9)
EFFUSION = Request("Pleural Effusion", "right", 0.8)


@cache
def _drawn(requests: tuple[Request, ...], seed: int, center: Center, size: int) -> tuple[bytes, dict[str, Mask]]:
    pixels, masks = render(seed, requests, center, size)
    return _webp(np.rint(pixels * 255).astype(np.uint8)), masks


def prepared_class(films: tuple[PreparedFilm, ...] | None = None, title: str = "Chest films") -> PreparedPlaylist:
    """All five kinds of question, or these films."""
    made = five_kinds() if films is None else films
    playlist = Playlist(title, tuple(film.entry for film in made), "Five films.", CLOSING)
    names = {name: terms()[name].taught for name in FINDINGS if name != "Normal"}
    return PreparedPlaylist(playlist, made, names)


def five_kinds() -> tuple[PreparedFilm, ...]:
    return (
        film(FilmQuestion("findings"), (MASS, EFFUSION), before="A cough for three weeks."),
        film(FilmQuestion("point", "Mass"), (MASS,)),
        film(FilmQuestion("normal"), ()),
        film(FilmQuestion("present", "Pleural Effusion"), (EFFUSION,), seed=9),
        film(FilmQuestion("pair", "Mass"), (MASS,), seed=11, pair=1),
    )


def film(
    question: FilmQuestion,
    requests: tuple[Request, ...],
    *,
    seed: int = 7,
    center: Center = "A",
    size: int = SIZE,
    pair: int | None = None,
    before: str = "",
) -> PreparedFilm:
    """A film of the simulator; as a pair, beside the same patient without findings."""
    picture, masks = _drawn(requests, seed, center, size)
    pictures = [picture]
    if pair is not None:
        pictures.insert(1 - pair, _drawn((), seed, center, size)[0])
    truth = _truth(requests, masks, pair)
    entry = PlaylistFilm("", f"phantom://v1/{center}/{seed}", question, before, NOTE)
    reveal, outcomes = _reveal(question, truth, size), {"phantom": _outcomes(truth)}
    return PreparedFilm(entry, tuple(pictures), size, size, True, truth, reveal, outcomes)


def _outcomes(truth: Truth) -> dict[str, Outcome]:
    """Of a model that is always right."""
    right = {"present": Outcome.HIT, "absent": Outcome.CORRECT_REJECTION}
    return {finding: right[label] for finding, label in truth.labels.items() if label in right}


def _truth(requests: tuple[Request, ...], masks: dict[str, Mask], pair: int | None) -> Truth:
    present = {each.finding for each in requests} or {"Normal"}
    labels = {name: "present" if name in present else "absent" for name in FINDINGS}
    sides = {each.finding: each.side for each in requests}
    return Truth(labels, _EXACT, sides, masks, pair=pair)  # type: ignore[arg-type]  # words of one room each


def _reveal(question: FilmQuestion, truth: Truth, size: int) -> RevealPayload:
    return {
        "present": [{"finding": name, "side": truth.sides.get(name, "")} for name in truth.present],
        "absent": [],
        "normal": truth.normal,
        "pair": truth.pair,
        "source": truth.source,
        "areas": [_area(finding, mask) for finding, mask in truth.masks.items()],
        "models": [_model(name, truth, size) for name in ("phantom", "phantom-mini")],
        "near": [{"picture": _data_url(np.full((32, 32), 90, np.uint8)), "words": f"Near {i}"} for i in range(3)],
        "note": NOTE,
        "simulated": True,
    }


def _area(finding: str, mask: Mask) -> AreaPayload:
    """The rectangle around it: how outlines are drawn is tested elsewhere."""
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    height, width = mask.shape
    left, right = columns[0] / width, (columns[-1] + 1) / width
    top, bottom = rows[0] / height, (rows[-1] + 1) / height
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    return {"finding": finding, "outlines": [[(float(x), float(y)) for x, y in corners]], "source": "exact"}


def _model(name: str, truth: Truth, size: int) -> ModelSaysPayload:
    findings = [*(each for each in truth.present if each != "Normal"), "Vertebral Degenerative Changes"]
    heat = np.zeros((24, 24, 4), np.uint8)
    heat[8:14, 8:14] = (252, 137, 97, 160)
    outcome = Outcome.HIT if truth.normal is False else Outcome.FALSE_ALARM
    return {
        "model": name,
        "origin": "internal: films of other patients from a center that the model was trained on",
        "rows": [{"finding": each, "score": 0.83, "threshold": 0.31, "outcome": outcome} for each in findings],
        "overlays": [
            {
                "finding": each,
                "picture": _data_url(heat),
                "peak": PEAK,
                "strength": strength_words(PEAK),
                "worth": WORTH,
            }
            for each in findings
        ],
    }


def _webp(levels: NDArray[np.uint8]) -> bytes:
    written = io.BytesIO()
    Image.fromarray(levels).save(written, "WEBP", quality=85)
    return written.getvalue()


def _data_url(levels: NDArray[np.uint8]) -> str:
    return "data:image/webp;base64," + base64.b64encode(_webp(levels)).decode("ascii")
