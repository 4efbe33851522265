"""Heat maps as small transparent pictures, wherever the page would show one, with a sentence on their reliability."""

from __future__ import annotations

import io
from base64 import b64encode
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from explorer.analysis.cases.case_maps import map_caveat, maps_unavailable_reason
from explorer.analysis.exports.dicom.shown_map import OPACITY, magma, shares
from explorer.cohorts.manifest import ModelManifest
from explorer.reading.anatomy import frontal_anatomy, map_places
from explorer.reading.finding_list import FindingRow
from explorer.reading.map_worth import map_words
from explorer.reading.reader import InputBox, Reader
from explorer.school.preparing.prepared import OverlayPayload
from explorer.simulator.request import NORMAL
from models.radiograph import Radiograph

MAX_OVERLAY_PX = 160  # pixels of the longer side; a map is only ten cells wide
OVERLAY_QUALITY = 80
MAX_MAPS = 6  # per film and model: present findings first, then by certainty
# Peak values as shares of the scale: below the first a map is invisible over a film, below the second faint.
INVISIBLE_PEAK, FAINT_PEAK = 0.15, 0.4


def data_url(webp: bytes) -> str:
    """Return a picture as a data URL."""
    return "data:image/webp;base64," + b64encode(webp).decode("ascii")


def overlay(
    finding: str,
    values: NDArray[np.float32],
    box: InputBox,
    maximum: float | None,
    size: tuple[int, int],
    worth: str,
    place: str = "",
) -> OverlayPayload:
    """Return a map (g, g) over a film of `size` (h, w) in magma colors; larger values are more opaque.

    `maximum` is the top of the scale shared by the model's maps; None: the map has a scale of its own. `place` is where
    the map is hottest, empty if not known.
    """
    scale = min(1.0, MAX_OVERLAY_PX / max(size))
    height, width = (max(1, round(side * scale)) for side in size)
    share = shares(values, box, maximum or max(float(values.max()), 1e-6), (height, width))
    colors = np.dstack([magma(share), 255 * OPACITY * share])
    written = io.BytesIO()
    Image.fromarray(np.rint(colors).astype(np.uint8), "RGBA").save(written, "WEBP", quality=OVERLAY_QUALITY, method=4)
    peak = float(share.max()) if maximum else None
    return {
        "finding": finding,
        "picture": data_url(written.getvalue()),
        "peak": peak,
        "strength": strength_words(peak, place),
        "worth": worth,
    }


def strength_words(peak: float | None, place: str = "") -> str:
    """Return how strong a map is on its model's shared scale, so that a faint map is not mistaken for a missing one.

    `place` is where it is hottest, empty if not known.
    """
    where = f" ({place})" if place else ""
    if peak is None:
        hottest = f" It is hottest here: {place}." if place else ""
        return f"The map is scaled to its own maximum: this model's maps have no common scale.{hottest}"
    share = f"{round(100 * peak)} %" if peak >= 0.005 else "less than 1 %"
    reached = f"Its hottest spot{where} reaches {share} of the model's common scale"
    seen = ": it is nearly invisible" if peak < INVISIBLE_PEAK else ": it is faint" if peak < FAINT_PEAK else ""
    return f"{reached}{seen}."


def cohort_overlays(
    reader: Reader | None, made: ModelManifest, center: str, film: Radiograph, wanted: Sequence[str]
) -> tuple[list[OverlayPayload], str]:
    """Return maps of a cohort's film by the model that scored it, and the reason if there are none, else empty.

    `wanted` are the findings, most important first. Raises UnusableModel and QueueFull.
    """
    why = maps_unavailable_reason(reader, made)
    if why or reader is None:
        # Explore does not draw maps of image-text models either
        return [], "" if made.unit == "margin" else f"No maps by {made.model}. {why}"
    rows = {row.finding: row for row in reader.read(film).rows}
    card = reader.card
    return reader_overlays(
        reader, film, [rows[each] for each in wanted if each in rows], map_caveat(card, made, center)
    ), ""


def reader_overlays(
    reader: Reader,
    film: Radiograph,
    rows: Sequence[FindingRow],
    more: str = "",
    *,
    shown_by: Callable[[FindingRow], bool] = lambda row: _is_sure(row) and _is_worth(row),
) -> list[OverlayPayload]:
    """Return the maps that Read would show by default for these rows; `more` follows each reliability sentence."""
    shown = [row for row in rows if shown_by(row)][:MAX_MAPS]
    if not shown:
        return []
    mapped = reader.heat(film, [row.finding for row in shown])
    size, maximum = film.pixels.shape, reader.card.heat_maximum
    places = map_places(frontal_anatomy(film), mapped.findings, mapped.heat.maps, mapped.heat.box)
    return [
        overlay(
            row.finding, values, mapped.heat.box, maximum, size, _worth_words(row, place.caution, more), place.place
        )
        for row, values, place in zip(shown, mapped.heat.maps, places, strict=True)
    ]


def _worth_words(row: FindingRow, *more: str) -> str:
    return " ".join(filter(None, [map_words(row.map_worth, row.finding), *more]))


def simulate_shows_map(row: FindingRow) -> bool:
    """Return whether Simulate would show the row's map by default: the score reaches its threshold, certain or not."""
    return row.threshold is not None and row.score >= row.threshold and _is_worth(row)


def _is_sure(row: FindingRow) -> bool:
    return row.state == "above" and not row.warning


def _is_worth(row: FindingRow) -> bool:
    return row.finding != NORMAL and (row.map_worth is None or row.map_worth.shown is not False)
