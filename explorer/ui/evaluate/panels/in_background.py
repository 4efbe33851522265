"""Runs a panel's own computations in the background, on the leaderboard's resamples."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import TypeVar

from explorer.ui.evaluate.panels.panel import PanelRequest

PanelResult = TypeVar("PanelResult")


def in_background(
    request: PanelRequest,
    name: tuple[Hashable, ...],
    prepare: Callable[[], Callable[..., PanelResult]],
    *,
    reports: bool = False,
) -> PanelResult | None:
    """Run the work that `prepare` returns on resamples and seed; return its result, None while it is computed.

    `name` distinguishes the work from other work on these films and models. The work runs in the process that
    computes intervals, so it has to be a `partial` of a module's function. `reports`: it takes `on_progress`, for
    `background_left`. Raises FailedWork.
    """
    job = request.services.intervals
    return job.ask(_key(request, name), lambda: partial(prepare(), job.resamples, job.seed), reports=reports)


def background_left(request: PanelRequest, name: tuple[Hashable, ...]) -> float | None:
    """Return the seconds left of work that reports; None if it is not being computed, or too little of it is done."""
    return request.services.intervals.left(_key(request, name))


def _key(request: PanelRequest, name: tuple[Hashable, ...]) -> tuple[Hashable, ...]:
    job, subject = request.services.intervals, request.subject
    versions = tuple(request.services.store.version(subject.chosen.cohort, model) for model in subject.models)
    return (*name, subject.chosen, subject.models, subject.natural, versions, job.resamples, job.seed)
