"""The groups of findings that models are compared over: seen, unseen and own ones, frequency groups, each center."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from explorer.analysis.leaderboard.joint_scores import JointScores
from explorer.core.findings import FINDINGS, TASKS, FrequencyGroup
from explorer.core.groups import default_group_source

Kind = Literal["seen", "without Normal", "group", "unseen", "own", "center"]
Groups = Mapping[str, FrequencyGroup | None]  # of each finding by a source; None where it says nothing
NORMAL, NOT_GROUPED = "Normal", "not grouped"
SEEN, ALL, OWN = "seen findings", "all findings", "own findings"


@dataclass(frozen=True, slots=True)
class Part:
    """Some findings, of all films or of one center's; `members` are their places.

    `films` have a known label of any member, `positives` any member present; `member_positives` are those of each
    member, in the order of `members`.
    """

    kind: Kind
    name: str
    members: tuple[int, ...]
    center: str | None
    films: int
    positives: int
    member_positives: tuple[int, ...]

    @property
    def fewest(self) -> int:
        """The positives of the member that has the fewest: a mean is no better founded than that."""
        return self.fewest_of(self.members)

    def fewest_of(self, counted: Collection[int]) -> int:
        """The same of those members alone that a mean counts; findings without positives are left out."""
        pairs = zip(self.members, self.member_positives, strict=True)
        return min((positives for place, positives in pairs if positives and place in counted), default=0)


def parts_of(joint: JointScores, groups: Groups) -> tuple[Part, ...]:
    """All seen findings with and without Normal, each frequency group of them, the unseen ones, those of the cohort
    alone, which no taxonomy has; then each center.
    """
    whole = tuple(_part(joint, kind, name, members) for kind, name, members in _kinds(joint.findings, groups))
    names = sorted(set(joint.centers.tolist()))
    if len(names) < 2:
        return whole
    first = whole[0]
    return (
        *whole,
        *(_part(joint.at(name), "center", first.name, first.members, name) for name in names),
    )


def _kinds(findings: Sequence[str], groups: Groups) -> Iterator[tuple[Kind, str, tuple[int, ...]]]:
    places = range(len(findings))
    named = tuple(place for place in places if findings[place] not in TASKS["unseen"])
    name = seen_name([findings[place] for place in named])
    own = tuple(place for place in named if name == SEEN and findings[place] not in FINDINGS)
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
        yield "own", OWN, own


def seen_name(findings: Sequence[str]) -> str:
    """What all findings but the unseen ones are called: of a cohort that has few of CXR-LT 2026's they are just all."""
    return SEEN if default_group_source(findings) == "paper" else ALL


def _part(joint: JointScores, kind: Kind, name: str, members: tuple[int, ...], center: str | None = None) -> Part:
    labels = joint.labels[:, members]
    counts = (labels == 1).sum(axis=0)
    return Part(
        kind=kind,
        name=name,
        members=members,
        center=center,
        films=int((~np.isnan(labels)).any(axis=1).sum()),
        positives=int((labels == 1).any(axis=1).sum()),
        member_positives=tuple(counts.tolist()),
    )
