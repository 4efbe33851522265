"""Writes the report of a simulated film from its exact findings, as a radiologist may who misses and doubts some.

What a report says is drawn first (`said`), then how it says it, in one of three styles. So the loss of a labeler (label
against `said`) and that of reporting (`said` against the film) can be told apart. The shares of what is missed and
doubted are those of `training_labels` and `hedged_findings`; the others are choices of ours.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from explorer.simulator.cohort_sampling import MISSED_SHARE, SampledCase
from explorer.simulator.draws import draws
from explorer.simulator.hedging import LOOK_ALIKES, hedged_findings
from explorer.simulator.request import ABNORMAL, NORMAL

Style = Literal["telegraphic", "narrative", "structured"]
SaidState = Literal["present", "absent", "uncertain"]
STYLES: tuple[Style, ...] = get_args(Style)
RESOLVED_SHARE = 0.05  # of denials that say that an earlier finding has resolved
COMPARED_SHARE = 0.25  # of findings that are compared with an earlier film
_SIDES = {"both": "bilateral"}
_DOUBTS = (
    "Possible {}.",
    "Questionable {}.",
    "{} cannot be excluded.",
    "Appearances may represent {}.",
    "{} is suspected.",
    "Probable {}.",
)
_COMPARED = ("Unchanged {}.", "{}, increased since the prior film.", "No significant change in the {}.", "Stable {}.")
_INDICATIONS = (
    "Chest pain.",
    "Shortness of breath, rule out pneumonia.",
    "History of pneumothorax.",
    "Follow-up of mass.",
)
_NOTHING = {
    "telegraphic": "No acute cardiopulmonary disease.",
    "narrative": "There is no acute cardiopulmonary abnormality.",
    "structured": "SUMMARY: Normal chest radiograph.",
}


@dataclass(frozen=True, slots=True)
class SimulatedReport:
    """A report and what its writer meant by it; a finding that is not in `said` is not mentioned."""

    text: str
    style: Style
    said: Mapping[str, SaidState]


def write_report(case: SampledCase, style: Style | None = None) -> SimulatedReport:
    """Return the report of a film; the same film always has the same one. `style` None: drawn from the seed."""
    random = draws(case.film.seed, "report text")
    drawn = STYLES[int(random.integers(len(STYLES)))]
    said = _said(case)
    chosen = style or drawn
    return SimulatedReport(_text(case, said, chosen, random), chosen, said)


def _said(case: SampledCase) -> dict[str, SaidState]:
    """Draw what the report says: it misses a share of the findings, doubts subtle ones and denies some absent ones."""
    noted = {name for name in case.findings if draws(case.film.seed, "report", name).uniform() >= MISSED_SHARE}
    doubted = hedged_findings(case) - {NORMAL}
    said: dict[str, SaidState] = {}
    for name in ABNORMAL:
        if name in doubted:
            said[name] = "uncertain"
        elif name in noted:
            said[name] = "present"
        elif draws(case.film.seed, "denied", name).uniform() < _denied_share(name):
            said[name] = "absent"
    if "present" not in said.values() and "uncertain" not in said.values():
        said[NORMAL] = "present"
    return said


def _text(case: SampledCase, said: Mapping[str, SaidState], style: Style, random: np.random.Generator) -> str:
    sentences = [(_words()[name]["organ"], each) for name, each in _sentences(case, said, random)]
    last = [_NOTHING[style]] if said.get(NORMAL) else []
    if style == "structured":
        organs = dict.fromkeys(organ for organ, _ in sentences)
        lines = [f"{organ}: {' '.join(each for where, each in sentences if where == organ)}" for organ in organs]
        return "\n".join([*lines, *last]) + "\n"
    body = [each for _, each in sentences]
    if style == "telegraphic":
        return " ".join([*body, *last]) + "\n"
    indication = _INDICATIONS[int(random.integers(len(_INDICATIONS)))]
    findings = f"FINDINGS: {' '.join(body)}\n\n" if body else ""
    impression = " ".join(last or body[:1])
    return f"INDICATION: {indication}\n\n{findings}IMPRESSION: {impression}\n"


def _sentences(
    case: SampledCase, said: Mapping[str, SaidState], random: np.random.Generator
) -> Iterator[tuple[str, str]]:
    """Yield each finding that the report mentions, with its sentence; two look-alikes in doubt share one."""
    shared: set[str] = set()
    for name, state in said.items():
        if name == NORMAL or name in shared:
            continue
        phrase = _phrase(case, name, random)
        other = LOOK_ALIKES.get(name)
        if state == "absent":
            yield name, _denial(name, phrase, random)
        elif state == "uncertain" and other is not None and said.get(other) == "uncertain":
            shared.add(other)
            yield name, _capital(f"{phrase} versus {_phrase(case, other, random)}.")
        elif state == "uncertain":
            yield name, _capital(_DOUBTS[int(random.integers(len(_DOUBTS)))].format(phrase))
        elif random.uniform() < COMPARED_SHARE:
            yield name, _capital(_COMPARED[int(random.integers(len(_COMPARED)))].format(phrase))
        else:
            yield name, _capital(f"{phrase}.")


def _phrase(case: SampledCase, name: str, random: np.random.Generator) -> str:
    """Return the words for a finding, with the film's side and severity, or without if the film does not have it."""
    words = _words()[name]
    request = next((each for each in case.film.requests if each.finding == name), None)
    side = "" if request is None or not request.side else _SIDES.get(request.side, request.side)
    size = ""
    if request is not None and words["size"]:
        sizes = _words()["sizes"][words["size"]]
        size = sizes[min(int(float(request.severity or 0) * len(sizes)), len(sizes) - 1)]
    text: str = words["phrases"][int(random.integers(len(words["phrases"])))]
    return " ".join(text.format(side=side, size=size).split())


def _denial(name: str, phrase: str, random: np.random.Generator) -> str:
    if random.uniform() < RESOLVED_SHARE:
        return f"The previously noted {phrase} has resolved."
    denials = _words()[name]["denied"][1:]
    return f"{denials[int(random.integers(len(denials)))]}."


def _denied_share(name: str) -> float:
    denied = _words()[name].get("denied")
    return float(denied[0]) if denied else 0.0


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


@cache
def _words() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("report_words.toml").read_text(encoding="utf-8"))
