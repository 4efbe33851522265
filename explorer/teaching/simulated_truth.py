"""What is true of a simulated film: everything."""

from __future__ import annotations

from typing import cast

from explorer.cohorts.schema import Label
from explorer.core.appearance_bands import Side
from explorer.core.findings import BESIDE_NORMAL
from explorer.phantom import ABNORMAL
from explorer.phantom.address import PhantomFilm, parse
from explorer.phantom.film_png import rendered
from explorer.phantom.request import NORMAL
from explorer.teaching.truth import Truth

SOURCE = "the simulator: the film was made with these findings and no others"


def simulated_truth(where: str, *, masks: bool = False) -> Truth:
    """The truth of the film of an address, with its masks where they are asked for. Raises WrongRequest."""
    film = parse(where)
    drawn = {each.finding: each for each in film.requests}
    labels: dict[str, Label] = {finding: "present" if finding in drawn else "absent" for finding in ABNORMAL}
    labels[NORMAL] = "present" if is_normal(film) else "absent"
    sides = {finding: cast(Side, each.side or "none") for finding, each in drawn.items()}
    return Truth(labels, SOURCE, sides, dict(rendered(where).masks) if masks else {})


def is_normal(film: PhantomFilm) -> bool:
    """Whether a film has no finding that Normal cannot stand beside."""
    return all(each.finding in BESIDE_NORMAL for each in film.requests)
