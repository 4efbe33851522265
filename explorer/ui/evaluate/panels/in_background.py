"""What a panel computes apart from the leaderboard, in the background and on the same resamples."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from explorer.ui.evaluate.panels.panel import Asked

Result = TypeVar("Result")


def in_background(asked: Asked, name: tuple[str, ...], work: Callable[[int, int], Result]) -> Result | None:
    """What `work` makes of resamples and seed; None while it is at it. `name` tells one work from the others.

    Raises FailedWork.
    """
    job, subject = asked.services.intervals, asked.subject
    versions = tuple(asked.services.store.version(subject.chosen.cohort, model) for model in subject.models)
    key = (*name, subject.chosen, subject.models, subject.natural, versions, job.resamples, job.seed)
    return job.ask(key, partial(work, job.resamples, job.seed))
