"""Heat maps as small pictures with transparency, where the page would show one, with what it is worth in a sentence."""

from __future__ import annotations

import io
from base64 import b64encode
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from explorer.analysis.cases.case_maps import honest_words, why_no_maps
from explorer.analysis.exports.dicom.shown_map import OPACITY, magma, shares
from explorer.cohorts.manifest import ModelManifest
from explorer.reading.finding_list import FindingRow
from explorer.reading.map_worth import map_words
from explorer.reading.reader import InputBox, Reader
from explorer.school.preparing.prepared import OverlayPayload
from explorer.simulator.request import NORMAL
from models.radiograph import Radiograph

LONGEST = 160  # pixels of the longer side: a map has ten cells across
QUALITY = 80
MOST_MAPS = 6  # of a film by one model: those present, then the surest
# Of the scale, as a map's hottest spot: below the one it cannot be seen over a film, below the other it is faint.
UNSEEN, FAINT = 0.15, 0.4


def data_url(webp: bytes) -> str:
    """A picture as a script shows it."""
    return "data:image/webp;base64," + b64encode(webp).decode("ascii")


def overlay(
    finding: str, values: NDArray[np.float32], box: InputBox, maximum: float | None, size: tuple[int, int], worth: str
) -> OverlayPayload:
    """A map (g, g) over a film of `size` (h, w): magma, the more opaque the larger the value.

    `maximum` is the end of the scale that all maps of the model share; None: the map has a scale of its own.
    """
    scale = min(1.0, LONGEST / max(size))
    height, width = (max(1, round(side * scale)) for side in size)
    share = shares(values, box, maximum or max(float(values.max()), 1e-6), (height, width))
    colors = np.dstack([magma(share), 255 * OPACITY * share])
    written = io.BytesIO()
    Image.fromarray(np.rint(colors).astype(np.uint8), "RGBA").save(written, "WEBP", quality=QUALITY, method=4)
    peak = float(share.max()) if maximum else None
    return {
        "finding": finding,
        "picture": data_url(written.getvalue()),
        "peak": peak,
        "strength": strength_words(peak),
        "worth": worth,
    }


def strength_words(peak: float | None) -> str:
    """How strong a map is on the scale that all maps of its model share, so that a faint one is not taken for none."""
    if peak is None:
        return "The map is stretched to its own largest value: maps of this model have no common scale."
    share = f"{round(100 * peak)} %" if peak >= 0.005 else "less than 1 %"
    reached = f"Its hottest spot reaches {share} of the scale that all maps of the model share"
    seen = ": next to nothing can be seen of it" if peak < UNSEEN else ": it is faint" if peak < FAINT else ""
    return f"{reached}{seen}."


def cohort_overlays(
    reader: Reader | None, made: ModelManifest, center: str, film: Radiograph, wanted: Sequence[str]
) -> tuple[list[OverlayPayload], str]:
    """Maps of a cohort's film by the model that scored it, and why there are none; empty where nothing is to be said.

    `wanted`: findings, those that matter most first. Raises UnusableModel and QueueFull.
    """
    why = why_no_maps(reader, made)
    if why or reader is None:
        return [], "" if made.unit == "margin" else f"No maps by {made.model}. {why}"  # Explore draws none of those
    rows = {row.finding: row for row in reader.read(film).rows}
    card = reader.card
    return reader_overlays(
        reader, film, [rows[each] for each in wanted if each in rows], honest_words(card, made, center)
    ), ""


def reader_overlays(
    reader: Reader,
    film: Radiograph,
    rows: Sequence[FindingRow],
    more: str = "",
    *,
    shown_by: Callable[[FindingRow], bool] = lambda row: _is_sure(row) and _is_worth(row),
) -> list[OverlayPayload]:
    """Maps of those of the rows that Read would show a map of unasked; `more` follows what each is worth."""
    shown = [row for row in rows if shown_by(row)][:MOST_MAPS]
    if not shown:
        return []
    mapped = reader.heat(film, [row.finding for row in shown])
    size, maximum = film.pixels.shape, reader.card.heat_maximum
    return [
        overlay(row.finding, values, mapped.heat.box, maximum, size, _worth(row, more))
        for row, values in zip(shown, mapped.heat.maps, strict=True)
    ]


def _worth(row: FindingRow, more: str) -> str:
    return " ".join(filter(None, [map_words(row.map_worth, row.finding), more]))


def is_called(row: FindingRow) -> bool:
    """Whether Simulate would show a map of it unasked: of what reaches its threshold, sure or not."""
    return row.threshold is not None and row.score >= row.threshold and _is_worth(row)


def _is_sure(row: FindingRow) -> bool:
    return row.state == "above" and not row.warning


def _is_worth(row: FindingRow) -> bool:
    return row.finding != NORMAL and (row.map_worth is None or row.map_worth.shown is not False)
