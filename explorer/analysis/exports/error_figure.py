"""A figure of a slice's films, the largest errors first, each beside its heat map, ready to print."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from explorer.analysis.cases.case_maps import map_caveat, maps_unavailable_reason
from explorer.analysis.exports.dicom.shown_map import ShownMap, shown_map
from explorer.analysis.exports.figure_sheet import SheetFilm, draw_sheet, sheet_bytes
from explorer.analysis.exports.slice_export import Export
from explorer.analysis.thresholds.table import thresholds_words
from explorer.cohorts.counted import cases_text
from explorer.cohorts.film_source import FilmSource, masks_of
from explorer.cohorts.images import Images
from explorer.cohorts.unlisted import public_name
from explorer.core.csv_table import NOT_FOR_MEDICAL_USE
from explorer.core.figures import significant
from explorer.core.word_lists import quantity
from explorer.reading.map_worth import brief_map_words, map_accuracy
from explorer.reading.reader import Reader
from explorer.store.results import Ranked
from explorer.store.slices import Slice, sentence
from models.array_types import Bools
from models.radiograph import Radiograph
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store

FIGURE_FILMS, COLUMNS = 8, 2
MEDIA_TYPES = {"png": "image/png", "pdf": "application/pdf"}
Decode = Callable[[FilmSource], Radiograph]


class NoFigure(Refusal):
    """A figure that cannot be drawn: `title` says why, `detail` what to do."""


@dataclass(frozen=True, slots=True)
class FigureRequest:
    """The films, in their order, and how to draw them: `kind` is png or pdf. `reader` None: without maps."""

    chosen: Slice
    films: Sequence[Ranked]
    reader: Reader | None
    columns: int = COLUMNS
    kind: str = "png"


def error_figure(store: Store, images: Images, request: FigureRequest, decode: Decode) -> Export:
    """Return the figure as a file. Films that are not here are left out and counted.

    Raises NoFigure without any film, and what `decode` raises.
    """
    chosen = request.chosen
    manifest = store.model(chosen.cohort, chosen.model)
    without_maps = maps_unavailable_reason(request.reader, manifest)
    reader = None if without_maps else request.reader
    found = [(each, source) for each in request.films if (source := images.film(each.root, each.file)) is not None]
    if not found:
        raise NoFigure(
            "None of these films is here" if request.films else "No film passes the filters",
            "Say where they are: --images NAME=DIR, or on the page in the case view."
            if request.films
            else "Remove a filter.",
        )
    drawn = [_drawn(store, chosen, each, source, reader, decode) for each, source in found]
    missing = len(request.films) - len(found)
    notes = (*_notes(store, chosen, found, reader, without_maps), *([_missing(missing)] if missing else []))
    simulated = "SIMULATED. " * store.is_simulated(chosen.cohort)
    counted = store.counted(chosen.cohort)
    words, drawn_cases = sentence(chosen, manifest.unit, counted), cases_text(len(found), counted)
    title = f"{simulated}{words}: {drawn_cases}, largest errors first"
    sheet = draw_sheet(drawn, title, notes, columns=min(request.columns, len(drawn)))
    name = f"tailscope_figure_{public_name(chosen.cohort)}_{chosen.model}.{request.kind}"
    return Export(name, MEDIA_TYPES[request.kind], sheet_bytes(sheet, request.kind))


def _drawn(
    store: Store, chosen: Slice, each: Ranked, source: FilmSource, reader: Reader | None, decode: Decode
) -> SheetFilm:
    radiograph = decode(source)
    pixels = np.asarray(radiograph.pixels, dtype=np.float32)
    heat = None if reader is None else _heat(reader, radiograph, each.finding)
    place = _place(store, chosen.cohort, each, source, pixels.shape)
    return SheetFilm(pixels, heat, place, tuple(_lines(each, reader is not None and heat is None)))


def _heat(reader: Reader, radiograph: Radiograph, finding: str) -> ShownMap | None:
    """Return the finding's map; None if maps of it may be no better than its usual place."""
    worth = map_accuracy(reader.card.maps, finding)
    if worth is not None and worth.shown is False:
        return None
    heat = reader.heat(radiograph, [finding]).heat
    return shown_map(finding, heat.maps[0], heat.box, reader.card)


def _place(store: Store, cohort: str, each: Ranked, source: FilmSource, shape: tuple[int, ...]) -> Bools | None:
    """Return where the finding is, by the simulator's mask or by boxes; None if it is not known."""
    mask = masks_of(store.cohort(cohort), source).get(each.finding)
    if mask is not None:
        return np.asarray(mask, dtype=np.bool_)
    case = store.case(cohort, each.case)
    boxes = [box for box in case.boxes if box.finding == each.finding] if case is not None else []
    if not boxes:
        return None
    place, (height, width) = np.zeros(shape, dtype=np.bool_), shape
    for box in boxes:
        top, left = round(box.y * height), round(box.x * width)
        place[top : round((box.y + box.height) * height), left : round((box.x + box.width) * width)] = True
    return place


def _lines(each: Ranked, map_withheld: bool) -> Iterator[str]:
    threshold = "" if each.threshold is None else f" (threshold {significant(each.threshold)})"
    yield f"{each.finding}: {each.outcome or f'labeled {each.label}'}"
    yield f"score {significant(each.score)}{threshold}; {each.center}, {each.view}"
    if map_withheld:
        yield "map left out: it may be no better than the usual place"


def _notes(
    store: Store,
    chosen: Slice,
    found: Sequence[tuple[Ranked, FilmSource]],
    reader: Reader | None,
    without_maps: str,
) -> Iterator[str]:
    yield f"Thresholds: {thresholds_words(store, chosen)}. Cyan: where the finding is, if that is known."
    if reader is None:
        yield f"No maps. {without_maps}".strip()
    else:
        manifest = store.model(chosen.cohort, chosen.model)
        yield from dict.fromkeys(map_caveat(reader.card, manifest, each.center) for each, _ in found)
        yield (
            "Maps have one scale for all films, from transparent at 0 to yellow at its maximum. Below a threshold they "
            "are no evidence."
        )
        for finding in dict.fromkeys(each.finding for each, _ in found):
            yield f"{finding}: {brief_map_words(map_accuracy(reader.card.maps, finding))}."
    yield f"{NOT_FOR_MEDICAL_USE}."


def _missing(films: int) -> str:
    return f"{quantity(films, 'film')} left out, because their files are not here."
