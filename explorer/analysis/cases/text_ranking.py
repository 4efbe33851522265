"""A cohort's films in the order of how alike they are to a typed finding, by an image-text model's embeddings of them.

A film's margin is its embedding times the direction of the text: how much nearer it is to "with" than to "without".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from explorer.asking.question import Question
from explorer.asking.question_analysis import Heard
from explorer.cohorts.manifest import ModelManifest
from explorer.cohorts.unlisted import is_unlisted, shown_name
from explorer.reading.percentiles import places
from explorer.runtime.cached_per_owner import remembered
from explorer.store.slices import Slice
from models.array_types import Float32
from models.cards.vlm_card import VlmCard
from models.exact_products import row_products
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store

Numbers = NDArray[np.int32]


class NoRanking(Refusal):
    """A cohort that cannot be ranked by a text: `title` says what is missing, `detail` how to make it."""


class Texts(Protocol):
    """What understands texts; `explorer.asking.asker.Asker` is one."""

    @property
    def card(self) -> VlmCard: ...
    def hear(self, question: Question) -> Heard: ...


@dataclass(frozen=True, slots=True, eq=False)
class TextRanking:
    """Films by their number, the most similar first, equal ones by number; each array (n,).

    `percentiles` are places among the cohort's `of` films with an embedding: so many percent of them are less alike,
    films that are as alike counted half. `without` counts the slice's films that have no embedding: they are left out.
    """

    model: ModelManifest
    heard: Heard
    films: Numbers
    margins: Float32
    percentiles: NDArray[np.float64]
    of: int
    without: int


def ranking(store: Store, texts: Texts, chosen: Slice, text: str) -> TextRanking:
    """The slice's films ranked by a text, kept in memory until files change.

    Raises NoRanking where the cohort has no embeddings of the model that reads texts, and what the two raise.
    """
    made = _embedded(store, texts, chosen.cohort)
    heard = _heard(texts, text)
    versions = (store.version(chosen.cohort, made.model), store.version(chosen.cohort, chosen.model))
    return _ranking(store, chosen, made, heard, versions)


def margins(store: Store, cohort: str, ranked: TextRanking) -> Float32:
    """The margin of each of the cohort's films by its number, for the text of a ranking; NaN without an embedding."""
    return _margins(store, cohort, ranked.model.model, ranked.heard, store.version(cohort, ranked.model.model))


def rows_of_cases(store: Store, cohort: str, ranked: TextRanking) -> dict[str, int]:
    """The row of each case that a ranking has."""
    names = tuple(store.patients(cohort))
    return {names[film]: row for row, film in enumerate(ranked.films.tolist())}


def _embedded(store: Store, texts: Texts, cohort: str) -> ModelManifest:
    """What made the cohort's embeddings. Raises NoRanking where they are not those of this model."""
    card = texts.card
    made = next((each for each in store.models(cohort) if each.model == card.name.lower()), None)
    command = f"`python -m explorer score --cohort {cohort} --model {card.name}` makes them."
    if is_unlisted(cohort):
        command = "Keep them as a cohort on Read, and score that."
    if made is None:
        raise NoRanking(
            f"Films of {shown_name(cohort)} cannot be ranked by a text yet", f"{card.name} has not read them. {command}"
        )
    if made.sha256 != card.sha256:
        detail = f"They are of other weights of {card.name} than those that read texts here. Score the cohort again."
        raise NoRanking(f"The embeddings of {cohort} do not fit the text", detail)
    return made


@remembered(64)
def _heard(texts: Texts, text: str) -> Heard:
    """Once for each text: other questions may be waiting for the model."""
    return texts.hear(Question(text))


@remembered(8)
def _ranking(store: Store, chosen: Slice, made: ModelManifest, heard: Heard, versions: tuple[str, str]) -> TextRanking:
    every = _margins(store, chosen.cohort, made.model, heard, versions[0])
    films = store.films(chosen)
    found = every[films]
    known = ~np.isnan(found)
    films, found = films[known], found[known]
    order = np.argsort(-found, kind="stable")  # films come in the order of their numbers
    ascending = np.sort(every[~np.isnan(every)])
    ranked = found[order]
    percentiles = places(ranked, ascending) if len(ascending) else np.empty(0)
    return TextRanking(made, heard, films[order], ranked, percentiles, len(ascending), int((~known).sum()))


@remembered(8)
def _margins(store: Store, cohort: str, model: str, heard: Heard, version: str) -> Float32:
    vectors, direction = store.features(cohort, model).vectors, heard.directions[0]
    if vectors.shape[1:] != direction.shape:
        raise NoRanking(
            f"The embeddings of {cohort} do not fit the text",
            f"They have length {vectors.shape[1]}, the text {len(direction)}. Score the cohort again with {model}.",
        )
    numbers, n = _numbers(store, cohort, model, version)
    found = np.full(n, np.nan, np.float32)
    found[numbers[numbers >= 0]] = row_products(vectors, direction[None])[numbers >= 0, 0]
    return found


@remembered(4)
def _numbers(store: Store, cohort: str, model: str, version: str) -> tuple[Numbers, int]:
    """The number of each film that has features, -1 where the cohort does not have it; and how many films there are."""
    places = {case: number for number, case in enumerate(store.patients(cohort))}
    cases = store.features(cohort, model).cases
    return np.array([places.get(case, -1) for case in cases], np.int32), len(places)
