"""An address's words <-> a slice. What a visitor's own data brings stands in an address as an opaque id."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from explorer.cohorts.public_ids import opaque_id
from explorer.cohorts.unlisted import is_unlisted
from explorer.core.findings import Outcome
from explorer.core.groups import default_group_source
from explorer.core.map_area import WrongArea
from explorer.settings import READS
from explorer.store.filter_kinds import Choices, Word, hidden_word
from explorer.store.filter_registry import FILTERS
from explorer.store.names import NOT_SCORED, usual_model
from explorer.store.slices import Slice
from explorer.store.where_words import choices
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.cohorts.manifest import Manifest, ModelManifest
    from explorer.store.store import Store

State = Mapping[str, object]
Value = TypeVar("Value")
# The words of an address that say which pairs are meant; the others say what is shown of them.
SLICE_WORDS = ("cohort", "model", *(word.name for each in FILTERS for word in each.words))
PINNED = ("beside", "beside2", "beside3")  # words of an address that each hold those of a pinned slice
FIRST = "phantom"  # where Explore begins: its films are there on every machine

_COHORT = Word("cohort", "cohort", "a cohort that is not on this machine", write=lambda cohort, value: opaque_id(value))
_MODEL = Word("model", "model", "a model that has not scored this cohort", write=hidden_word("model"))


class WrongLink(Refusal):
    """An address that names what is not there: `title` says what is wrong, `detail` what was done or can be done."""


@dataclass(frozen=True, slots=True)
class Understood:
    """The slice nearest to what an address says, and a sentence for every word of it that had to be left out."""

    slice: Slice
    complaints: tuple[str, ...]


def cohort_id(cohort: str) -> str:
    """The cohort's id in addresses."""
    return opaque_id(cohort)


def model_id(cohort: str, model: str) -> str:
    """The id of a model of a cohort."""
    return opaque_id(cohort, "model", model)


def center_id(cohort: str, center: str) -> str:
    """The id of a center of a cohort."""
    return opaque_id(cohort, "center", center)


def chosen(store: Store, state: State) -> Slice:
    """The slice that the words mean; raises WrongLink where one of them means nothing here."""
    understood = nearest(store, state)
    if understood.complaints:
        raise not_followed(store, understood)
    return understood.slice


def not_followed(store: Store, understood: Understood) -> WrongLink:
    """The refusal of words that mean nothing here, perhaps because a cohort or a model is damaged."""
    return WrongLink("The link cannot be followed as it is", " ".join([*understood.complaints, *store.left_out()]))


def nearest(store: Store, state: State, *, every: bool = False) -> Understood:
    """The slice that the words mean, without those that mean nothing here; raises WrongLink where nothing is left.

    `every`: where no words say which films are meant, all are, and not those that Explore begins with.
    """
    reader = _Reader(state)
    cohort, models = _cohort(store, reader)
    model = _model(models, cohort.name, reader)
    if state.get("broken"):
        reader.complaints.append(
            "The link was damaged in transit, or sealed on another machine. Explore starts from the beginning."
        )
    if reader.complaints or not any(state.get(name) for name in SLICE_WORDS):
        every = every or bool(state.get("hide") or state.get("ask"))
        return Understood(_opening(cohort, model, every=every), tuple([*reader.led, *reader.complaints]))
    values = {"source": default_group_source(model.findings)} | reader.filters(choices(store, cohort.name, model.model))
    return Understood(Slice(cohort.name, model.model, **values), tuple([*reader.led, *reader.complaints]))


def opening(store: Store, state: State) -> Slice:
    """Where Explore begins in the cohort and with the model that the words name, without asking for any film."""
    reader = _Reader(state)
    cohort, models = _cohort(store, reader)
    return _opening(cohort, _model(models, cohort.name, reader), every=bool(state.get("hide")))


def _opening(cohort: Manifest, model: ModelManifest, *, every: bool) -> Slice:
    """What is shown before anybody chose: the misses; without labels, or where `every` film is meant, all."""
    outcomes = (Outcome.MISS,) if cohort.labelled and not every else ()
    return Slice(cohort.name, model.model, source=default_group_source(model.findings), outcomes=outcomes)


