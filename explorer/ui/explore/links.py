"""An address's words <-> a slice. What a visitor's own data brings stands in an address as an opaque id."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from explorer.cohorts.public_ids import opaque
from explorer.core.findings import FrequencyGroup, Outcome
from explorer.core.metric_plan import Grouping
from explorer.store.slices import AgeBand, Relation, Slice
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.cohorts.manifest import Manifest, ModelManifest
    from explorer.store.results import Facets
    from explorer.store.store import Store

State = Mapping[str, object]
Value = TypeVar("Value")
# The words of an address that say which pairs are meant; the others say what is shown of them.
SLICE_WORDS = (
    "cohort model source group center finding outcome labels view sex age low high against relation called".split()
)
WRONG = (Outcome.MISS, Outcome.FALSE_ALARM)
FIRST = "phantom"  # where Explore begins: its films are there on every machine
_SEVERAL = {"wrong": WRONG, "right": (Outcome.HIT, Outcome.CORRECT_REJECTION)}

_SCORE = "`python -m explorer score --help` tells how to have it scored."
# What an address names, where nothing here has that word.
_ABSENT = {
    "cohort": "a cohort that is not on this machine",
    "model": "a model that has not scored this cohort",
    "source": "no known source of frequency groups",
    "group": "no known frequency group",
    "center": "a center that this cohort does not have",
    "finding": "a finding that this model has no score for",
    "called": "a finding, called on the same film, that this model has no score for",
    "labels": "a source of labels that this cohort does not have",
    "view": "a view that this cohort does not have",
    "sex": "a sex that this cohort does not have",
    "age": "no known age band",
    "outcome": "no known outcome",
    "against": "a second model that has not scored this cohort",
    "relation": "no known comparison of models",
}


class WrongLink(Refusal):
    """An address that names what is not there: `title` says what is wrong, `detail` what was done or can be done."""


@dataclass(frozen=True, slots=True)
class Understood:
    """The slice nearest to what an address says, and a sentence for every word of it that had to be left out."""

    slice: Slice
    complaints: tuple[str, ...]


def word(text: str) -> str:
    """A name of the field as an address has it: lower case, hyphens."""
    return "-".join(text.lower().replace("+", " plus").split())  # a plus would be a blank


def cohort_id(cohort: str) -> str:
    """The cohort's id in addresses."""
    return opaque(cohort)


def model_id(cohort: str, model: str) -> str:
    """The id of a model of a cohort."""
    return opaque(cohort, "model", model)


def center_id(cohort: str, center: str) -> str:
    """The id of a center of a cohort."""
    return opaque(cohort, "center", center)


def label_source_id(cohort: str, source: str) -> str:
    """The id of those who labelled films of a cohort."""
    return opaque(cohort, "labels", source)


def chosen(store: Store, state: State) -> Slice:
    """The slice that the words mean; raises WrongLink where one of them means nothing here."""
    understood = nearest(store, state)
    if understood.complaints:
        raise not_followed(store, understood)
    return understood.slice


def not_followed(store: Store, understood: Understood) -> WrongLink:
    """The refusal of words that mean nothing here, perhaps because a cohort or a model is damaged."""
    return WrongLink("The link cannot be followed as it is", " ".join([*understood.complaints, *store.left_out()]))


def nearest(store: Store, state: State) -> Understood:
    """The slice that the words mean, without those that mean nothing here; raises WrongLink where nothing is left."""
    reader = _Reader(state)
    cohort = _cohort(store, reader)
    model = _model(store.models(cohort.name), cohort.name, reader)
    if state.get("broken"):
        reader.complaints.append("The link was damaged on its way. This is where Explore begins.")
    if reader.complaints or not any(state.get(name) for name in SLICE_WORDS):
        every = bool(state.get("hide") or state.get("ask"))
        return Understood(_opening(cohort, model, every=every), tuple(reader.complaints))
    facets = store.facets(cohort.name, model.model)
    found = Slice(cohort.name, model.model, **_restrictions(reader, cohort.name, facets))
    against, relation = _other(store.models(cohort.name), found, reader)
    return Understood(replace(found, against=against, relation=relation), tuple(reader.complaints))


def opening(store: Store, state: State) -> Slice:
    """Where Explore begins in the cohort and with the model that the words name, without asking for any film."""
    reader = _Reader(state)
    cohort = _cohort(store, reader)
    return _opening(cohort, _model(store.models(cohort.name), cohort.name, reader), every=bool(state.get("hide")))


def _opening(cohort: Manifest, model: ModelManifest, *, every: bool) -> Slice:
    """What is shown before anybody chose: the misses; without labels, or where `every` film is meant, all."""
    return Slice(cohort.name, model.model, outcomes=(Outcome.MISS,) if cohort.labelled and not every else ())


