"""What the gate says of a film: read it or not, why, and what would help."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from models.films.amend import Remedy

Check = Literal[
    "provenance",
    "own capture",
    "body part",
    "view",
    "color",
    "blank",
    "noise",
    "inverted",
    "turned",
    "document",
    "not a frontal chest film",
]


@dataclass(frozen=True, slots=True)
class Details:
    """What stands behind a verdict.

    `check` is the one that refused, None for a readable film; `advice` says what to do; `remedy` is the change after
    which the film is worth another look; `figures` are what was measured, each beside the cut it was held against.
    """

    check: Check | None
    advice: str
    remedy: Remedy | None
    figures: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the model may read a film; `reason` is a sentence where it may not and empty where it may.

    `cautions` are sentences on what may mislead the model all the same.
    """

    readable: bool
    reason: str
    details: Details
    cautions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GateRefusal:
    """One check's objection."""

    check: Check
    reason: str
    advice: str
    remedy: Remedy | None = None


def readable(figures: Mapping[str, float], cautions: tuple[str, ...], remedy: Remedy | None = None) -> Verdict:
    """The verdict of a film that nothing was found against; `remedy` is the way on that a caution offers."""
    return Verdict(True, "", Details(None, "", remedy, MappingProxyType(dict(figures))), cautions)


def refused(refusal: GateRefusal, figures: Mapping[str, float], cautions: tuple[str, ...]) -> Verdict:
    """The verdict of a film that one check objected to."""
    details = Details(refusal.check, refusal.advice, refusal.remedy, MappingProxyType(dict(figures)))
    return Verdict(False, refusal.reason, details, cautions)
