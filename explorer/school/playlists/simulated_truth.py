"""The truth about a simulated film, which is known completely."""

from __future__ import annotations

from typing import cast

from explorer.cohorts.schema import Label
from explorer.core.appearance_bands import Side
from explorer.school.playlists.truth import Truth
from explorer.simulator import ABNORMAL
from explorer.simulator.address import PhantomFilm
from explorer.simulator.packed_film import MaskByFinding
from explorer.simulator.request import NORMAL

SIMULATOR_SOURCE = "the simulator: exact"


def simulated_truth(film: PhantomFilm, masks: MaskByFinding | None = None, *, pair: int | None = None) -> Truth:
    """Return the truth about a film, with the given masks; `pair` is its index in a pair.

    As in the simulated cohort, Normal means that nothing was drawn, not even devices.
    """
    drawn = {each.finding: each for each in film.requests}
    present = drawn.keys() or {NORMAL}
    labels: dict[str, Label] = {
        finding: "present" if finding in present else "absent" for finding in (NORMAL, *ABNORMAL)
    }
    sides = {finding: cast(Side, each.side or "none") for finding, each in drawn.items()}
    return Truth(labels, SIMULATOR_SOURCE, sides, masks or {}, pair=pair)
