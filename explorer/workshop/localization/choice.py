"""Chooses the heat map method on validation films, and writes its accuracy on other films."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.metrics.localization import ALIKE_CORRELATION
from explorer.workshop.localization.measured import MeasurementFolder
from explorer.workshop.localization.summary import MapSummary, hits_by_finding, median_similarity
from models.cards.heat_method import HeatMethod
from models.cards.map_card import MapCard


def best_method(found: MapSummary, methods: Sequence[HeatMethod]) -> HeatMethod:
    """Return the method with the best pointing game over all hits, among methods that tell findings apart.

    If no method does, all compete; the first of equals wins.
    """
    apart = [method for method in methods if found.similarity.get(str(method), (0.0, 0))[0] <= ALIKE_CORRELATION]
    return max(apart or methods, key=lambda method: _pointing(found, method))


def chosen_card(place: MeasurementFolder, method: HeatMethod, chosen: str, measured: str) -> MapCard:
    """Return the accuracy of a method's maps, measured in `place`; the two texts describe the films."""
    together, findings, maximum = hits_by_finding(place, method)
    similarity = median_similarity(place, method) or (0.0, 0)
    return MapCard(method, maximum, chosen, measured, similarity[0], together, findings)


def _pointing(found: MapSummary, method: HeatMethod) -> float:
    line = found.line(str(method))
    return -1.0 if line is None else line.pointing
