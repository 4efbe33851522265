"""What Evaluate is asked about: an address's words <-> a cohort, its models, films, a metric, a reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from explorer.analysis.leaderboard.joint_metrics import MEASURES, Measure
from explorer.analysis.leaderboard.joint_scores import models_at_first
from explorer.analysis.leaderboard.picked_films import of_films
from explorer.store.slices import Slice
from explorer.ui.shared.links import LinkState, ResolvedLink, model_id, resolve_link, slice_words

if TYPE_CHECKING:
    from explorer.store.store import Store

BETWEEN = "."  # two models in an address
_MEASURES: Mapping[str, Measure] = MappingProxyType({measure.lower(): measure for measure in MEASURES})


@dataclass(frozen=True, slots=True)
class Subject:
    """Models on the films of a slice. `reference` is the place of the model that differences are to; `natural`: films
    count as often as nature has them. `complaints` tell words that had to be left out, a sentence each.

    `chosen` has the filters that say which films these are, `explored` those that Explore's slice has besides; None
    where there are none.
    """

    chosen: Slice
    models: tuple[str, ...]
    reference: int
    measure: Measure
    natural: bool
    complaints: tuple[str, ...]
    explored: Slice | None = field(default=None, compare=False)

    @property
    def in_explore(self) -> Slice:
        """The slice as Explore shows it, by the reference where any model's films are these."""
        asked = self.explored or self.chosen
        return asked if asked.needs_model else replace(asked, model=self.models[self.reference])


def subject_of(store: Store, state: LinkState) -> Subject:
    """What the words mean, without those that mean nothing here. Raises WrongLink where nothing is left."""
    understood = _understood(store, state)
    complaints, asked = list(understood.complaints), understood.slice
    models = _models(store, asked, state, complaints)
    usual = models.index(asked.model) if asked.model in models else 0
    reference = _place(asked.cohort, models, state.get("reference"), usual, complaints)
    return Subject(
        chosen=films_chosen(store, asked, models),
        models=models,
        reference=reference,
        measure=_MEASURES.get(str(state.get("metric", "")), "AP"),
        natural=state.get("natural") == "1",
        complaints=tuple(complaints),
        explored=asked,
    )


def films_chosen(store: Store, asked: Slice, models: tuple[str, ...]) -> Slice:
    """The slice of these films: the same one for all that have the same, so that nothing is computed twice."""
    films = of_films(store, asked)
    return films if films.needs_model else replace(films, model=models[0])


def words_of(subject: Subject) -> dict[str, str]:
    """The words of a subject, a metric and a weight at their defaults left out; `subject_of` reads them
    back."""
    asked, cohort = subject.in_explore, subject.chosen.cohort
    words = {name: word for name, word in slice_words(asked).items() if name != "model" or asked.needs_model}
    words["models"] = BETWEEN.join(model_id(cohort, model) for model in subject.models)
    words["reference"] = model_id(cohort, subject.models[subject.reference])
    if subject.measure != MEASURES[0]:
        words["metric"] = subject.measure.lower()
    if subject.natural:
        words["natural"] = "1"
    return words


def _understood(store: Store, state: LinkState) -> ResolvedLink:
    """The slice of the words; where they do not say whose scores are asked for, those of the reference."""
    found = resolve_link(store, state, every=True)
    if state.get("model") or not found.slice.needs_model:
        return found
    cohort = found.slice.cohort
    words = [model_id(cohort, each.model) for each in store.models(cohort)]
    named = state.get("reference")
    return resolve_link(store, {**state, "model": named}, every=True) if named in words else found


def _models(store: Store, chosen: Slice, state: LinkState, complaints: list[str]) -> tuple[str, ...]:
    """Those that are named, in the order of the names; where none is, those compared at first."""
    sent = state.get("models")
    wanted = sent.split(BETWEEN) if isinstance(sent, str) and sent else []
    there = {model_id(chosen.cohort, each.model): each.model for each in store.models(chosen.cohort)}
    named = {there[word] for word in wanted if word in there}
    if len(named) < len(set(wanted)):
        complaints.append("The link names a model that has not scored this cohort. It was ignored.")
    found = named or set(models_at_first(store, chosen.cohort, chosen.model))
    return tuple(sorted(found))


def _place(cohort: str, models: tuple[str, ...], sent: object, usual: int, complaints: list[str]) -> int:
    ids = [model_id(cohort, model) for model in models]
    if not sent:
        return usual
    if sent in ids:
        return ids.index(str(sent))
    complaints.append("The link compares with a model that is not among these. It was ignored.")
    return usual
