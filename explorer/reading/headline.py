"""The headline of a read film: likely and possible findings, or a warning in their place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from explorer.core.word_lists import quantity
from explorer.reading.finding_list import FindingRow
from explorer.reading.flag_verdict import HEADLINE_VERDICTS, VERDICT_ORDER, FlagVerdict

NORMAL = "Normal"
UNLIKE_TITLE = "Unlike the films that this model was tested on: its error rates may not apply"
NOTHING_FLAGGED = "The model flags nothing"
NONE_CONFIDENT = "The model flags nothing with confidence"
MAX_NAMED = 3


class GateDecision(Protocol):
    """The gate's decision; `models.gate.judgment.Verdict` is one."""

    @property
    def readable(self) -> bool: ...
    @property
    def reason(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Headline:
    """A title of one or two sentences, and details in smaller type."""

    title: str
    detail: str


def headline(rows: Sequence[FindingRow], unknown: Sequence[str], gate: GateDecision, *, far: bool) -> Headline:
    """Return the headline; the model does not look for `unknown` findings; `far`: the film is unlike the test films.

    If the gate refused the film, or the film is unlike the test films, the headline says so instead of naming findings.
    """
    rest = [_cannot_judge(rows), "One model's scores, not a diagnosis"]
    if not gate.readable or far:
        title = UNLIKE_TITLE if gate.readable else f"Refused, read anyway. {gate.reason.rstrip('.')}"
        return Headline(
            f"{title}.", _joined([_counts(rows, unknown, flags=len(flagged_findings(rows, *VERDICT_ORDER))), *rest])
        )
    return Headline(_title(rows), _joined([*_doubts(rows), _normal(rows), _counts(rows, unknown), *rest]))


def flagged_findings(rows: Iterable[FindingRow], *verdicts: FlagVerdict) -> tuple[str, ...]:
    """Return the findings with one of these verdicts, in the order of the rows, without Normal."""
    return tuple(row.finding for row in rows if row.verdict in verdicts and row.finding != NORMAL)


def _title(rows: Sequence[FindingRow]) -> str:
    named = [
        f"{_listed(found)}: {verdict}." for verdict in HEADLINE_VERDICTS if (found := flagged_findings(rows, verdict))
    ]
    if named:
        return " ".join(named)
    uncounted = flagged_findings(rows, "not known")
    if uncounted:
        return f"Flagged: {_listed(uncounted)}. How often that is correct is not known."
    if all(row.state in (None, "cannot judge") for row in rows):
        ranked = any(row.percentile for row in rows)
        order = "their rank among other films" if ranked else "their scores"
        return f"No threshold is known: findings are ordered by {order}."
    return f"{NONE_CONFIDENT}." if flagged_findings(rows, *VERDICT_ORDER) else f"{NOTHING_FLAGGED}."


def _doubts(rows: Sequence[FindingRow]) -> list[str]:
    """Return sentences on which flagged findings the title leaves out, and why."""
    named, unreliable = flagged_findings(rows, *HEADLINE_VERDICTS), flagged_findings(rows, "unreliable")
    reasons = (
        ("Flagged, but such flags are seldom correct", flagged_findings(rows, "seldom correct")),
        ("Too few films to say", flagged_findings(rows, "too few films")),
        ("How often the flag is correct is not known", flagged_findings(rows, "not known") if named else ()),
    )
    also, scores = " also" if named else "", "this score is" if len(unreliable) == 1 else "these scores are"
    first = [f"{', '.join(unreliable)}{also} scored high, but {scores} unreliable"] if unreliable else []
    return first + [f"{words}: {', '.join(found)}" for words, found in reasons if found]


def _normal(rows: Sequence[FindingRow]) -> str:
    """Return the note on the score of Normal, worded so that it is not taken for an all-clear."""
    if not any(row.finding == NORMAL and row.state == "above" for row in rows):
        return ""
    if flagged_findings(rows, *HEADLINE_VERDICTS, "not known"):
        return "The model also scores the film as normal, which contradicts its flags"
    return "The film scores like normal ones, which does not rule out any finding"


def _counts(rows: Sequence[FindingRow], unknown: Sequence[str], *, flags: int = 0) -> str:
    """Return the numbers of findings by state; `flags` is that of flagged ones if they are not named elsewhere."""
    states = [row.state for row in rows if row.finding != NORMAL]
    counts = ((flags, "flagged"), (states.count("unsure"), "uncertain"), (states.count("below"), "not flagged"))
    parts = [f"{count} {words}" for count, words in counts if count]
    looked = [f"{quantity(len(unknown), 'finding')} this model does not look for"] if unknown else []
    return ", ".join(parts + looked)


def _cannot_judge(rows: Sequence[FindingRow]) -> str:
    names = [row.finding for row in rows if row.state == "cannot judge" and row.finding != NORMAL]
    return f"This model cannot judge {', '.join(names)}" if names else ""


def _listed(names: Sequence[str]) -> str:
    if len(names) <= MAX_NAMED + 1:  # "and 1 more" is no shorter than a name
        return ", ".join(names)
    return f"{', '.join(names[:MAX_NAMED])} and {len(names) - MAX_NAMED} more"


def _joined(parts: Iterable[str]) -> str:
    return "".join(f"{part}. " for part in parts if part).rstrip()
