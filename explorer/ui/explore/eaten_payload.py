"""What the model called instead of the finding that it missed, as the script gets it."""

from __future__ import annotations

import math

from explorer.analysis.confusions import Eaten, Eater
from explorer.core.rates import Rate
from explorer.ui.explore.links import word
from explorer.ui.explore.panel_words import Json, rate_payload


def eaten_payload(eaten: Eaten) -> Json:
    """The misses of a finding, and of every other finding how often it was called among them and anywhere."""
    return {
        "finding": eaten.finding,
        "word": word(eaten.finding),
        "misses": rate_payload(eaten.misses),
        "eaters": [_eater(eater) for eater in eaten.eaters],
    }


def candidates_payload(candidates: tuple[tuple[str, Rate], ...], most: int = 8) -> Json:
    """The findings with the most misses, and how many positives there are at all."""
    missed = [(finding, rate) for finding, rate in candidates if rate.hits]
    return {
        "positives": sum(rate.n for _, rate in candidates),
        "candidates": [
            {"finding": finding, "word": word(finding), "misses": rate_payload(rate)} for finding, rate in missed[:most]
        ],
    }


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
