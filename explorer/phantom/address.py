"""The address of a simulated film: all that its picture depends on, in one line of text.

`phantom://v1/B/41?Cardiomegaly=,0.30&Pleural+Effusion=left,0.62` is center B, seed 41 and two findings, each with its
side (empty where a finding has none) and its severity. Every film has one address, and every address is of one film.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from explorer.phantom.patient import checked
from explorer.phantom.request import Center, Request, WrongRequest, settle

START = "phantom://v1/"
_ADDRESS = re.compile(re.escape(START) + r"(?P<center>[AB])/(?P<seed>0|[1-9][0-9]{0,9})(\?(?P<requests>.+))?")
_REQUEST = re.compile(r"(?P<finding>[A-Za-z+]+)=(?P<side>[a-z]*),(?P<severity>0\.[0-9]{2}|1\.00)")
_REMEDY = f"An address reads like {START}B/41?Cardiomegaly=,0.30&Pleural+Effusion=left,0.62."


@dataclass(frozen=True, slots=True)
class PhantomFilm:
    """A simulated film; `requests` are settled, in the order of ABNORMAL, severities in hundredths."""

    center: Center
    seed: int
    requests: tuple[Request, ...]

    @property
    def case(self) -> str:
        """What the film is called in a cohort, for example B-000041: there a seed has one film."""
        return f"{self.center}-{self.seed:06d}"


def address(center: Center, seed: int, requests: Sequence[str | Request]) -> str:
    """The address of a film; a side or a severity that is not said is drawn from the seed, as `render` does.

    Severities are rounded to two decimals. Raises WrongRequest for a film that cannot be.
    """
    seed = checked(seed, center)
    return _written(center, seed, settle(seed, requests))


@lru_cache(maxsize=4096)  # a page of a cohort asks for the same ones again and again
def parse(text: str) -> PhantomFilm:
    """The film of an address; raises WrongRequest for any other text, also for one that is written another way."""
    found = _ADDRESS.fullmatch(text)
    if found is None:
        raise WrongRequest(f"{text[:200]!r} is not an address of a simulated film", _REMEDY)
    parts = found["requests"].split("&") if found["requests"] else []
    center, seed, asked = cast(Center, found["center"]), int(found["seed"]), [_request(part) for part in parts]
    settled = settle(checked(seed, center), asked)
    written = _written(center, seed, settled)
    if written != text:
        raise WrongRequest(f"{text[:200]!r} is not how the address is written", f"Write {written}.")
    return PhantomFilm(center, seed, settled)


def _written(center: Center, seed: int, settled: Sequence[Request]) -> str:
    said = "&".join(f"{each.finding.replace(' ', '+')}={each.side},{each.severity:.2f}" for each in settled)
    return f"{START}{center}/{seed}" + (f"?{said}" if said else "")


def _request(part: str) -> Request:
    found = _REQUEST.fullmatch(part)
    if found is None:
        raise WrongRequest(f"{part[:200]!r} is not a finding with its side and severity", _REMEDY)
    return Request(found["finding"].replace("+", " "), found["side"], float(found["severity"]))
