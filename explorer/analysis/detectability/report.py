"""What a model detects of inserted findings, possibly beside a second model, and the sentences that say so."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from explorer.analysis.detectability.flagged import (
    ZONE,
    FlaggedGroup,
    apart,
    flagged,
    flagged_groups,
    labeled_flagged,
    lacks_heart,
    model_difference,
)
from explorer.analysis.detectability.severity_curve import SeverityCurve, severity_curve
from explorer.analysis.detectability.trials import Trials, in_common, read_trials
from explorer.analysis.leaderboard.joint_scores import compared_films
from explorer.analysis.leaderboard.picked_films import picked_notes, picked_words
from explorer.core.figures import Estimate, difference_text, fixed, percent_rate_text
from explorer.core.rates import Rate
from explorer.core.word_lists import quantity
from explorer.insertion.believable import believable_words, is_believable
from explorer.insertion.insertable import FOCAL, HEART_PLACES_PER_FILM, PLACES_PER_FILM
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.store import Store

USUAL_SEVERITY = 0.6  # in the middle: whether to believe a finding may be measured at another, which is then named
NEVER = "never"
HEART_NOT_MEASURED = "Places over the heart were not measured: these scores are of an earlier version."


@dataclass(frozen=True, eq=False)
class Detectability:
    """The trials of a model, and the same trials of a second model, if there is one."""

    chosen: Slice
    simulated: bool  # the films, too
    trials: Trials
    labeled: Mapping[str, Rate]  # films labeled with a finding that the model flags, if there are any, by finding
    other: Trials | None = None

    @property
    def findings(self) -> tuple[str, ...]:
        """The inserted findings that every model scored."""
        there = set(self.trials.finding.tolist())
        return tuple(name for place, name in enumerate(self.trials.findings) if place in there)

    @cached_property
    def curves(self) -> Mapping[str, SeverityCurve]:
        """The curve of each finding, counted once."""
        return {finding: severity_curve(self.trials, finding) for finding in self.findings}


def detectability(store: Store, chosen: Slice, model: str, other: str | None = None) -> Detectability:
    """Return a model's trials on the films of a slice, with a second model on those that both scored.

    Raises NoComparison if a model has none, or they share none, and the store's errors.
    """
    trials, second = read_trials(store, chosen, model), None
    if other is not None:
        trials, second = in_common(trials, read_trials(store, chosen, other))
    labeled = labeled_flagged(compared_films(store, chosen, (model,)), trials)
    return Detectability(chosen, store.is_simulated(chosen.cohort), trials, labeled, second)


def usual_severity(found: Detectability, finding: str) -> float:
    """Return the severity of a finding that is shown first: the one nearest to USUAL_SEVERITY."""
    return min(found.trials.severities(finding), key=lambda severity: abs(severity - USUAL_SEVERITY))


def title(found: Detectability) -> str:
    """Return which model was measured on which films."""
    trials = found.trials
    films = quantity(len(set(trials.film.tolist())), "film")
    return f"{trials.model} on SIMULATED findings inserted into {picked_words(found.chosen)}: {films} without findings"


def sentences(found: Detectability, finding: str, severity: float) -> Iterator[str]:
    """Yield what was found for a finding: the share flagged, where, from which severity on, and by a second model."""
    at = found.trials.about(finding, severity)
    count, model = flagged(at), found.trials.model
    focal = f" at {quantity(len(at.film), 'place')}" if finding in FOCAL else ""
    yield (
        f"{finding}, severity {fixed(severity, 1)}: {model} flags {percent_rate_text(count.inserted)} of inserted ones"
        f"{focal} in {quantity(count.without.n, 'film')}. Without one, it flags {percent_rate_text(count.without)} of "
        "these films."
    )
    if finding in found.labeled:
        real = found.labeled[finding]
        yield f"Of films labeled {finding}, it flags {percent_rate_text(real)} (n {real.n:,})."
    if found.other is not None:
        both = found.other.about(finding, severity)
        second = flagged(both)
        yield (
            f"{found.other.model} flags {percent_rate_text(second.inserted)} of the same ones, a difference of "
            f"{points_text(model_difference(at, both))} percentage points. Without one, it flags "
            f"{percent_rate_text(second.without)} of these films."
        )
    zones = [each for each in flagged_groups(at) if each.by == ZONE]
    if zones:
        yield _zone_words(found, finding, severity, zones)
    yield half_words(found.curves[finding])
    yield trust_words(found, finding)


def half_words(curve: SeverityCurve) -> str:
    """Return from which severity on half of the findings are flagged."""
    if math.isinf(curve.half.value):
        return f"{curve.finding}: at no severity are half flagged."
    return f"{curve.finding}: half are flagged from severity {half_text(curve.half)} on."


def half_text(half: Estimate) -> str:
    """Return a severity with its interval, of which an end may be "never"."""
    if math.isinf(half.value):
        return NEVER
    low, high = (NEVER if math.isinf(end) else fixed(end) for end in (half.low, half.high))
    return f"{fixed(half.value)} [{low}\N{EN DASH}{high}]"


def points_text(difference: Estimate) -> str:
    """Return a difference of two shares in percentage points."""
    return difference_text(100 * difference.value, 100 * difference.low, 100 * difference.high, digits=0)


def trust_words(found: Detectability, finding: str) -> str:
    """Return whether the model was shown to see such an inserted finding as it sees others."""
    words = believable_words(found.trials.model, finding, simulated=found.simulated)
    return f"The films are SIMULATED, too. {words}" if found.simulated else words


def doubt_words(found: Detectability) -> str:
    """Return a sentence that names the findings that are not validated; empty if all are."""
    model, simulated = found.trials.model, found.simulated
    doubted = [each for each in found.findings if not is_believable(model, each, simulated=simulated)]
    return f"Not validated for {model}: {', '.join(doubted)}." if doubted else ""


def notes(found: Detectability) -> Iterator[str]:
    """Yield how the figures are computed."""
    yield "SIMULATED FINDINGS, inserted one at a time, each film with those of another simulated patient."
    yield from picked_notes(found.chosen)
    yield f"The films are {found.trials.split}."
    heart = "" if lacks_heart(found.trials) else f" and {HEART_PLACES_PER_FILM} over the heart"
    yield (
        f"Nodules and masses are put at up to {PLACES_PER_FILM} places over both lungs{heart}; other findings are "
        "where they are in their simulated patient, on one side. Severity 0 is subtle, 1 obvious."
    )
    yield (
        "Flagged: the score reaches the threshold of the model's card. 95 % intervals count all places and films of a "
        "patient together. A film's score is the mean over its places; bands are quartiles of films."
    )
    if found.other is not None:
        yield "Two models are compared on the same inserted findings, each at its own threshold."


def _where(zone: str) -> str:
    return zone if zone.startswith(("over", "below", "outside")) else f"in the {zone}"


def _zone_words(found: Detectability, finding: str, severity: float, zones: list[FlaggedGroup]) -> str:
    order = sorted(zones, key=lambda each: each.flagged.inserted.value or 0.0)
    least, most = order[0], order[-1]
    difference = apart(found.trials.about(finding, severity), ZONE, most.name, least.name)
    doubt = "" if difference.low > 0 else " This may be chance."
    most_text, least_text = (
        f"{_where(each.name)}, {percent_rate_text(each.flagged.inserted)} (n {each.flagged.inserted.n:,})"
        for each in (most, least)
    )
    heart = f" {HEART_NOT_MEASURED}" if lacks_heart(found.trials.about(finding)) else ""
    return f"Most often {most_text}; least often {least_text}.{doubt}{heart}"
