"""How often a finding's heat maps locate it, compared with its usual place, in figures and in words."""

from __future__ import annotations

import math
from dataclasses import dataclass

from explorer.core.figures import percent_rate_text, percent_text, score_text
from explorer.core.rates import Rate
from explorer.metrics.localization import ALIKE_CORRELATION
from models.cards.heat_method import HeatMethod
from models.cards.map_card import MapCard, MapHits

MIN_HITS = 10  # fewest hits that allow a statement about a map
SIGN_TEST_LEVEL = 0.025  # probability of wrongly calling a map better than the usual place


@dataclass(frozen=True, slots=True)
class FindingMapAccuracy:
    """How often, on hits, the map's maximum lay in the finding's mask, and how often its usual place did.

    `measured` names the films. `shown`: maps are better than the usual place; None with too few hits.
    """

    found: Rate
    usual: Rate
    measured: str
    shown: bool | None


def map_accuracy(maps: MapCard | None, finding: str) -> FindingMapAccuracy | None:
    """Return a finding's map accuracy; None if it was never measured. A finding missing from the card had no hit."""
    if maps is None:
        return None
    worth = maps.findings.get(finding, MapHits(0, 0, 0, 0))
    shown = None if worth.of < MIN_HITS else _better(worth)
    return FindingMapAccuracy(Rate(worth.found, worth.of), Rate(worth.usual, worth.of), maps.measured, shown)


def _better(worth: MapHits) -> bool:
    """Return whether maps beat the usual place, by the exact sign test on hits that only one of the two locates."""
    map_alone, usual_alone = worth.found - worth.both, worth.usual - worth.both
    n = map_alone + usual_alone
    at_least = sum(math.comb(n, heads) for heads in range(map_alone, n + 1))  # of 2 ** n outcomes of n coins
    return at_least <= SIGN_TEST_LEVEL * (1 << n)


def map_words(worth: FindingMapAccuracy | None, finding: str) -> str:
    """Return the sentence shown next to a map, or in its place if it may be no better than the usual place."""
    known = f"How often a map of {finding} points to it is not known: it was"
    if worth is None:
        return f"{known} never measured on films with its place marked."
    if worth.shown is None:
        return f"{known} measured on fewer than {MIN_HITS} hits (n {worth.found.n}; {worth.measured})."
    usual = f"its usual place alone in {worth.usual.hits} ({percent_text(worth.usual.value or 0)})"
    counted = (
        f"{worth.found.hits} of {worth.found.n} hits ({percent_rate_text(worth.found)}), {usual}; {worth.measured}."
    )
    if worth.shown:
        return f"A map of {finding} points to it in {counted}"
    return f"A map of {finding} may be no better than its usual place. It points to it in {counted}"


def brief_map_words(worth: FindingMapAccuracy | None) -> str:
    """Return a short version for a legend."""
    if worth is None:
        return "how often such a map is correct was never measured"
    if worth.shown is None:
        return f"how often such a map is correct is not known: too few hits (n {worth.found.n})"
    usual = percent_text(worth.usual.value or 0)
    return f"correct in {percent_rate_text(worth.found)} of {worth.found.n} hits, its usual place in {usual}"


def method_words(method: HeatMethod) -> str:
    """Return the method's name for the legend."""
    if method.cam == "MaskHead":
        return "mask head"
    kind = f"{method.cam}, contrastive" if method.contrastive else method.cam
    return f"{kind}, {' and '.join(method.layers) or 'last feature map'}"


def map_unit(method: HeatMethod) -> str:
    """Return the unit of a classifier's map: the share of a cell covered by the finding, or logits."""
    return "share" if method.cam == "MaskHead" else "logit"


def similar_maps_words(similarity: float | None) -> str:
    """Return a warning if the maps of a film's findings hardly differ; else empty."""
    if similarity is None or similarity <= ALIKE_CORRELATION:
        return ""
    return f"On this film the shown maps are very similar (correlation {score_text(similarity)})."
