"""The method whose maps find the most on validation films, and the file that says what it is worth on others."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.metrics.localization import ALIKE_CORRELATION
from explorer.workshop.localization.measured import MeasuredPlace
from explorer.workshop.localization.summary import MapSummary, similarity_of, worths
from models.cards.heat_method import HeatMethod
from models.cards.map_card import MapCard


def best(found: MapSummary, methods: Sequence[HeatMethod]) -> HeatMethod:
    """The method of the highest pointing game over all hits among those that tell findings apart.

    Where none does, among all; of equal ones the first.
    """
    apart = [method for method in methods if found.similarity.get(str(method), (0.0, 0))[0] <= ALIKE_CORRELATION]
    return max(apart or methods, key=lambda method: _pointing(found, method))


def chosen_card(place: MeasuredPlace, method: HeatMethod, chosen: str, measured: str) -> MapCard:
    """What the maps of a method are worth by the measurements at `place`; the two texts say on which films."""
    together, findings, maximum = worths(place, method)
    similarity = similarity_of(place, method) or (0.0, 0)
    return MapCard(method, maximum, chosen, measured, similarity[0], together, findings)


def _pointing(found: MapSummary, method: HeatMethod) -> float:
    line = found.line(str(method))
    return -1.0 if line is None else line.pointing
