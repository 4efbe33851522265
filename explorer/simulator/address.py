"""Addresses of simulated films: everything that a picture depends on, in one line of text.

`phantom://v1/B/41?Cardiomegaly=,0.30&Pleural+Effusion=left,0.62` means center B, seed 41 and two findings, each with
its side (empty if the finding has none) and its severity. Every film has exactly one address, and every address names
one film. v1 and v2 are drawing versions (see `explorer.simulator.version`): the shipped cohort uses the first, and new
films use the newest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import cast

from explorer.simulator.patient import check_seed
from explorer.simulator.request import Center, Request, WrongRequest, settle
from explorer.simulator.version import DRAWINGS, FIRST_DRAWING

ADDRESS_PREFIXES = tuple(f"phantom://v{drawing}/" for drawing in DRAWINGS)
_ADDRESS = re.compile(
    rf"phantom://v(?P<drawing>[{''.join(map(str, DRAWINGS))}])/"
    r"(?P<center>[AB])/(?P<seed>0|[1-9][0-9]{0,9})(\?(?P<requests>.+))?"
)
_REQUEST = re.compile(r"(?P<finding>[A-Za-z+]+)=(?P<side>[a-z]*),(?P<severity>0\.[0-9]{2}|1\.00)")
_REMEDY = f"An address reads like {ADDRESS_PREFIXES[0]}B/41?Cardiomegaly=,0.30&Pleural+Effusion=left,0.62."


@dataclass(frozen=True, slots=True)
class PhantomFilm:
    """A simulated film; `requests` are resolved, in the order of ABNORMAL, with severities in hundredths."""

    center: Center
    seed: int
    requests: tuple[Request, ...]
    drawing: int = FIRST_DRAWING

    @property
    def address(self) -> str:
        """The film's unique address."""
        return _address_text(self)

    @property
    def twin(self) -> PhantomFilm:
        """The same patient without findings."""
        return replace(self, requests=())

    @property
    def case(self) -> str:
        """The film's name in a cohort, for example B-000041; a cohort has one film per seed."""
        return f"{self.center}-{self.seed:06d}"


def make_address(center: Center, seed: int, requests: Sequence[str | Request], drawing: int = FIRST_DRAWING) -> str:
    """Return the address of a film; unstated sides and severities are drawn from the seed, as in `render`.

    Severities are rounded to two decimals. Raises WrongRequest for an impossible film.
    """
    seed = check_seed(seed, center)
    return PhantomFilm(center, seed, settle(seed, requests, drawing), drawing).address


@lru_cache(maxsize=4096)  # a cohort's page parses the same addresses again and again
def parse_film_address(text: str) -> PhantomFilm:
    """Return the film at an address; raises WrongRequest for any other text, including non-canonical spellings."""
    found = _ADDRESS.fullmatch(text)
    if found is None:
        raise WrongRequest(f"{text[:200]!r} is not an address of a simulated film", _REMEDY)
    parts = found["requests"].split("&") if found["requests"] else []
    center, seed, asked = cast(Center, found["center"]), int(found["seed"]), [_request(part) for part in parts]
    drawing = int(found["drawing"])
    film = PhantomFilm(center, seed, settle(check_seed(seed, center), asked, drawing), drawing)
    if film.address != text:
        raise WrongRequest(f"{text[:200]!r} is not the canonical address of the film", f"Write {film.address}.")
    return film


def _address_text(film: PhantomFilm) -> str:
    said = "&".join(f"{each.finding.replace(' ', '+')}={each.side},{each.severity:.2f}" for each in film.requests)
    return f"{ADDRESS_PREFIXES[film.drawing - FIRST_DRAWING]}{film.center}/{film.seed}" + (f"?{said}" if said else "")


def _request(part: str) -> Request:
    found = _REQUEST.fullmatch(part)
    if found is None:
        raise WrongRequest(f"{part[:200]!r} is not a finding with its side and severity", _REMEDY)
    return Request(found["finding"].replace("+", " "), found["side"], float(found["severity"]))
