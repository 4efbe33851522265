"""Cohorts and models by the names that somebody writes: found, or refused with the nearest and all others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from explorer.core.word_lists import suggestion
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.cohorts.manifest import Manifest, ModelManifest
    from explorer.store.store import Store

NOT_SCORED = "`python -m explorer score --help` explains how to score it."


class WrongName(Refusal):
    """A cohort or a model that is not there: `title` says which, `detail` what there is."""


def cohort_named(store: Store, name: str) -> Manifest:
    """The cohort of this name. Raises WrongName."""
    there = {each.name: each for each in store.cohorts()}
    if name not in there:
        raise WrongName(f"There is no cohort {name!r}", " ".join([suggestion(str(name), there), *store.left_out()]))
    return there[name]


def models_named(store: Store, cohort: str, names: Sequence[str]) -> tuple[ModelManifest, ...]:
    """Those of the cohort's models that are named, in this order. Raises WrongName, for one that is named twice too."""
    there = {each.model: each for each in store.models(cohort)}
    for place, name in enumerate(names):
        if name not in there:
            raise WrongName(f"{name!r} has not scored {cohort}", suggestion(str(name), there))
        if name in names[:place]:
            raise WrongName(f"{name} is named twice", "Name each model once.")
    return tuple(there[name] for name in names)


def usual_model(models: Iterable[ModelManifest], preferred: Sequence[str]) -> ModelManifest:
    """The first of the preferred models that is among these, else the first of them. There is one at least."""
    there = {each.model: each for each in models}
    return next((there[name] for name in preferred if name in there), next(iter(there.values())))
