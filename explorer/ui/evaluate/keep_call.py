"""An ensemble kept from the page as a model of its cohort, under a name that the visitor types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypedDict

from explorer.analysis.ensembles.kept_ensemble import NoEnsemble, keep
from explorer.cohorts.layout import folder
from explorer.core.word_lists import quantity
from explorer.ui.evaluate.panels.ensemble import mean_of
from explorer.ui.evaluate.payload import ChoicesPayload, choices_payload
from explorer.ui.evaluate.subject import subject_of
from explorer.ui.shared.refusals import RefusedPayload, refusal_payload
from explorer.ui.shared.request_values import state_in, value_in
from explorer.ui.shared.services import Services
from models.refusal import Refusal


class KeptPayload(TypedDict):
    """The ensemble is a model now: `choices` have it."""

    stage: Literal["kept"]
    says: str
    choices: ChoicesPayload


def calls(services: Services) -> list[Callable[[object], object]]:
    """What the script may ask."""

    def keep_ensemble(asked: object) -> KeptPayload | RefusedPayload:
        """Take {state, name}."""
        try:
            return _kept(services, asked)
        except Refusal as refusal:
            return refusal_payload(refusal)

    return [keep_ensemble]


def _kept(services: Services, asked: object) -> KeptPayload:
    state, name = state_in(asked), value_in(asked, "name")
    if not isinstance(name, str) or not name:
        raise NoEnsemble("The ensemble has no name", "Type one: lowercase letters, digits, dots, hyphens, underscores.")
    subject = subject_of(services.store, state)
    if subject.complaints:
        raise NoEnsemble("The link cannot be followed as it is", " ".join(subject.complaints))
    cohort = subject.chosen.cohort
    mean, complaints = mean_of(state)
    if complaints:
        raise NoEnsemble("The link cannot be followed as it is", " ".join(complaints))
    made = keep(services.store, folder(cohort), subject.models, mean, name)
    says = (
        f"{cohort} has the model {name}: {made.title}; {quantity(made.scored, 'film')}. Thresholds: {made.thresholds}. "
        f"`python -m explorer ensemble --cohort {cohort} --name {name} --delete` takes it away."
    )
    return {"stage": "kept", "says": says, "choices": choices_payload(services.store, subject)}
