"""The gate's answer: whether a film may be read, why not, and what would help."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from models.films.amend import Remedy

CheckName = Literal[
    "provenance",
    "own capture",
    "body part",
    "lateral",
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
class VerdictDetails:
    """The evidence behind a verdict.

    `check` is the check that refused the film, None for a readable one; `advice` says what to do; `remedy` is the
    change after which the film should be tried again; `figures` are the measurements, each with its cut.
    """

    check: CheckName | None
    advice: str
    remedy: Remedy | None
    figures: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the model may read a film; `reason` is a sentence if it may not, otherwise empty.

    `cautions` are sentences about what may still mislead the model.
    """

    readable: bool
    reason: str
    details: VerdictDetails
    cautions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GateRefusal:
    """One check's objection."""

    check: CheckName
    reason: str
    advice: str
    remedy: Remedy | None = None


def readable_verdict(figures: Mapping[str, float], cautions: tuple[str, ...], remedy: Remedy | None = None) -> Verdict:
    """Return the verdict for a film without objections; `remedy` belongs to a caution."""
    return Verdict(True, "", VerdictDetails(None, "", remedy, MappingProxyType(dict(figures))), cautions)


def refused_verdict(refusal: GateRefusal, figures: Mapping[str, float], cautions: tuple[str, ...]) -> Verdict:
    """Return the verdict for a film that one check refused."""
    details = VerdictDetails(refusal.check, refusal.advice, refusal.remedy, MappingProxyType(dict(figures)))
    return Verdict(False, refusal.reason, details, cautions)
