"""What Evaluate is asked about: an address's words <-> a cohort, its models, films, a metric, a reference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from explorer.analysis.joint_metrics import MEASURES, Measure
from explorer.analysis.joint_scores import classifiers
from explorer.core.word_lists import and_list
from explorer.store.filters import FILTERS, OF_ANY_FILM
from explorer.store.slices import Slice
from explorer.ui.explore.links import State, model_id, nearest, state_of

if TYPE_CHECKING:
    from explorer.store.store import Store

BETWEEN = "."  # two models in an address
_MEASURES: Mapping[str, Measure] = MappingProxyType({measure.lower(): measure for measure in MEASURES})
_KEPT = {"source", "label_source", *(word.field for each in OF_ANY_FILM for word in each.words)}

# Of pairs of film and finding; which finding is a panel's own question.
_OF_PAIRS = tuple(each for each in FILTERS if not {word.field for word in each.words} & (_KEPT | {"finding"}))


@dataclass(frozen=True, slots=True)
class Subject:
    """Models on the films of a slice. `reference` is the place of the model that differences are to; `natural`: films
    count as often as nature has them. `complaints` tell words that had to be left out, a sentence each.
    """

    chosen: Slice
    models: tuple[str, ...]
    reference: int
    measure: Measure
    natural: bool
    complaints: tuple[str, ...]


def subject_of(store: Store, state: State) -> Subject:
    """What the words mean, without those that mean nothing here. Raises WrongLink where nothing is left."""
    understood = nearest(store, state)
    complaints = [*understood.complaints, *_ignored(state)]
    chosen = _films_of(understood.slice)
    models = _models(store, chosen, state, complaints)
    usual = models.index(chosen.model) if chosen.model in models else 0
    reference = _place(chosen.cohort, models, state.get("reference"), usual, complaints)
    return Subject(
        chosen=replace(chosen, model=models[0]),
        models=models,
        reference=reference,
        measure=_MEASURES.get(str(state.get("metric", "")), "AP"),
        natural=state.get("natural") == "1",
        complaints=tuple(complaints),
    )


def words_of(subject: Subject) -> dict[str, str]:
    """The words of a subject, a metric and a weight at their defaults left out; `subject_of` reads them
    back."""
    words = {name: word for name, word in state_of(subject.chosen).items() if name != "model"}
    cohort = subject.chosen.cohort
    words["models"] = BETWEEN.join(model_id(cohort, model) for model in subject.models)
    words["reference"] = model_id(cohort, subject.models[subject.reference])
    if subject.measure != MEASURES[0]:
        words["metric"] = subject.measure.lower()
    if subject.natural:
        words["natural"] = "1"
    return words


def _ignored(state: State) -> Iterator[str]:
    """What is said of filters that pick findings or mistakes: models are compared on whole films."""
    names = [each.title for each in _OF_PAIRS if any(state.get(word.name) for word in each.words)]
    if names:
        yield (
            f"Models are compared on whole films, so {and_list(names)} of the link was ignored. To compare them on "
            "just these films, keep the films as a list in Explore and choose it here as Marked."
        )


def _films_of(chosen: Slice) -> Slice:
    """The slice's films and whose labels count, whatever the models say, for every finding."""
    return chosen.without(*(each for each in FILTERS if not {word.field for word in each.words} & _KEPT))


def _models(store: Store, chosen: Slice, state: State, complaints: list[str]) -> tuple[str, ...]:
    """Those that are named, in the order of the names; where none is, all that score what the first one does."""
    sent = state.get("models")
    wanted = sent.split(BETWEEN) if isinstance(sent, str) and sent else []
    there = {model_id(chosen.cohort, each.model): each.model for each in store.models(chosen.cohort)}
    named = {there[word] for word in wanted if word in there}
    if len(named) < len(set(wanted)):
        complaints.append("The link names a model that has not scored this cohort. It was ignored.")
    found = named or set(classifiers(store, chosen.cohort, chosen.model))
    return tuple(sorted(found))


def _place(cohort: str, models: tuple[str, ...], sent: object, usual: int, complaints: list[str]) -> int:
    ids = [model_id(cohort, model) for model in models]
    if not sent:
        return usual
    if sent in ids:
        return ids.index(str(sent))
    complaints.append("The link compares with a model that is not among these. It was ignored.")
    return usual
