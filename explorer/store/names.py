"""Looks up cohorts and models by typed names; a refusal suggests the nearest name and lists the others."""

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
    """An unknown cohort or model: `title` says which, `detail` lists the known ones."""


def cohort_named(store: Store, name: str) -> Manifest:
    """Return the cohort of this name. Raises WrongName."""
    there = {each.name: each for each in store.cohorts()}
    if name not in there:
        raise WrongName(f"There is no cohort {name!r}", " ".join([suggestion(str(name), there), *store.left_out()]))
    return there[name]


def models_named(store: Store, cohort: str, names: Sequence[str]) -> tuple[ModelManifest, ...]:
    """Return the cohort's models with these names, in order. Raises WrongName, also for a repeated name."""
    there = {each.model: each for each in store.models(cohort)}
    found = [there.get(name) or there.get(str(name).casefold()) for name in names]
    for place, (name, each) in enumerate(zip(names, found, strict=True)):
        if each is None:
            raise WrongName(f"{name!r} has not scored {cohort}", suggestion(str(name), there))
        if each in found[:place]:
            raise WrongName(f"{each.model} is named twice", "Name each model once.")
    return tuple(each for each in found if each is not None)


def usual_model(models: Iterable[ModelManifest], preferred: Sequence[str]) -> ModelManifest:
    """Return the first preferred model among these, else the first of them; there must be at least one."""
    there = {each.model: each for each in models}
    return next((there[name] for name in preferred if name in there), next(iter(there.values())))
