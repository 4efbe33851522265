"""Evaluate's switch between films and studies: makes the study cohort, and translates the address to it and back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypedDict

from explorer.analysis.studies.study_cohort import is_current
from explorer.cohorts.counted import Counted
from explorer.cohorts.layout import NoCohort
from explorer.cohorts.study_cohorts import NoStudies, studies_name
from explorer.cohorts.unlisted import is_unlisted, public_name
from explorer.core.word_lists import and_list
from explorer.store.filter_kinds import Choice
from explorer.store.filter_registry import FILTERS
from explorer.store.slices import Slice
from explorer.store.where_words import choices
from explorer.ui.evaluate.subject import Subject, subject_of, subject_words
from explorer.ui.shared.links import SLICE_ADDRESS_WORDS, LinkState, WrongLink, model_id
from explorer.ui.shared.refusals import RefusedPayload, refusal_payload
from explorer.ui.shared.request_values import state_in, string_field
from explorer.ui.shared.services import Services
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store

_BY_SUBJECT = ("models", "reference", "metric", "natural", "means", "intervals")


class UnitPayload(TypedDict):
    """What is counted; `offered`: the cohort's films can be counted by study, or its studies by film."""

    counted: Counted
    offered: bool


class MakingStudiesPayload(TypedDict):
    """The study cohort is being made, or then prepared; calling again continues. `share` is from 0 to 1."""

    stage: Literal["making"]
    step: Literal["Combining films into studies", "Preparing the studies"]
    share: float


class CountedPayload(TypedDict):
    """The address words of the same comparison by the other unit; `left_out` names filters that it cannot have."""

    stage: Literal["counted"]
    words: dict[str, str]
    left_out: str


def calls(services: Services) -> list[Callable[[object], object]]:
    """Return the function that the script may call."""

    def count_by(request: object) -> CountedPayload | MakingStudiesPayload | RefusedPayload:
        """Count {state, unit} by "film" or "study"."""
        try:
            return _count_by(services, state_in(request), string_field(request, "unit"))
        except Refusal as refusal:
            return refusal_payload(refusal)

    return [count_by]


def unit_payload(store: Store, chosen: Slice) -> UnitPayload:
    """Return what the slice's cohort counts. A visitor's own films are not offered by study."""
    if store.cohort(chosen.cohort).studies is not None:
        return {"counted": "study", "offered": True}
    several = store.facets(chosen.cohort, chosen.model).several
    return {"counted": "film", "offered": several > 0 and not is_unlisted(chosen.cohort)}


def out_of_date(store: Store, cohort: str) -> Iterator[str]:
    """Yield a sentence if a study cohort is older than the films that it was made from."""
    made_from = store.cohort(cohort).studies
    if made_from is None:
        return
    try:
        current = is_current(store.folder(made_from.cohort), store.folder(cohort))
    except NoCohort:
        yield f"{made_from.cohort}, whose films these studies were made from, is not on this machine any more."
        return
    if not current:
        yield (
            f"Films, labels, scores or thresholds of {made_from.cohort} have changed since these studies were made. "
            "Choose per film and then per study to renew them."
        )


def _count_by(services: Services, state: LinkState, unit: str) -> CountedPayload | MakingStudiesPayload:
    store = services.store
    subject = subject_of(store, state)
    cohort = subject.chosen.cohort
    made_from = store.cohort(cohort).studies
    if unit not in ("film", "study"):
        raise WrongLink("Evaluate cannot count that", "It counts by film or by study.")
    if unit == "film" and made_from is not None:
        return _translated(store, subject, state, made_from.cohort)
    if unit == "study" and made_from is None:
        if not unit_payload(store, subject.chosen)["offered"]:
            raise NoStudies(
                f"{public_name(cohort)} cannot be counted by study",
                "No study has more than one film, or the films are not kept as a cohort of this machine.",
            )
        share = services.studies.ask(store.folder(cohort), sorted(_models_needed(subject)))
        if share is not None:
            return {"stage": "making", "step": "Combining films into studies", "share": share}
        target = studies_name(cohort)
        store.look(target)
        for model in subject.models:
            share = store.preparing(target, model)
            if share is not None:
                return {"stage": "making", "step": "Preparing the studies", "share": share}
        return _translated(store, subject, state, target)
    return _translated(store, subject, state, cohort)


def _models_needed(subject: Subject) -> set[str]:
    asked = subject.in_explore
    others = {asked.against} if asked.against is not None else set()
    return {*subject.models, subject.chosen.model, asked.model} | others


def _translated(store: Store, subject: Subject, state: LinkState, target: str) -> CountedPayload:
    """Return the address of the same comparison on another cohort; what depends on single films is left out."""
    there = store.model_names(target)
    models = tuple(model for model in subject.models if model in there)
    if not models:
        raise NoStudies(f"None of these models has scored {target}", "Choose the cohort, then its models.")
    reference = subject.models[subject.reference]
    moved = replace(
        subject,
        chosen=_moved(subject.chosen, target, there),
        explored=_moved(subject.in_explore, target, there),
        models=models,
        reference=models.index(reference) if reference in models else 0,
    )
    asked = subject.in_explore
    ids = dict(_same_words(store, subject, target))
    others = {
        name: ids.get(str(value), str(value))
        for name, value in state.items()
        if name not in (*SLICE_ADDRESS_WORDS, *_BY_SUBJECT)
    }
    of_films = {"the area of the map": asked.lasso, "marked cases": asked.marked}
    lacking = and_list([name for name, value in of_films.items() if value is not None and target != asked.cohort])
    return {
        "stage": "counted",
        "words": others | subject_words(moved),
        "left_out": f"Left out, because it selects single films: {lacking}." if lacking else "",
    }


def _moved(chosen: Slice, target: str, models: tuple[str, ...]) -> Slice:
    if chosen.cohort == target:
        return chosen
    model = chosen.model if chosen.model in models else models[0]
    moved = replace(chosen, cohort=target, model=model, lasso=None, marked=None)
    return moved if chosen.against in models else replace(moved, against=None, relation=None)


def _same_words(store: Store, subject: Subject, target: str) -> Iterator[tuple[str, str]]:
    """Yield the address words of models and of filter values by their words in the address of another cohort."""
    cohort = subject.chosen.cohort
    for model in store.model_names(cohort):
        yield model_id(cohort, model), model_id(target, model)
    known = choices(store, cohort, subject.chosen.model)
    for each in FILTERS:
        if isinstance(each, Choice):
            for value in each.word.shown(known):
                words = each.word.write(cohort, value), each.word.write(target, value)
                if words[0] and words[1]:
                    yield words[0], words[1]
