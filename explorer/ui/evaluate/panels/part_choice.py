"""The choice of a panel's group of findings or center, by an address word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from explorer.analysis.leaderboard.groups import BoardPart
from explorer.store.filter_kinds import as_word
from explorer.ui.shared.links import LinkState, center_id

PART_WORD = "part"


class PartChoicePayload(TypedDict):
    """A selectable part: its address word, empty for the first; its name; its center, if any."""

    word: str
    name: str
    center: str | None


def part_choices(cohort: str, parts: Sequence[BoardPart]) -> list[PartChoicePayload]:
    """Return the parts in their order."""
    return [
        {"word": _word(cohort, part) if place else "", "name": part.name, "center": part.center}
        for place, part in enumerate(parts)
    ]


def requested_part(
    cohort: str, parts: Sequence[BoardPart], state: LinkState
) -> tuple[int, dict[str, str], tuple[str, ...]]:
    """Return the index of the address's part, by default 0; its address words; complaints."""
    sent = state.get(PART_WORD)
    if not sent:
        return 0, {}, ()
    for place, each in enumerate(part_choices(cohort, parts)):
        if each["word"] == sent:
            return place, {PART_WORD: each["word"]}, ()
    return 0, {}, ("The link names a group of findings that is not among these. It was ignored.",)


def _word(cohort: str, part: BoardPart) -> str:
    """Return a part's address word; a center is replaced by an id, because its name may be a visitor's."""
    return as_word(part.name) if part.center is None else center_id(cohort, part.center)
