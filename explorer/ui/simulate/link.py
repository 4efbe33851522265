"""Links from a simulated film to Simulate, with its truth, masks and twin."""

from __future__ import annotations

from typing import TypedDict

from explorer.simulator.address import parse_film_address
from explorer.simulator.film_png import film_of_mark
from explorer.simulator.version import FIRST_DRAWING


def simulate_link(address: str) -> str:
    """The link that simulates the film of a valid address."""
    film = parse_film_address(address)
    _, _, requests = address.partition("?")
    version = (
        f"&version={film.drawing}" if film.drawing > FIRST_DRAWING else ""
    )  # links of the first version carry none
    return f"#simulate?center={film.center}&seed={film.seed}{version}" + (f"&{requests}" if requests else "")


class MadeAsPayload(TypedDict):
    """The name of a simulated film, and the link that simulates it."""

    case: str
    link: str


def made_as_payload(mark: str) -> MadeAsPayload | None:
    """The name of and the link to the film that a file claims to be; None if it claims nothing.

    The link reveals the film's findings, so show it only if they may be seen.
    """
    made = film_of_mark(mark)
    return None if made is None else {"case": made[1].case, "link": simulate_link(made[0])}
