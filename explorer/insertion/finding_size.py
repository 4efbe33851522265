"""How large a finding is: a severity alone tells nobody."""

from __future__ import annotations

from functools import lru_cache

from explorer.core.figures import fixed, percent_text, score_text
from explorer.insertion.insertable import FOCAL
from explorer.insertion.insertion import simulated_change, simulated_patient
from explorer.simulator.finding_change import diameter


def severity_words(finding: str, side: str, severity: float, seed: int = 1) -> str:
    """Return the severity in words, and with a focal finding its diameter in its simulated patient.

    In a film it is as much larger as the film's lung is taller.
    """
    words = f"severity {score_text(severity)}"
    return f"{words} ({fixed(_diameter(finding, side, severity, seed), 1)} cm)" if finding in FOCAL else words


def size_words(finding: str, side: str, severity: float, seed: int = 1) -> str:
    """Return a sentence on how large a finding of this severity is in its simulated patient.

    A focal one has a diameter; another covers a share of the lung's outline.
    """
    if finding in FOCAL:
        across = fixed(_diameter(finding, side, severity, seed), 1)
        return f"a {finding.lower()} about {across} cm across in its simulated patient."
    share = percent_text(_share_of_lung(finding, side, severity, seed))
    return f"{finding.lower()} over about {share} of the {side} lung in its simulated patient."


@lru_cache(maxsize=256)
def _share_of_lung(finding: str, side: str, severity: float, seed: int) -> float:
    change = simulated_change(finding, side, severity, seed)
    return float((change.mask & change.lung).sum() / change.lung.sum())


@lru_cache(maxsize=256)
def _diameter(finding: str, side: str, severity: float, seed: int) -> float:
    return diameter(simulated_patient(seed), simulated_change(finding, side, severity, seed))
