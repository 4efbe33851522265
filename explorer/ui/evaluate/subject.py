"""Evaluate's subject: converts an address to a cohort, models, films, metric and reference, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, get_args

from explorer.analysis.intervals.intervals_job import BoardQuestion
from explorer.analysis.leaderboard.joint_metrics import BOARD_MEASURES, BoardMeasure
from explorer.analysis.leaderboard.joint_scores import default_models
from explorer.analysis.leaderboard.picked_films import whole_film_slice
from explorer.core.metric_plan import IntervalKind
from explorer.store.slices import Slice
from explorer.ui.shared.links import LinkState, ResolvedLink, model_id, resolve_link, slice_words

if TYPE_CHECKING:
    from explorer.store.store import Store

MODEL_SEPARATOR = "."  # between models in an address
MINIMUM_WORD, INTERVALS_WORD = "means", "intervals"
MINIMUM_CHOICES = (0, 5, 10, 20, 50)  # positives
INTERVAL_KINDS: tuple[IntervalKind, ...] = get_args(IntervalKind)
_MEASURES: Mapping[str, BoardMeasure] = MappingProxyType({measure.lower(): measure for measure in BOARD_MEASURES})


@dataclass(frozen=True, slots=True)
class Subject:
    """Models compared on the films of a slice.

    `reference` is the index of the model that others are compared with; `natural` weights films to natural prevalence.
    Means leave out findings with fewer than `minimum` positives; the leaderboard has `intervals` of this kind.
    `complaints` are sentences about ignored words. `chosen` holds the filters that select films, `explored` Explore's
    slice with its further filters, or None.
    """

    chosen: Slice
    models: tuple[str, ...]
    reference: int
    measure: BoardMeasure
    natural: bool
    complaints: tuple[str, ...]
    explored: Slice | None = field(default=None, compare=False)
    minimum: int = 0
    intervals: IntervalKind = "percentile"

    @property
    def in_explore(self) -> Slice:
        """The slice as Explore shows it, for the reference unless the filters need another model."""
        asked = self.explored or self.chosen
        return asked if asked.needs_model else replace(asked, model=self.models[self.reference])

    def board_question(self, intervals: IntervalKind) -> BoardQuestion:
        """Return the question for the leaderboard with intervals of a kind."""
        return BoardQuestion(self.chosen, self.models, self.natural, self.minimum, intervals)


def subject_of(store: Store, state: LinkState) -> Subject:
    """Interpret an address, ignoring invalid words. Raises WrongLink if nothing valid is left."""
    understood = _resolved_slice(store, state)
    complaints, asked = list(understood.complaints), understood.slice
    models = _models(store, asked, state, complaints)
    usual = models.index(asked.model) if asked.model in models else 0
    reference = _place(asked.cohort, models, state.get("reference"), usual, complaints)
    minimum = _minimum(state, complaints)
    return Subject(
        chosen=canonical_film_slice(store, asked, models),
        models=models,
        reference=reference,
        measure=_MEASURES.get(str(state.get("metric", "")), "AP"),
        natural=state.get("natural") == "1",
        complaints=tuple(complaints),
        explored=asked,
        minimum=minimum,
        intervals="bias-corrected" if state.get(INTERVALS_WORD) == "bias-corrected" else "percentile",
    )


def canonical_film_slice(store: Store, asked: Slice, models: tuple[str, ...]) -> Slice:
    """Return a canonical slice of these films, so that results are cached once."""
    films = whole_film_slice(store, asked)
    return films if films.needs_model else replace(films, model=models[0])


def subject_words(subject: Subject) -> dict[str, str]:
    """Return the address words of a subject, without default metric and weights; `subject_of` is the inverse."""
    asked, cohort = subject.in_explore, subject.chosen.cohort
    words = {name: word for name, word in slice_words(asked).items() if name != "model" or asked.needs_model}
    words["models"] = MODEL_SEPARATOR.join(model_id(cohort, model) for model in subject.models)
    words["reference"] = model_id(cohort, subject.models[subject.reference])
    if subject.measure != BOARD_MEASURES[0]:
        words["metric"] = subject.measure.lower()
    if subject.natural:
        words["natural"] = "1"
    if subject.minimum:
        words[MINIMUM_WORD] = str(subject.minimum)
    if subject.intervals != "percentile":
        words[INTERVALS_WORD] = subject.intervals
    return words


def _resolved_slice(store: Store, state: LinkState) -> ResolvedLink:
    """Return the slice of an address; filters by score use the reference if no model is named."""
    found = resolve_link(store, state, every=True)
    if state.get("model") or not found.slice.needs_model:
        return found
    cohort = found.slice.cohort
    words = [model_id(cohort, each.model) for each in store.models(cohort)]
    named = state.get("reference")
    return resolve_link(store, {**state, "model": named}, every=True) if named in words else found


def _models(store: Store, chosen: Slice, state: LinkState, complaints: list[str]) -> tuple[str, ...]:
    """Return the named models sorted by name; by default, the default comparison."""
    sent = state.get("models")
    wanted = sent.split(MODEL_SEPARATOR) if isinstance(sent, str) and sent else []
    there = {model_id(chosen.cohort, each.model): each.model for each in store.models(chosen.cohort)}
    named = {there[word] for word in wanted if word in there}
    if len(named) < len(set(wanted)):
        complaints.append("The link names a model that has not scored this cohort. It was ignored.")
    found = named or set(default_models(store, chosen.cohort, chosen.model))
    return tuple(sorted(found))


def _minimum(state: LinkState, complaints: list[str]) -> int:
    sent = state.get(MINIMUM_WORD)
    if not sent or str(sent) in map(str, MINIMUM_CHOICES):
        return int(str(sent or 0))
    complaints.append(f"The link asks for means from another n+ than {MINIMUM_CHOICES}. It was ignored.")
    return 0


def _place(cohort: str, models: tuple[str, ...], sent: object, usual: int, complaints: list[str]) -> int:
    ids = [model_id(cohort, model) for model in models]
    if not sent:
        return usual
    if sent in ids:
        return ids.index(str(sent))
    complaints.append("The link compares with a model that is not among these. It was ignored.")
    return usual