def state_of(chosen: Slice) -> dict[str, str]:
    """The words of a slice; `chosen` reads them back."""
    words = {"cohort": cohort_id(chosen.cohort), "model": model_id(chosen.cohort, chosen.model)}
    for each in FILTERS:
        for word in each.words:
            value = getattr(chosen, word.field)
            text = None if value is None else word.write(chosen.cohort, value)
            if text:
                words[word.name] = text
    return words


class _Reader:
    """Takes words out of an address one by one and notes those that mean nothing."""

    def __init__(self, state: State) -> None:
        self._state = state
        self.complaints: list[str] = []
        self.led: list[str] = []  # where it leads instead, though the rest of it means what it did

    def text(self, name: str) -> str:
        value = self._state.get(name)
        return value if isinstance(value, str) else ""

    def filters(self, choices: Choices) -> dict[str, Any]:
        """The values of the filters by field; those that mean nothing together are left out."""
        found: dict[str, Any] = {}
        for each in FILTERS:
            before = len(self.complaints)
            values = {word.field: self._value(word, choices) for word in each.words}
            if (conflict := each.conflict(values)) is None:
                found |= {field: value for field, value in values.items() if value is not None}
            elif len(self.complaints) == before:
                self.complaints.append(f"The link {conflict} It was ignored.")
        return found

    def _value(self, word: Word, choices: Choices) -> object:
        if word.read is not None:
            return self._read(word, word.read, choices)
        if word.values is None:
            return self._number(word.name)
        return self.one(word, word.values(choices), choices.cohort)

    def _read(self, word: Word, read: Callable[[str, Choices], object], choices: Choices) -> object:
        text = self.text(word.name)
        try:
            return read(text, choices) if text else None
        except WrongArea as wrong:
            self.complaints.append(f"The link names {wrong}. It was ignored.")
            return None

    def one(self, word: Word, values: Iterable[Value], cohort: str = "") -> Value | None:
        """The value that the address names; None where it names nothing, or none of these."""
        text = self.text(word.name)
        if not text:
            return None
        for value in values:
            if word.write(cohort, value) == text:
                return value
        self.complaints.append(f"The link names {word.absent}. It was ignored.")
        return None

    def _number(self, name: str) -> float | None:
        text = self.text(name)
        if not text:
            return None
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if math.isfinite(value):
            return value
        self.complaints.append("The link names a score that is not a number. It was ignored.")
        return None


def _cohort(store: Store, reader: _Reader) -> tuple[Manifest, tuple[ModelManifest, ...]]:
    """The cohort that is named, else FIRST, else the first that a model has scored; and its models."""
    cohorts = store.cohorts()
    unlisted = [folder.name for folder in store.unlisted.folders()]
    name = reader.one(_COHORT, [*(cohort.name for cohort in cohorts), *unlisted])
    if name in unlisted:
        return store.cohort(name), store.models(name)
    for cohort in sorted(cohorts, key=lambda cohort: (cohort.name != name, cohort.name != FIRST)):
        if models := store.models(cohort.name):
            return cohort, models
        if cohort.name == name:
            reader.complaints.append(f"No model has scored {name} yet. {NOT_SCORED}")
    if cohorts:
        raise WrongLink("No model has scored a cohort yet", NOT_SCORED)
    raise WrongLink(
        "There is no cohort yet",
        "`python -m explorer demo` rebuilds the shipped one; `python -m explorer ingest --help` adds yours.",
    )


def _model(models: Iterable[ModelManifest], cohort: str, reader: _Reader) -> ModelManifest:
    """The model that is named, else the one that reads such films in Read, else the first."""
    there = {each.model: each for each in models}
    named = reader.one(_MODEL, there, cohort)
    if named is not None:
        return there[named]
    usual = usual_model(there.values(), READS)
    if is_unlisted(cohort) and reader.complaints and reader.text(_MODEL.name):
        reader.complaints.pop()  # that of the model
        reader.led.append(f"The folder was read again: its scores are by {usual.model} now, not by the link's model.")
    return usual
