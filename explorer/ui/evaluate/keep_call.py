"""Saves an ensemble from the page as a model of its cohort, under a name that the visitor types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypedDict

from explorer.analysis.ensembles.kept_ensemble import EnsembleRefused, keep_ensemble
from explorer.cohorts.layout import cohort_folder
from explorer.core.word_lists import quantity
from explorer.ui.evaluate.panels.ensemble import mean_kind_of
from explorer.ui.evaluate.payload import ChoicesPayload, evaluate_choices
from explorer.ui.evaluate.subject import subject_of
from explorer.ui.shared.refusals import RefusedPayload, refusal_payload
from explorer.ui.shared.request_values import state_in, value_in
from explorer.ui.shared.services import Services
from models.refusal import Refusal


class KeptEnsemblePayload(TypedDict):
    """The ensemble was saved as a model, which `choices` includes."""

    stage: Literal["kept"]
    says: str
    choices: ChoicesPayload


def calls(services: Services) -> list[Callable[[object], object]]:
    """Return the functions that the script may call."""

    def keep_ensemble(request: object) -> KeptEnsemblePayload | RefusedPayload:
        """Save the ensemble of {state, name}."""
        try:
            return _saved(services, request)
        except Refusal as refusal:
            return refusal_payload(refusal)

    return [keep_ensemble]


def _saved(services: Services, request: object) -> KeptEnsemblePayload:
    state, name = state_in(request), value_in(request, "name")
    if not isinstance(name, str) or not name:
        raise EnsembleRefused(
            "The ensemble needs a name", "Use lowercase letters, digits, dots, hyphens and underscores."
        )
    subject = subject_of(services.store, state)
    if subject.complaints:
        raise EnsembleRefused("The link is not fully valid", " ".join(subject.complaints))
    cohort = subject.chosen.cohort
    mean, complaints = mean_kind_of(state)
    if complaints:
        raise EnsembleRefused("The link is not fully valid", " ".join(complaints))
    made = keep_ensemble(services.store, cohort_folder(cohort), subject.models, mean, name)
    says = (
        f"{cohort} now has the model {name}: {made.title}; {quantity(made.scored, 'film')}. Thresholds: "
        f"{made.thresholds}. To delete it: `python -m explorer ensemble --cohort {cohort} --name {name} --delete`."
    )
    return {"stage": "kept", "says": says, "choices": evaluate_choices(services.store, subject)}
