"""How large a finding of a severity is, in words."""

from __future__ import annotations

import re

import numpy as np
import pytest

from explorer.insertion.finding_size import severity_words, size_words
from explorer.insertion.insertable import ALONG_THE_LUNG
from explorer.insertion.insertion import simulated_change


@pytest.mark.parametrize(("finding", "least", "most"), [("Nodule", 0.8, 3.0), ("Mass", 3.0, 8.0)])
def test_a_focal_finding_has_a_diameter_that_grows(finding: str, least: float, most: float) -> None:
    """A nodule has at most 3 cm and a mass more (Fleischner Society glossary, Hansell et al. 2008)."""
    across = []
    for severity in (0.1, 0.5, 0.9):
        words = size_words(finding, "right", severity)
        found = re.fullmatch(rf"a {finding.lower()} about (\d\.\d) cm across in its simulated patient\.", words)
        assert found
        assert f"({found[1]} cm)" in severity_words(finding, "right", severity)
        across.append(float(found[1]))
    assert across == sorted(across) and least <= across[0] < across[-1] <= most


@pytest.mark.parametrize("finding", ALONG_THE_LUNG)
def test_another_finding_covers_a_share_of_the_lung(finding: str) -> None:
    change = simulated_change(finding, "left", 0.6, 1)
    share = 100 * np.logical_and(change.mask, change.lung).sum() / change.lung.sum()
    words = size_words(finding, "left", 0.6)
    found = re.fullmatch(rf"{finding.lower()} over about (\d+) % of the left lung in its simulated patient\.", words)
    assert found and abs(float(found[1]) - share) <= 0.5
