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
    RAREST_FIRST,
    ColoredMap,
    LegendEntry,
    MapColor,
    color_map,
    colored_population,
)
from explorer.cohorts.film_map import KnownMap
from explorer.core.map_area import CELL_UNITS, MAP_SIDE
from explorer.core.outcomes import OUTCOMES
from explorer.runtime.cached_per_owner import cached_per_owner
from explorer.store.filter_kinds import as_word
from explorer.store.results import StoreError
from explorer.store.slices import Slice
from explorer.ui.explore.map_place import OwnFilmPayload, own_film_payload
from explorer.ui.explore.panel_calls import NUMBERS_HIDDEN, CountedPayload
from explorer.ui.map_route import map_address
from explorer.ui.shared.chart_look import EXTRA_MODEL_COLOR, MODEL_COLORS
from explorer.ui.shared.links import center_id, resolve_slice
from explorer.ui.shared.refusals import RefusedPayload, answer_or_refusal
from explorer.ui.shared.request_values import state_in, value_in
from explorer.ui.shared.services import Services
from explorer.ui.shared.theme import MUTED

if TYPE_CHECKING:
    from explorer.store.store import Store
    from explorer.ui.read.handlers import ReadHandlers


# Outcomes have their usual colors, groups a scale.
_GROUP_COLORS = dict(zip(RAREST_FIRST, ("#fde725", "#7ad151", "#22a884", "#5b86c9", MUTED), strict=True))
_OUTCOME_COLORS = {each: MUTED if "correct" in each else f"var(--{as_word(each)})" for each in OUTCOMES}
_ENTRY_COLORS = {str(name): color for name, color in (*_GROUP_COLORS.items(), *_OUTCOME_COLORS.items())}


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
    """The share of a film's `neighbors` nearest films that the map keeps, over `asked` films; see `MadeWith`."""

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
    store, chosen = services.store, resolve_slice(services.store, state)
    if services.maps is None:
        raise StoreError("Maps are not available here", "Start Tailscope with its page.")
    known = services.maps.ask(chosen.cohort, chosen.model)
    if not isinstance(known, KnownMap):
        return {"stage": "making", "computing": True, "done": known[0], "of": known[1]}
    opened = read_handlers.opened(token)
    reading = None if opened is None else opened.reading
    by = chosen_color(state.get("color"), chosen)
    films = film_numbers(store, chosen.cohort, chosen.model, known.version, known)
    made, count = known.map.made, store.count(colored_population(chosen))
    return {
        "stage": "map",
        "sentence": marked_sentence(store, colored_population(chosen)),
        "pairs": count.pairs,
        "films": count.films,
        "address": map_address(chosen.cohort, chosen.model, known.version),
        "version": known.version,
        "points": len(films),
        "side": MAP_SIDE,
        "cell": CELL_UNITS,
        "colors": colors_payload(chosen, color_map(store, chosen, films, by)),
        "choices": [each for each in MAP_COLORS if chosen.finding is not None or each not in FINDING_COLORS],
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
        "corners": [] if chosen.lasso is None else list(chosen.lasso.corners),
        "own": None if reading is None else own_film_payload(store, known, chosen.cohort, chosen.model, reading),
    }


def chosen_color(sent: object, chosen: Slice) -> MapColor:
    """The state's color if it fits the slice; else the outcome of the slice's finding, or the groups."""
    by = next((each for each in MAP_COLORS if each == sent), None)
    if by is None or (by in FINDING_COLORS and chosen.finding is None):
        return "group" if chosen.finding is None else "outcome"
    return by


def colors_payload(chosen: Slice, found: ColoredMap) -> ColorsPayload:
    """The colors, for the script."""
    return {
        "by": found.by,
        "codes": b64encode(found.codes.tobytes()).decode("ascii"),
        "flags": b64encode(found.chosen.astype(np.uint8).tobytes()).decode("ascii"),
        "entries": [
            {
                "name": each.name,
                "color": _css_color(found.by, each, place),
                "films": each.films,
                "changes": _changes(chosen, found.by, each.value),
            }
            for place, each in enumerate(found.entries)
        ],
        "ticks": list(found.ticks),
    }


def _css_color(by: MapColor, entry: LegendEntry, place: int) -> str:
    """The color of the entry at this index."""
    if by == "center" and entry.value is not None:
        return MODEL_COLORS[place] if place < len(MODEL_COLORS) else EXTRA_MODEL_COLOR
    return _ENTRY_COLORS.get(entry.name, EXTRA_MODEL_COLOR)


def _changes(chosen: Slice, by: MapColor, value: str | None) -> dict[str, str]:
    if value is None:
        return {}
    if by == "center":
        return {"center": center_id(chosen.cohort, value)}
    return {by: as_word(value)}


@cached_per_owner(4)
def film_numbers(store: Store, cohort: str, model: str, version: str, known: KnownMap) -> NDArray[np.int64]:
    """The films' numbers (n,) in the map's order. Raises StoreError if the cohort lacks one of them."""
    places = {case: place for place, case in enumerate(store.patients(cohort))}
    found = np.array([places.get(case, -1) for case in known.map.cases], np.int64)
    if (found < 0).any():
        raise StoreError("The map shows films that the cohort does not have", "Score the cohort again.")
    return found
