"""The decisions of a class in which learners saw a model's answer: before, after, and what the model said."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from explorer.core.findings import Outcome
from explorer.core.outcomes import CALLED_OUTCOMES, PRESENT_OUTCOMES
from explorer.school.classroom.kept_classes import class_database, has_table
from explorer.school.judging.switches import Decision

_BOTH_ANSWERS = """
SELECT film, answers.answer, answers.judged, second_answers.judged, calls
FROM answers JOIN second_answers USING (learner, film) JOIN model_calls USING (film)
WHERE shown ORDER BY film, learner
"""


def class_decisions(name: str, folder: Path | None = None) -> tuple[Decision, ...]:
    """Return the decisions of those who answered twice; empty if nobody saw a model. Raises ClassRefusal."""
    with class_database(name, folder) as database:
        if not has_table(database, "second_answers"):
            return ()
        return tuple(each for row in database.execute(_BOTH_ANSWERS) for each in _decisions(*row))


def _decisions(film: int, answer: str, before: str, after: str, calls: str) -> Iterator[Decision]:
    """Yield a decision for each finding whose label and model's call are known."""
    given, model = json.loads(answer), json.loads(calls)
    first, second = json.loads(before)["outcomes"], json.loads(after)["outcomes"]
    for finding, outcome in first.items():
        called = model.get(finding, (0.0, None))[1]
        if called is None or finding not in second:
            continue
        one, other = Outcome(outcome), Outcome(second[finding])
        made = Decision(
            film=film,
            sure=given["sure"],
            present=one in PRESENT_OUTCOMES,
            before=one in CALLED_OUTCOMES,
            after=other in CALLED_OUTCOMES,
            model=bool(called),
        )
        listed = "findings" in given
        if not listed or (finding != "Normal" and (made.present or made.before or made.after or made.model)):
            yield made