def state_of(chosen: Slice) -> dict[str, str]:
    """The words of a slice; `chosen` reads them back."""
    cohort = chosen.cohort
    words = {
        "cohort": cohort_id(cohort),
        "model": model_id(cohort, chosen.model),
        "source": chosen.source,
        "group": chosen.group and word(chosen.group),
        "center": chosen.center and center_id(cohort, chosen.center),
        "finding": chosen.finding and word(chosen.finding),
        "outcome": _outcome_words(chosen.outcomes),
        "labels": chosen.label_source and label_source_id(cohort, chosen.label_source),
        "view": chosen.view and word(chosen.view),
        "sex": chosen.sex and word(chosen.sex),
        "age": chosen.age and word(chosen.age),
        "low": None if chosen.low is None else f"{chosen.low:g}",
        "high": None if chosen.high is None else f"{chosen.high:g}",
        "against": chosen.against and model_id(cohort, chosen.against),
        "relation": chosen.relation and word(chosen.relation),
        "called": chosen.called and word(chosen.called),
    }
    return {name: text for name, text in words.items() if text}


class _Reader:
    """Takes words out of an address one by one and notes those that mean nothing."""

    def __init__(self, state: State) -> None:
        self._state = state
        self.complaints: list[str] = []

    def text(self, name: str) -> str:
        value = self._state.get(name)
        return value if isinstance(value, str) else ""

    def one(self, name: str, values: Iterable[Value], word_of: Callable[[Value], str]) -> Value | None:
        """The value whose word stands under `name`; None where none stands there, or none of these."""
        text = self.text(name)
        if not text:
            return None
        for value in values:
            if word_of(value) == text:
                return value
        self.complaints.append(f"The link names {_ABSENT[name]}. That was left out.")
        return None

    def number(self, name: str) -> float | None:
        text = self.text(name)
        if not text:
            return None
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if math.isfinite(value):
            return value
        self.complaints.append("The link names a score that is no number. That was left out.")
        return None


def _cohort(store: Store, reader: _Reader) -> Manifest:
    """The cohort that is named, else FIRST, else the first that a model has scored."""
    cohorts = store.cohorts()
    scored = [cohort for cohort in cohorts if store.models(cohort.name)]
    named = reader.one("cohort", cohorts, lambda cohort: cohort_id(cohort.name))
    if named in scored:
        return named
    if named is not None:
        reader.complaints.append(f"No model has scored {named.name} yet. {_SCORE}")
    if scored:
        return next((each for each in scored if each.name == FIRST), scored[0])
    if cohorts:
        raise WrongLink("No model has scored a cohort yet", _SCORE)
    raise WrongLink(
        "There is no cohort yet",
        "`python -m explorer demo` makes the shipped one again; `python -m explorer ingest --help` takes in yours.",
    )


def _model(models: Iterable[ModelManifest], cohort: str, reader: _Reader) -> ModelManifest:
    there = tuple(models)
    return reader.one("model", there, lambda model: model_id(cohort, model.model)) or there[0]


def _restrictions(reader: _Reader, cohort: str, facets: Facets) -> dict[str, Any]:
    low, high = reader.number("low"), reader.number("high")
    if low is not None and high is not None and low >= high:
        reader.complaints.append("The link names a range of scores that is empty. That was left out.")
        low = high = None
    return {
        "source": reader.one("source", get_args(Grouping), str) or "paper",
        "group": reader.one("group", FrequencyGroup, word),
        "center": reader.one("center", facets.centers, lambda name: center_id(cohort, name)),
        "finding": reader.one("finding", facets.findings, word),
        "outcomes": _outcomes(reader),
        "label_source": reader.one("labels", facets.label_sources, lambda name: label_source_id(cohort, name)),
        "view": reader.one("view", facets.views, word),
        "sex": reader.one("sex", facets.sexes, word),
        "age": reader.one("age", get_args(AgeBand), word),
        "low": low,
        "high": high,
        "called": reader.one("called", facets.findings, word),
    }


def _outcomes(reader: _Reader) -> tuple[Outcome, ...]:
    choices = {word(each): (each,) for each in Outcome} | _SEVERAL
    name = reader.one("outcome", choices, str)
    return choices[name] if name else ()


def _outcome_words(outcomes: tuple[Outcome, ...]) -> str | None:
    if len(outcomes) == 1:
        return word(outcomes[0])
    return next((name for name, several in _SEVERAL.items() if set(several) == set(outcomes)), None)


def _other(models: Iterable[ModelManifest], found: Slice, reader: _Reader) -> tuple[str | None, Relation | None]:
    others = [model.model for model in models if model.model != found.model]
    against = reader.one("against", others, lambda model: model_id(found.cohort, model))
    relation = reader.one("relation", get_args(Relation), word)
    if (against is None) == (relation is None):
        return against, relation
    if not reader.text("against") or not reader.text("relation"):
        reader.complaints.append("The link compares models but does not say which, or how. That was left out.")
    return None, None
