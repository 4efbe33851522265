"""Cells of the table as the script gets them."""

from __future__ import annotations

from explorer.analysis.intervals.intervals_job import IntervalsProgress
from explorer.analysis.performance.cell_intervals import CellInterval
from explorer.ui.explore.cell_payload import progress_payload
from tests.ui.three_centers import NAME


def test_an_interval_at_natural_prevalence_stands_beside_the_plain_one() -> None:
    known = CellInterval(0.5, (0.4, 0.6), 0, natural=CellInterval(0.3, (0.1, 0.45), 2, chance=0.004))
    (done,) = progress_payload(NAME, IntervalsProgress({("Mass", ""): known}, 1, complete=True))["done"]
    assert (done["value"], done["low"], done["high"]) == (0.5, 0.4, 0.6)
    assert done["natural"] == {"value": 0.3, "low": 0.1, "high": 0.45, "chance": 0.004}
