"""Whether a model's answer to an inserted finding tells anything about others. The rules were stated beforehand.

In a real film it does if AUROC of inserted findings at their typical severity lies within 0.15 of AUROC of real ones,
of which there are 20 or more. Typical is the least severity at which a reader sees the finding as often as in films
labeled with it. In a simulated film it does if the log odds differ from those of the same patient drawn with the
finding by at most 0.1 of their standard deviation.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from explorer.core.figures import fixed, share_texts

MEASURED_FILE = Path(__file__).with_name("believable.toml")
DRAWN_FILE = Path(__file__).with_name("against_drawn.toml")
MOST_APART, LEAST_POSITIVES = 0.15, 20
MOST_OF_SPREAD = 0.1
_NOT_VALIDATED = "Not validated"


def is_believable(model: str, finding: str, *, simulated: bool) -> bool:
    """Whether this model was shown to see such a finding, put into a real or `simulated` film, as it sees others."""
    return not believable_words(model, finding, simulated=simulated).startswith(_NOT_VALIDATED)


def believable_words(model: str, finding: str, *, simulated: bool) -> str:
    """Return a sentence on whether this model was shown to see such an inserted finding as it sees others.

    Others are real ones, or in `simulated` films those that are drawn with the film.
    """
    return _drawn_words(model, finding) if simulated else _real_words(model, finding)


def _real_words(model: str, finding: str) -> str:
    found = _table(MEASURED_FILE).get(model, {}).get(finding)
    if found is None:
        return f"{_NOT_VALIDATED}: whether {model} sees an inserted {finding} as it sees real ones was not measured."
    inserted, real = share_texts(found["inserted"], found["real"])
    severity = fixed(found["severity"], 1)
    figures = f"AUROC {inserted} for inserted ones of severity {severity}, {real} for {found['positives']:,} real ones"
    apart = round(abs(found["inserted"] - found["real"]), 3) > MOST_APART
    if apart or found["positives"] < LEAST_POSITIVES:
        return f"{_NOT_VALIDATED}: {model} does not see an inserted {finding} as it sees real ones ({figures})."
    return f"{model} sees an inserted {finding} about as it sees real ones ({figures})."


def _drawn_words(model: str, finding: str) -> str:
    found = _table(DRAWN_FILE).get(model, {}).get(finding)
    drawn = "one that is drawn with a simulated film"
    if found is None:
        return f"{_NOT_VALIDATED}: whether {model} sees an inserted {finding} as {drawn} was not measured."
    spread, patients = fixed(found["spread"]), found["patients"]
    figures = f"log odds differ by {spread} of their standard deviation, {patients:,} patients"
    if found["spread"] > MOST_OF_SPREAD:
        return f"{_NOT_VALIDATED}: {model} does not see an inserted {finding} as {drawn} ({figures})."
    return f"{model} sees an inserted {finding} about as {drawn} ({figures})."


@cache
def _table(file: Path) -> dict[str, dict[str, dict[str, Any]]]:
    return tomllib.loads(file.read_text(encoding="utf-8"))
