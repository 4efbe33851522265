"""Whether a model's answer to an inserted finding tells anything about real ones. The rule was stated beforehand.

It does if AUROC of inserted findings at their typical severity lies within 0.15 of AUROC of real ones, of which there
are 20 or more. Typical is the least severity at which a reader sees the finding as often as in films labeled with it.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from explorer.core.figures import fixed, share_texts

MEASURED_FILE = Path(__file__).with_name("believable.toml")
MOST_APART, LEAST_POSITIVES = 0.15, 20
_NOT_VALIDATED = "Not validated"


def is_believable(model: str, finding: str) -> bool:
    """Whether this model was shown to see such an inserted finding as it sees real ones."""
    return not believable_words(model, finding).startswith(_NOT_VALIDATED)


def believable_words(model: str, finding: str) -> str:
    """Return a sentence on whether this model was shown to see such an inserted finding as it sees real ones."""
    found = _measured().get(model, {}).get(finding)
    if found is None:
        return f"{_NOT_VALIDATED}: whether {model} sees an inserted {finding} as it sees real ones was not measured."
    inserted, real = share_texts(found["inserted"], found["real"])
    severity = fixed(found["severity"], 1)
    figures = f"AUROC {inserted} for inserted ones of severity {severity}, {real} for {found['positives']:,} real ones"
    apart = round(abs(found["inserted"] - found["real"]), 3) > MOST_APART
    if apart or found["positives"] < LEAST_POSITIVES:
        return f"{_NOT_VALIDATED}: {model} does not see an inserted {finding} as it sees real ones ({figures})."
    return f"{model} sees an inserted {finding} about as it sees real ones ({figures})."


@cache
def _measured() -> dict[str, dict[str, dict[str, Any]]]:
    return tomllib.loads(MEASURED_FILE.read_text(encoding="utf-8"))
