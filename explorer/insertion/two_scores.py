"""What one model says of a film with a simulated finding and without it, in words."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.core.figures import score_text

_CALLS = {
    (True, True): "Flagged with it and without it",
    (True, False): "Flagged with it, not without it",
    (False, True): "Flagged without it, not with it",
    (False, False): "Not flagged, with it or without it",
}


@dataclass(frozen=True, slots=True)
class TwoScores:
    """The scores of a film with a finding and without; both are missing if the model does not look for the finding."""

    model: str
    finding: str
    score: float | None = None
    without: float | None = None
    threshold: float | None = None
    judged: bool = True

    @property
    def says(self) -> str:
        """Both scores and whether each is flagged, in a short line."""
        if self.score is None or self.without is None:
            return f"{self.model} does not look for {self.finding}."
        if not self.judged:
            return f"{self.model} cannot judge {self.finding}."
        said = f"{self.model}: score {score_text(self.score)}, without it {score_text(self.without)}. "
        if self.threshold is None:
            return said + "It has no threshold."
        call = _CALLS[self.score >= self.threshold, self.without >= self.threshold]
        return f"{said}{call} (threshold {score_text(self.threshold)})."


def flagged_meaning(threshold: float | None, uncertain_below: float | None) -> str:
    """Return what "flagged" means here where Read's list calls such scores uncertain; else nothing."""
    if threshold is None or uncertain_below is None:
        return ""
    ends = f"{score_text(threshold)} to {score_text(uncertain_below)}"
    return f"Flagged here means that the score reaches the threshold; the list calls scores from {ends} uncertain."
