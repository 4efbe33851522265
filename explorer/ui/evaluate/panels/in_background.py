"""Runs a panel's own computations in the background, on the leaderboard's resamples."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import TypeVar

from explorer.ui.evaluate.panels.panel import PanelRequest

PanelResult = TypeVar("PanelResult")


def in_background(
    request: PanelRequest, name: tuple[Hashable, ...], prepare: Callable[[], Callable[[int, int], PanelResult]]
) -> PanelResult | None:
    """Run the work that `prepare` returns on resamples and seed; return its result, None while it is computed.

    `name` distinguishes the work from other work on these films and models. The work runs in the process that
    computes intervals, so it has to be a `partial` of a module's function. Raises FailedWork.
    """
    job, subject = request.services.intervals, request.subject
    versions = tuple(request.services.store.version(subject.chosen.cohort, model) for model in subject.models)
    key = (*name, subject.chosen, subject.models, subject.natural, versions, job.resamples, job.seed)
    return job.ask(key, lambda: partial(prepare(), job.resamples, job.seed))
