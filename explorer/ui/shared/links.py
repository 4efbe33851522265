"""Conversion between address words and slices. Names of a visitor's own data appear only as opaque ids."""

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
from explorer.settings import DEFAULT_CLASSIFIERS
from explorer.store.filter_kinds import Choices, Word, hidden_word
from explorer.store.filter_registry import FILTERS
from explorer.store.names import NOT_SCORED, usual_model
from explorer.store.slices import Slice
from explorer.store.where_words import choices
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.cohorts.manifest import Manifest, ModelManifest
    from explorer.store.store import Store

LinkState = Mapping[str, object]
LinkValue = TypeVar("LinkValue")
# The address words that select pairs; the others control what is shown of them.
SLICE_ADDRESS_WORDS = ("cohort", "model", *(word.name for each in FILTERS for word in each.words))
PINNED_WORDS = ("beside", "beside2", "beside3")  # address words that each hold a pinned slice
DEFAULT_COHORT = "phantom"  # Explore's first cohort: its films exist on every machine

_COHORT = Word("cohort", "cohort", "a cohort that is not on this machine", write=lambda cohort, value: opaque_id(value))
_MODEL = Word("model", "model", "a model that has not scored this cohort", write=hidden_word("model"))


class WrongLink(Refusal):
    """An address that names something missing: `title` says what is wrong, `detail` what was or can be done."""


@dataclass(frozen=True, slots=True)
class ResolvedLink:
    """The slice closest to an address, and a sentence for each word that had to be ignored."""

    slice: Slice
    complaints: tuple[str, ...]


def cohort_id(cohort: str) -> str:
    """The cohort's id in addresses."""
    return opaque_id(cohort)


def model_id(cohort: str, model: str) -> str:
    """A model's id in addresses."""
    return opaque_id(cohort, "model", model)


def center_id(cohort: str, center: str) -> str:
    """A center's id in addresses."""
    return opaque_id(cohort, "center", center)


def resolve_slice(store: Store, state: LinkState) -> Slice:
    """The slice of an address. Raises WrongLink if any word means nothing here."""
    understood = resolve_link(store, state)
    if understood.complaints:
        raise unresolved_link(store, understood)
    return understood.slice


def unresolved_link(store: Store, understood: ResolvedLink) -> WrongLink:
    """The refusal for words that mean nothing here, with any damaged cohorts or models as a possible cause."""
    return WrongLink("Part of the link cannot be followed", " ".join([*understood.complaints, *store.left_out()]))


def resolve_link(store: Store, state: LinkState, *, every: bool = False) -> ResolvedLink:
    """The slice of an address, ignoring words that mean nothing here. Raises WrongLink if no slice is left.

    `every`: if no word selects films, take all of them, not Explore's opening selection.
    """
    reader = _Reader(state)
    cohort, models = _cohort(store, reader)
    model = _model(models, cohort.name, reader)
    if state.get("broken"):
        reader.complaints.append(
            "The link was damaged in transit, or sealed on another machine. Explore starts from the beginning."
        )
    if reader.complaints or not any(state.get(name) for name in SLICE_ADDRESS_WORDS):
        every = every or bool(state.get("hide") or state.get("ask"))
        return ResolvedLink(_opening(cohort, model, every=every), tuple([*reader.led, *reader.complaints]))
    values = {"source": default_group_source(model.findings)} | reader.filters(choices(store, cohort.name, model.model))
    return ResolvedLink(Slice(cohort.name, model.model, **values), tuple([*reader.led, *reader.complaints]))


def opening_slice(store: Store, state: LinkState) -> Slice:
    """Explore's opening slice for the cohort and the model of the address, without querying films."""
    reader = _Reader(state)
    cohort, models = _cohort(store, reader)
    return _opening(cohort, _model(models, cohort.name, reader), every=bool(state.get("hide")))


def _opening(cohort: Manifest, model: ModelManifest, *, every: bool) -> Slice:
    """The slice shown before any choice: the misses; all films if there are no labels or `every` is set."""
    outcomes = (Outcome.MISS,) if cohort.labelled and not every else ()
    return Slice(cohort.name, model.model, source=default_group_source(model.findings), outcomes=outcomes)


def slice_words(chosen: Slice) -> dict[str, str]:
    """The address words of a slice; `resolve_slice` reads them back."""
    words = {"cohort": cohort_id(chosen.cohort), "model": model_id(chosen.cohort, chosen.model)}
    for each in FILTERS:
        for word in each.words:
            value = getattr(chosen, word.field)
            text = None if value is None else word.write(chosen.cohort, value)
            if text:
                words[word.name] = text
    return words


class _Reader:
    """Reads words of an address one by one and collects complaints about meaningless ones."""

    def __init__(self, state: LinkState) -> None:
        self._state = state
        self.complaints: list[str] = []
        self.led: list[str] = []  # notes on a replaced model; the rest of the address still holds

    def text(self, name: str) -> str:
        value = self._state.get(name)
        return value if isinstance(value, str) else ""

    def filters(self, choices: Choices) -> dict[str, Any]:
        """The filter values by field, without combinations that make no sense."""
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

    def one(self, word: Word, values: Iterable[LinkValue], cohort: str = "") -> LinkValue | None:
        """The value that the address names; None if it names nothing or an unknown value."""
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
    """The named cohort, else DEFAULT_COHORT, else the first one that a model has scored; and its models."""
    cohorts = store.cohorts()
    unlisted = [folder.name for folder in store.unlisted.folders()]
    name = reader.one(_COHORT, [*(cohort.name for cohort in cohorts), *unlisted])
    if name in unlisted:
        return store.cohort(name), store.models(name)
    for cohort in sorted(cohorts, key=lambda cohort: (cohort.name != name, cohort.name != DEFAULT_COHORT)):
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
    """The named model, else the one that Read uses for such films, else the first."""
    by_name = {each.model: each for each in models}
    named = reader.one(_MODEL, by_name, cohort)
    if named is not None:
        return by_name[named]
    usual = usual_model(by_name.values(), DEFAULT_CLASSIFIERS)
    if is_unlisted(cohort) and reader.complaints and reader.text(_MODEL.name):
        reader.complaints.pop()  # the complaint about the model
        reader.led.append(
            f"The folder was read again: its scores now come from {usual.model}, not from the link's model."
        )
    return usual
