"""From a simulated film to Simulate, where its truth, its masks and its twin are."""

from __future__ import annotations

from typing import TypedDict

from explorer.simulator.address import parse
from explorer.simulator.film_png import made_as
from explorer.simulator.version import FIRST


def simulate_link(address: str) -> str:
    """Where on the page the film of a valid address is simulated."""
    film = parse(address)
    _, _, requests = address.partition("?")
    version = f"&version={film.drawing}" if film.drawing > FIRST else ""  # the first one's links were made without
    return f"#simulate?center={film.center}&seed={film.seed}{version}" + (f"&{requests}" if requests else "")


class MadeAsPayload(TypedDict):
    """The name of a film of the simulator, and where on the page it is simulated."""

    case: str
    link: str


def made_as_payload(mark: str) -> MadeAsPayload | None:
    """Name of and link to the film that a file says it is; None where it names none.

    The link tells the film's findings: it is for those who may see them.
    """
    made = made_as(mark)
    return None if made is None else {"case": made[1].case, "link": simulate_link(made[0])}
