"""Which group of findings, or which center, a panel is about: one of the board's parts, by a word of the address."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from explorer.analysis.leaderboard.groups import Part
from explorer.store.filter_kinds import as_word
from explorer.ui.shared.links import LinkState, center_id

WORD = "part"


class PartChoicePayload(TypedDict):
    """A part to choose: the address's word, empty for the first; its name; the center it is at, if any."""

    word: str
    name: str
    center: str | None


def part_choices(cohort: str, parts: Sequence[Part]) -> list[PartChoicePayload]:
    """The parts in their order."""
    return [
        {"word": _word(cohort, part) if place else "", "name": part.name, "center": part.center}
        for place, part in enumerate(parts)
    ]


def part_asked(cohort: str, parts: Sequence[Part], state: LinkState) -> tuple[int, dict[str, str], tuple[str, ...]]:
    """The place of the part that the address names, the first by default; its words; what had to be left out."""
    sent = state.get(WORD)
    if not sent:
        return 0, {}, ()
    for place, each in enumerate(part_choices(cohort, parts)):
        if each["word"] == sent:
            return place, {WORD: each["word"]}, ()
    return 0, {}, ("The link names a group of findings that is not among these. It was ignored.",)


def _word(cohort: str, part: Part) -> str:
    """A center's name is a visitor's: an id stands for it."""
    return as_word(part.name) if part.center is None else center_id(cohort, part.center)
