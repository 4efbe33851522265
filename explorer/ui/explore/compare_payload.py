"""Two slices side by side as the script gets them."""

from __future__ import annotations

from explorer.analysis.compare import Compared, Difference, Figure, Pair
from explorer.store.filter_kinds import as_word
from explorer.ui.explore.panel_words import Json, bounds


def compared_payload(compared: Compared) -> Json:
    """Counts, and three measures of each finding that both slices have."""
    return {
        "counts": [{"pairs": count.pairs, "films": count.films} for count in (compared.one, compared.other)],
        "films": list(compared.films),
        "shared": compared.shared,
        "pairs": [_pair(pair) for pair in compared.pairs],
        "left_out": list(compared.left_out),
        "computing": not compared.intervals,
    }


def _pair(pair: Pair) -> Json:
    return {
        "finding": pair.finding,
        "word": as_word(pair.finding),
        "measure": pair.measure,
        "one": _figure(pair.one),
        "other": _figure(pair.other),
        "difference": _difference(pair.difference),
    }


def _figure(figure: Figure) -> Json:
    return {"value": figure.value, "n": figure.n} | bounds(figure.interval)


def _difference(difference: Difference) -> Json:
    return {"value": difference.value, "differs": difference.excludes_zero} | bounds(difference.interval)
