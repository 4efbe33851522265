"""What a panel computes apart from the leaderboard, in the background and on the same resamples."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import TypeVar

from explorer.ui.evaluate.panels.panel import Asked

Result = TypeVar("Result")


def in_background(
    asked: Asked, name: tuple[Hashable, ...], prepare: Callable[[], Callable[[int, int], Result]]
) -> Result | None:
    """What the work that `prepare` makes ready makes of resamples and seed; None while it is being computed.

    `name` tells one work from the others of these films and models. It is done in the process of the intervals: a
    `partial` of a module's function. Raises FailedWork.
    """
    job, subject = asked.services.intervals, asked.subject
    versions = tuple(asked.services.store.version(subject.chosen.cohort, model) for model in subject.models)
    key = (*name, subject.chosen, subject.models, subject.natural, versions, job.resamples, job.seed)
    return job.ask(key, lambda: partial(prepare(), job.resamples, job.seed))
