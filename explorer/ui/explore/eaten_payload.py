"""What the model called instead of the finding that it missed, as the script gets it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from explorer.eaten import Eaten, Eater
from explorer.rates import Rate
from explorer.ui.explore.film_line import film_lines
from explorer.ui.explore.links import word
from explorer.ui.explore.panel_words import Json, rate_payload
from explorer.ui.explore.services import Services


def eaten_payload(eaten: Eaten) -> Json:
    """The misses of a finding, and of every other finding how often it was called among them and anywhere."""
    return {
        "finding": eaten.finding,
        "word": word(eaten.finding),
        "misses": rate_payload(eaten.misses),
        "eaters": [_eater(eater) for eater in eaten.eaters],
    }


def both_payload(services: Services, cohort: str, eater: str, names: Sequence[str], most: int = 24) -> Json:
    """The films in which the finding was missed and the eater called: how many, and the first of them."""
    lines = film_lines(services, cohort, names[:most])
    return {"finding": eater, "word": word(eater), "total": len(names), "films": list(lines.values())}


def candidates_payload(candidates: tuple[tuple[str, Rate], ...], most: int = 8) -> list[Json]:
    """The findings with the most misses."""
    return [
        {"finding": finding, "word": word(finding), "misses": rate_payload(rate)} for finding, rate in candidates[:most]
    ]


def _eater(eater: Eater) -> Json:
    return {
        "finding": eater.finding,
        "word": word(eater.finding),
        "among": rate_payload(eater.among),
        "rest": rate_payload(eater.rest),
        "ratio": _ratio(eater),
    }


def _ratio(eater: Eater) -> Json:
    """How many times as often; null where it is not finite, which JSON has no number for."""
    low, high = eater.ratio_interval or (None, None)
    return {"value": eater.ratio, "low": low, "high": high if high is not None and math.isfinite(high) else None}
