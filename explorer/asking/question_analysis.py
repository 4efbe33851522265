"""Analyzes a question independently of any film, so that the result can be reused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.asking.answer import Caution, NearFinding, TextMeasurement
from explorer.asking.answer_threshold import Cutoff, cutoff, is_unseen
from explorer.asking.cautions import cautions, cut_short, scored_text, weaknesses
from explorer.asking.finding_match import MEASURED_ON, FindingEmbeddings, matching_finding, paraphrases
from explorer.asking.model import TextModel
from explorer.asking.prompts import QuestionPrompts, question_prompts
from explorer.asking.question import Question
from explorer.asking.text_metrics import LabeledMargins, measure_text
from explorer.asking.validation import Validation, validation
from models.array_types import Float32
from models.cards.routing import cautions_of
from models.cards.vlm_card import VlmCard
from models.exact_products import row_products


@dataclass(frozen=True, slots=True, eq=False)
class PreparedModel:
    """A loaded model with the embedded terms of all findings and the validation films."""

    model: TextModel
    known: FindingEmbeddings
    films: Validation | None

    @classmethod
    def of(cls, model: TextModel) -> PreparedModel:
        """Embed the terms of all findings (this loads the text tower) and read the validation films."""
        return cls(model, FindingEmbeddings.of(model.embed_texts), validation(model.card))

    @property
    def card(self) -> VlmCard:
        return self.model.card


@dataclass(frozen=True, slots=True, eq=False)
class AnalyzedQuestion:
    """An analyzed question: the scored text, its matching finding, its prompts and their performance.

    `directions` (1 + prompts, d) belong to the answer and to each single prompt; `films` (n, 1 + prompts) are the
    validation films' margins, or None.
    """

    question: Question
    scored: str
    warnings: tuple[Caution, ...]
    nearest: tuple[NearFinding, ...]
    taken_for: NearFinding | None
    in_captions: bool | None
    prompts: QuestionPrompts
    directions: Float32
    films: NDArray[np.float32] | None
    cutoff: Cutoff
    measured: TextMeasurement | None


def analyze_question(ready: PreparedModel, question: Question) -> AnalyzedQuestion:
    """Analyze a question. Raises UnusableModel if the text tower is unavailable."""
    card, model = ready.card, ready.model
    scored = scored_text(question.text)
    nearest = ready.known.nearest(scored, model.embed_texts([scored])[0])
    near_is_measured = card.name in MEASURED_ON
    taken = matching_finding(scored, nearest, near_is_measured)
    found = cautions(question.text, scored, nearest[0], near_is_measured)
    warnings = (*cut_short(question), *found, *weaknesses(taken.finding if taken else None, card.name, _warnings(card)))
    others = paraphrases(taken.finding, scored) if taken else ()
    prompts = question_prompts(scored, question.templates or card.templates, others)
    directions = model.directions(prompts.all)
    films = None if ready.films is None else row_products(ready.films.embeddings, directions)
    labelled = _labelled(ready.films, films, taken)
    counted = None
    if labelled and taken and ready.films:
        fixed = 0.0 if is_unseen(taken.finding, card.operating_points) else None
        counted = measure_text(labelled, taken.finding, ready.films.cohort, fixed)
    chosen = cutoff(labelled, counted, taken.finding if taken else None, card.operating_points)
    return AnalyzedQuestion(
        question,
        scored,
        warnings,
        nearest,
        taken,
        taken is not None and taken.finding in card.captions if card.captions else None,
        prompts,
        directions,
        films,
        chosen,
        counted,
    )


def _warnings(card: VlmCard) -> dict[str, Mapping[str, str]]:
    """Return warnings by finding from the cards of the model and of the classifier whose image tower it shares."""
    return {card.name: card.warnings} | ({card.tower: cautions_of(card.tower)} if card.tower else {})


def _labelled(
    films: Validation | None, margins: NDArray[np.float32] | None, taken: NearFinding | None
) -> LabeledMargins | None:
    """Return the answer's margins on the validation films, with the matching finding's labels, or None."""
    labels = films.labels_of(taken.finding) if films and taken else None
    if films is None or margins is None or labels is None:
        return None
    return LabeledMargins(margins[:, 0].astype(np.float64), labels, films.patients, films.folds)
