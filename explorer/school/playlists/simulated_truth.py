"""What is true of a simulated film that was made to order: everything."""

from __future__ import annotations

from typing import cast

from explorer.cohorts.schema import Label
from explorer.core.appearance_bands import Side
from explorer.school.playlists.truth import Truth
from explorer.simulator import ABNORMAL
from explorer.simulator.address import PhantomFilm
from explorer.simulator.packed_film import Masks
from explorer.simulator.request import NORMAL

EXACT = "the simulator: exact"


def simulated_truth(film: PhantomFilm, masks: Masks | None = None, *, pair: int | None = None) -> Truth:
    """The truth of a film, with masks where they are given; `pair`: its place in a pair.

    As in the simulated cohort Normal is the label of a film on which nothing was drawn, devices neither.
    """
    drawn = {each.finding: each for each in film.requests}
    there = drawn.keys() or {NORMAL}
    labels: dict[str, Label] = {finding: "present" if finding in there else "absent" for finding in (NORMAL, *ABNORMAL)}
    sides = {finding: cast(Side, each.side or "none") for finding, each in drawn.items()}
    return Truth(labels, EXACT, sides, masks or {}, pair=pair)
