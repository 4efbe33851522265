"""How often the heat maps of a finding find it, beside knowing where it usually lies: in figures and in words."""

from __future__ import annotations

import math
from dataclasses import dataclass

from explorer.core.figures import percent_rate_text, percent_text, score_text
from explorer.core.rates import Rate
from explorer.metrics.localization import ALIKE
from models.cards.heat_method import HeatMethod
from models.cards.map_card import MapCard, MapHits

LEAST = 10  # hits behind what is said of a map
CHANCE = 0.025  # of a map that is no better to be taken for one that is


@dataclass(frozen=True, slots=True)
class FindingMapWorth:
    """On hits: how often the map's maximum lay in the finding's mask, and how often that of its mean mask did.

    `measured` says on which films. `shown`: the map tells more than where the finding usually lies; None where fewer
    than LEAST hits were measured, which cannot say it.
    """

    found: Rate
    usual: Rate
    measured: str
    shown: bool | None


def map_worth(maps: MapCard | None, finding: str) -> FindingMapWorth | None:
    """None where maps of the model were never measured; a finding that the card does not count had no hit."""
    if maps is None:
        return None
    worth = maps.findings.get(finding, MapHits(0, 0, 0, 0))
    shown = None if worth.of < LEAST else _better(worth)
    return FindingMapWorth(Rate(worth.found, worth.of), Rate(worth.usual, worth.of), maps.measured, shown)


def _better(worth: MapHits) -> bool:
    """Whether the map beats the usual place on the hits that only one of them points to, by the exact sign test."""
    map_alone, usual_alone = worth.found - worth.both, worth.usual - worth.both
    n = map_alone + usual_alone
    at_least = sum(math.comb(n, heads) for heads in range(map_alone, n + 1))  # of 2 ** n ways that n coins fall
    return at_least <= CHANCE * (1 << n)


def map_words(worth: FindingMapWorth | None, finding: str) -> str:
    """What stands beside a map, or in its place where it may be no better than the finding's usual place."""
    known = f"How often a map of {finding} points to it is not known: it was"
    if worth is None:
        return f"{known} never measured on films on which its place is marked."
    if worth.shown is None:
        return f"{known} measured on fewer than {LEAST} hits (n {worth.found.n}; {worth.measured})."
    usual = f"its usual place alone in {worth.usual.hits} ({percent_text(worth.usual.value or 0)})"
    counted = (
        f"{worth.found.hits} of {worth.found.n} hits ({percent_rate_text(worth.found)}), {usual}; {worth.measured}."
    )
    if worth.shown:
        return f"A map of {finding} points to it in {counted}"
    return f"A map of {finding} may be no better than its usual place. It points to it in {counted}"


def brief_words(worth: FindingMapWorth | None) -> str:
    """The same for a legend."""
    if worth is None:
        return "how often such a map is correct was never measured"
    if worth.shown is None:
        return f"how often such a map is correct is not known: too few hits (n {worth.found.n})"
    usual = percent_text(worth.usual.value or 0)
    return f"correct in {percent_rate_text(worth.found)} of {worth.found.n} hits, its usual place in {usual}"


def method_words(method: HeatMethod) -> str:
    """The method as the legend names it."""
    if method.cam == "MaskHead":
        return "mask head"
    kind = f"{method.cam}, contrastive" if method.contrastive else method.cam
    return f"{kind}, {' and '.join(method.layers) or 'last feature map'}"


def map_unit(method: HeatMethod) -> str:
    """What a value of a classifier's map counts: the share of a cell that the finding covers, or logits."""
    return "share" if method.cam == "MaskHead" else "logit"


def alike_words(similarity: float | None) -> str:
    """What is said where the maps of a film's findings do not tell them apart."""
    if similarity is None or similarity <= ALIKE:
        return ""
    return f"On this film the maps that are shown are much alike (correlation {score_text(similarity)})."
