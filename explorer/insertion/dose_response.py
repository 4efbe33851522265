"""How a model's score follows the severity of a finding: one film, one simulated finding at a fixed place, swept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from explorer.core.figures import score_text
from models.anatomy import Anatomy
from models.radiograph import Radiograph

if TYPE_CHECKING:  # these bring SciPy, which the page's start does without
    from explorer.insertion.insertion import Insertion
    from explorer.insertion.rescored import Score

SEVERITIES = tuple(step / 10 for step in range(11))


@dataclass(frozen=True, slots=True)
class DoseResponse:
    """A film's scores with a finding, by severity in rising order, and its score without the finding.

    Severity 0 is a subtle finding, not a missing one.
    """

    severities: tuple[float, ...]
    scores: tuple[float, ...]
    without: float

    def crossing(self, threshold: float) -> float | None:
        """Return the severity from which on every score reaches the threshold; None if the last one does not."""
        found = None
        for severity, score in zip(reversed(self.severities), reversed(self.scores), strict=True):
            if score < threshold:
                break
            found = severity
        return found

    def flagged(self, threshold: float) -> int:
        """Return at how many severities the finding is flagged."""
        return sum(score >= threshold for score in self.scores)


def dose_response(
    film: Radiograph, outlines: Anatomy, wanted: Insertion, score: Score, severities: Sequence[float] = SEVERITIES
) -> DoseResponse:
    """Return the scores of a film with a finding at these severities; that of `wanted` does not matter.

    Raises NoLungs, NoLung, NoContrast, NotInsertable.
    """
    without, *swept = map(float, score([film, *swept_films(film, outlines, wanted, severities)]))
    return DoseResponse(tuple(severities), tuple(swept), without)


def swept_films(
    film: Radiograph, outlines: Anatomy, wanted: Insertion, severities: Sequence[float] = SEVERITIES
) -> list[Radiograph]:
    """Return the film with the finding at each severity, at the same place. Raises as `dose_response` does."""
    from explorer.insertion.insertion import Lungs, insert, with_fixed_place

    lungs = Lungs.outlined(outlines, film)
    placed = with_fixed_place(lungs, wanted)
    return [
        replace(film, pixels=insert(film.pixels, lungs, replace(placed, severity=severity)).film)
        for severity in severities
    ]


def sweep_words(found: DoseResponse, threshold: float | None) -> str:
    """Return sentences about the severities at which the finding is flagged, and whether the film is without it."""
    if threshold is None:
        return "No threshold is known."
    without = " The film is flagged without it, too." if found.without >= threshold else ""
    return crossing_words(found, threshold) + without


def crossing_words(found: DoseResponse, threshold: float) -> str:
    """Return a sentence about the severities at which the finding is flagged."""
    lowest, highest = (score_text(each) for each in (found.severities[0], found.severities[-1]))
    crossing, flagged, tried = found.crossing(threshold), found.flagged(threshold), len(found.scores)
    if not flagged:
        return f"Not flagged at any severity from {lowest} to {highest}."
    if flagged == tried:
        return f"Flagged at every severity from {lowest} to {highest}."
    if crossing is None or found.severities.index(crossing) != tried - flagged:
        return f"Flagged at {flagged} of {tried} severities, not only at the highest ones."
    return f"Flagged from severity {score_text(crossing)} on."
