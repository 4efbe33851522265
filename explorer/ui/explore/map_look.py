"""The CSS colors of a map's entries: outcomes as elsewhere on the page, groups along a scale."""

from __future__ import annotations

from explorer.analysis.film_maps.map_colors import RAREST_FIRST, LegendEntry, MapColor
from explorer.core.outcomes import OUTCOMES
from explorer.store.filter_kinds import as_word
from explorer.ui.shared.chart_look import EXTRA_MODEL_COLOR, MODEL_COLORS
from explorer.ui.shared.theme import MUTED

_GROUPS = dict(zip(RAREST_FIRST, ("#fde725", "#7ad151", "#22a884", "#5b86c9", MUTED), strict=True))
_OUTCOMES = {each: MUTED if "correct" in each else f"var(--{as_word(each)})" for each in OUTCOMES}
_NAMED = {str(name): color for name, color in (*_GROUPS.items(), *_OUTCOMES.items())}


def css_color(by: MapColor, entry: LegendEntry, place: int) -> str:
    """The color of the entry at this index."""
    if by == "center" and entry.value is not None:
        return MODEL_COLORS[place] if place < len(MODEL_COLORS) else EXTRA_MODEL_COLOR
    return _NAMED.get(entry.name, EXTRA_MODEL_COLOR)
