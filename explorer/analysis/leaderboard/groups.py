"""Groups of findings for comparing models: seen, unseen, the cohort's own, by frequency, and by center."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from explorer.core.findings import FINDINGS, TASKS, FrequencyGroup
from explorer.core.groups import default_group_source

PartKind = Literal["seen", "without Normal", "group", "unseen", "own", "center"]
FrequencyGroups = Mapping[str, FrequencyGroup | None]  # by finding, from one source; None: the source does not group it
NORMAL, NOT_GROUPED = "Normal", "not grouped"
SEEN_NAME, ALL_NAME, OWN_NAME = "seen findings", "all findings", "own findings"


@dataclass(frozen=True, slots=True)
class BoardPart:
    """A group of findings, over all films or one center's; `members` are indices of findings.

    `films` counts films with a known label of any member, `positives` films with any member present;
    `member_positives` counts them per member.
    """

    kind: PartKind
    name: str
    members: tuple[int, ...]
    center: str | None
    films: int
    positives: int
    member_positives: tuple[int, ...]

    def at_least(self, minimum: int) -> tuple[int, ...]:
        """Return the members with at least `minimum` positives."""
        pairs = zip(self.members, self.member_positives, strict=True)
        return tuple(place for place, positives in pairs if positives >= minimum)

    @property
    def fewest(self) -> int:
        """Positives of the rarest member, which limit the precision of a mean."""
        return self.fewest_of(self.members)

    def fewest_of(self, counted: Collection[int]) -> int:
        """Return the positives of the rarest counted member that has any."""
        pairs = zip(self.members, self.member_positives, strict=True)
        return min((positives for place, positives in pairs if positives and place in counted), default=0)


def board_parts(
    findings: Sequence[str], labels: NDArray[np.int8], ranges: Mapping[str | None, slice], groups: FrequencyGroups
) -> tuple[BoardPart, ...]:
    """Return the groups: all seen findings with and without Normal, frequency groups, unseen, own; then each center.

    Own findings are the cohort's findings that are in no taxonomy. `labels` are (findings, n), -1 unknown; a
    center's films are a range of them.
    """
    whole = tuple(_part(labels, kind, name, members) for kind, name, members in _kinds(findings, groups))
    first = whole[0]
    centers = ((center, rows) for center, rows in ranges.items() if center is not None)
    return (
        *whole,
        *(_part(labels[:, rows], "center", first.name, first.members, center) for center, rows in centers),
    )


def _kinds(findings: Sequence[str], groups: FrequencyGroups) -> Iterator[tuple[PartKind, str, tuple[int, ...]]]:
    places = range(len(findings))
    named = tuple(place for place in places if findings[place] not in TASKS["unseen"])
    name = seen_name([findings[place] for place in named])
    own = tuple(place for place in named if name == SEEN_NAME and findings[place] not in FINDINGS)
    seen = tuple(place for place in named if place not in own)
    if seen:
        yield "seen", name, seen
    abnormal = tuple(place for place in seen if findings[place] != NORMAL)
    if 0 < len(abnormal) < len(seen):
        yield "without Normal", "without Normal", abnormal
    for group in (*(each for each in FrequencyGroup if each is not FrequencyGroup.NORMAL), None):
        members = tuple(place for place in abnormal if groups[findings[place]] is group)
        if members and members != abnormal:
            yield "group", group or NOT_GROUPED, members
    rest = tuple(place for place in places if findings[place] in TASKS["unseen"])
    if rest:
        yield "unseen", "unseen findings", rest
    if own:
        yield "own", OWN_NAME, own


def seen_name(findings: Sequence[str]) -> str:
    """Return the name of the group of all but unseen findings; "all findings" if few belong to CXR-LT 2026."""
    return SEEN_NAME if default_group_source(findings) == "paper" else ALL_NAME


def _part(
    labels: NDArray[np.int8], kind: PartKind, name: str, members: tuple[int, ...], center: str | None = None
) -> BoardPart:
    labels = labels[list(members)]
    counts = (labels == 1).sum(axis=1)
    return BoardPart(
        kind=kind,
        name=name,
        members=members,
        center=center,
        films=int((labels >= 0).any(axis=0).sum()),
        positives=int((labels == 1).any(axis=0).sum()),
        member_positives=tuple(counts.tolist()),
    )
