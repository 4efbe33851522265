"""The calls of the Map panel: progress of the map, its colors, and the place of Read's film on it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.cases.marked_sentence import marked_sentence
from explorer.analysis.film_maps.map_colors import (
    FINDING_COLORS,
    MAP_COLORS,
    ColoredMap,
    MapColor,
    color_map,
    colored_population,
)
from explorer.cohorts.film_map import KnownMap
from explorer.core.map_area import CELL_UNITS, MAP_SIDE
from explorer.runtime.cached_per_owner import cached_per_owner
from explorer.store.filter_kinds import as_word
from explorer.store.results import StoreError
from explorer.store.slices import Slice
from explorer.ui.explore.map_look import css_color
from explorer.ui.explore.map_place import OwnFilmPayload, own_film_payload
from explorer.ui.explore.panel_calls import NUMBERS_HIDDEN, CountedPayload
from explorer.ui.explore.slice_calls import answer_or_refusal
from explorer.ui.map_route import map_address
from explorer.ui.shared.links import center_id, resolve_slice
from explorer.ui.shared.refusals import RefusedPayload
from explorer.ui.shared.request_values import state_in, value_in
from explorer.ui.shared.services import Services

if TYPE_CHECKING:
    from explorer.store.store import Store
    from explorer.ui.read.handlers import ReadHandlers


class EntryPayload(TypedDict):
    """A CSS color: its name, its films on the map, and the state changes that narrow the slice to it."""

    name: str
    color: str
    films: int
    changes: dict[str, str]


class ColorsPayload(TypedDict):
    """Codes and flags of the films in the map's order, a byte each, in base 64; see `analysis.map_colors`.

    A code is the index of an entry, or a step on a scale whose `ticks` are scores; a flag is 1 for films of the slice.
    """

    by: MapColor
    codes: str
    flags: str
    entries: list[EntryPayload]
    ticks: list[float]


class MapQualityPayload(TypedDict):
    """The share of a film's `neighbors` nearest that the map keeps, over `asked` films; see `MadeWith`."""

    neighbors: int
    asked: int
    kept: float
    low: float
    high: float
    plain: float
    chance: float


class MapPayload(CountedPayload):
    """A map: the address of its `films` points, its method, its colors, and the corners of the slice's area."""

    stage: Literal["map"]
    address: str
    version: str
    points: int
    side: int
    cell: int
    colors: ColorsPayload
    choices: list[MapColor]
    worth: MapQualityPayload
    made: str
    corners: list[tuple[int, int]]
    own: OwnFilmPayload | None


class MakingPayload(TypedDict):
    """The map is being computed: `done` of `of` rounds."""

    stage: Literal["making"]
    computing: Literal[True]
    done: int
    of: int


def calls(services: Services, read_handlers: ReadHandlers) -> list[Callable[[object], object]]:
    """The script's call: {state, token}, with the token of the film open in Read."""

    def film_map(sent: object) -> MapPayload | MakingPayload | RefusedPayload:
        state = state_in(sent)
        if state.get("hide"):
            return NUMBERS_HIDDEN
        return answer_or_refusal(lambda: _answer(services, read_handlers, state, value_in(sent, "token")))

    return [film_map]


def _answer(
    services: Services, read_handlers: ReadHandlers, state: Mapping[str, Any], token: object
) -> MapPayload | MakingPayload:
    store, asked = services.store, resolve_slice(services.store, state)
    if services.maps is None:
        raise StoreError("Maps are not available here", "Start Tailscope with its page.")
    known = services.maps.ask(asked.cohort, asked.model)
    if not isinstance(known, KnownMap):
        return {"stage": "making", "computing": True, "done": known[0], "of": known[1]}
    opened = read_handlers.opened(token)
    reading = None if opened is None else opened.reading
    by = chosen_color(state.get("color"), asked)
    films = film_numbers(store, asked.cohort, asked.model, known.version, known)
    made, count = known.map.made, store.count(colored_population(asked))
    return {
        "stage": "map",
        "sentence": marked_sentence(store, colored_population(asked)),
        "pairs": count.pairs,
        "films": count.films,
        "address": map_address(asked.cohort, asked.model, known.version),
        "version": known.version,
        "points": len(films),
        "side": MAP_SIDE,
        "cell": CELL_UNITS,
        "colors": colors_payload(asked, color_map(store, asked, films, by)),
        "choices": [each for each in MAP_COLORS if asked.finding is not None or each not in FINDING_COLORS],
        "worth": {
            "neighbors": made.neighbors,
            "asked": made.asked,
            "kept": made.kept,
            "low": made.low,
            "high": made.high,
            "plain": made.plain,
            "chance": made.chance,
        },
        "made": f"{made.settings}; {made.library}, seed {made.seed}.",
        "corners": [] if asked.lasso is None else list(asked.lasso.corners),
        "own": None if reading is None else own_film_payload(store, known, asked.cohort, asked.model, reading),
    }


def chosen_color(sent: object, asked: Slice) -> MapColor:
    """The state's color if it fits the slice; else the outcome of the slice's finding, or the groups."""
    by = next((each for each in MAP_COLORS if each == sent), None)
    if by is None or (by in FINDING_COLORS and asked.finding is None):
        return "group" if asked.finding is None else "outcome"
    return by


def colors_payload(asked: Slice, found: ColoredMap) -> ColorsPayload:
    """The colors, for the script."""
    return {
        "by": found.by,
        "codes": b64encode(found.codes.tobytes()).decode("ascii"),
        "flags": b64encode(found.chosen.astype(np.uint8).tobytes()).decode("ascii"),
        "entries": [
            {
                "name": each.name,
                "color": css_color(found.by, each, place),
                "films": each.films,
                "changes": _changes(asked, found.by, each.value),
            }
            for place, each in enumerate(found.entries)
        ],
        "ticks": list(found.ticks),
    }


def _changes(asked: Slice, by: MapColor, value: str | None) -> dict[str, str]:
    if value is None:
        return {}
    if by == "center":
        return {"center": center_id(asked.cohort, value)}
    return {by: as_word(value)}


@cached_per_owner(4)
def film_numbers(store: Store, cohort: str, model: str, version: str, known: KnownMap) -> NDArray[np.int64]:
    """The films' numbers (n,) in the map's order. Raises StoreError if the cohort lacks one of them."""
    places = {case: place for place, case in enumerate(store.patients(cohort))}
    found = np.array([places.get(case, -1) for case in known.map.cases], np.int64)
    if (found < 0).any():
        raise StoreError("The map shows films that the cohort does not have", "Score the cohort again.")
    return found
