"""Ranks a cohort's films by similarity to a typed finding, with an image-text model's embeddings.

A film's margin is the dot product of its embedding and the text's direction: how much closer the film is to "with" than
to "without" the finding.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from explorer.asking.question import Question
from explorer.asking.question_analysis import AnalyzedQuestion
from explorer.cohorts.counted import CASES
from explorer.cohorts.manifest import ModelManifest
from explorer.cohorts.unlisted import is_unlisted, public_name
from explorer.reading.percentiles import percentiles_of
from explorer.runtime.cached_per_owner import cached_per_owner
from explorer.store.slices import Slice
from models.array_types import Float32
from models.cards.vlm_card import VlmCard
from models.exact_products import row_products
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store

FilmNumbers = NDArray[np.int32]


class NoRanking(Refusal):
    """A cohort that cannot be ranked by a text: `title` says what is missing, `detail` how to create it."""


class TextInterpreter(Protocol):
    """A model that interprets typed findings; `explorer.asking.asker.Asker` is one."""

    @property
    def card(self) -> VlmCard: ...
    def analyze(self, question: Question) -> AnalyzedQuestion: ...


@dataclass(frozen=True, slots=True, eq=False)
class TextRanking:
    """Film numbers sorted by similarity, ties by number; each array has shape (n,).

    `percentiles` give the percentage of the cohort's films that are less similar, with ties counted half. `embedded`
    counts the cohort's films with an embedding, `left_out` the slice's films without one.
    """

    model: ModelManifest
    analysis: AnalyzedQuestion
    films: FilmNumbers
    margins: Float32
    percentiles: NDArray[np.float64]
    embedded: int
    left_out: int


def rank_by_text(store: Store, texts: TextInterpreter, chosen: Slice, text: str) -> TextRanking:
    """Rank the slice's films by a text; cached until files change.

    Raises NoRanking if the cohort lacks the text model's embeddings, and the errors of `store` and `texts`.
    """
    made = _embedded(store, texts, chosen.cohort)
    analysis = _analyzed(texts, text)
    versions = (store.version(chosen.cohort, made.model), store.version(chosen.cohort, chosen.model))
    return _ranking(store, chosen, made, analysis, versions)


def text_margins(store: Store, cohort: str, ranked: TextRanking) -> Float32:
    """Return the margin of every film of the cohort for a ranking's text, by film number; NaN without an embedding."""
    return _margins(store, cohort, ranked.model.model, ranked.analysis, store.version(cohort, ranked.model.model))


def ranked_rows(store: Store, cohort: str, ranked: TextRanking) -> dict[str, int]:
    """Return the row of each ranked case."""
    names = tuple(store.patients(cohort))
    return {names[film]: row for row, film in enumerate(ranked.films.tolist())}


def _embedded(store: Store, texts: TextInterpreter, cohort: str) -> ModelManifest:
    """Return the model that made the cohort's embeddings. Raises NoRanking if that is not this model."""
    card = texts.card
    made = next((each for each in store.models(cohort) if each.model == card.name.lower()), None)
    command = f"Run `python -m explorer score --cohort {cohort} --model {card.name}`."
    if is_unlisted(cohort):
        command = "Save them as a cohort on Read, then score that cohort."
    if made is None:
        raise NoRanking(
            f"{CASES[store.counted(cohort)]} of {public_name(cohort)} cannot be ranked by a text yet",
            f"{card.name} has not read them. {command}",
        )
    if made.sha256 != card.sha256:
        detail = f"They were made with other weights of {card.name}. Score the cohort again."
        raise NoRanking(f"The embeddings of {cohort} do not fit the text", detail)
    return made


@cached_per_owner(64)
def _analyzed(texts: TextInterpreter, text: str) -> AnalyzedQuestion:
    """Interpret each text only once: other questions may be waiting for the model."""
    return texts.analyze(Question(text))


@cached_per_owner(8)
def _ranking(
    store: Store, chosen: Slice, made: ModelManifest, analysis: AnalyzedQuestion, versions: tuple[str, str]
) -> TextRanking:
    every = _margins(store, chosen.cohort, made.model, analysis, versions[0])
    films = store.films(chosen)
    found = every[films]
    known = ~np.isnan(found)
    films, found = films[known], found[known]
    order = np.argsort(-found, kind="stable")  # films come in the order of their numbers
    ascending = np.sort(every[~np.isnan(every)])
    ranked = found[order]
    percentiles = percentiles_of(ranked, ascending) if len(ascending) else np.empty(0)
    return TextRanking(made, analysis, films[order], ranked, percentiles, len(ascending), int((~known).sum()))


@cached_per_owner(8)
def _margins(store: Store, cohort: str, model: str, analysis: AnalyzedQuestion, version: str) -> Float32:
    vectors, direction = store.features(cohort, model).vectors, analysis.directions[0]
    if vectors.shape[1:] != direction.shape:
        raise NoRanking(
            f"The embeddings of {cohort} do not fit the text",
            f"They have length {vectors.shape[1]}, the text {len(direction)}. Score the cohort again with {model}.",
        )
    numbers, n = _numbers(store, cohort, model, version)
    found = np.full(n, np.nan, np.float32)
    found[numbers[numbers >= 0]] = row_products(vectors, direction[None])[numbers >= 0, 0]
    return found


@cached_per_owner(4)
def _numbers(store: Store, cohort: str, model: str, version: str) -> tuple[FilmNumbers, int]:
    """Return the number of each film with features, -1 if it is not in the cohort, and the number of films."""
    places = {case: number for number, case in enumerate(store.patients(cohort))}
    cases = store.features(cohort, model).cases
    return np.array([places.get(case, -1) for case in cases], np.int32), len(places)
