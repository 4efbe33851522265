"""What a question comes to before any film is looked at; the same for every film, so it is kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.asking.answer import Caution, Measured, NearFinding
from explorer.asking.answer_threshold import Cutoff, cutoff, is_unseen
from explorer.asking.cautions import cautions, cut_short, scored_text, weaknesses
from explorer.asking.finding_match import MEASURED_ON, Known, paraphrases, taken_for
from explorer.asking.model import TextModel
from explorer.asking.prompts import Prompts, prompts_of
from explorer.asking.question import Question
from explorer.asking.text_metrics import Labelled, measured
from explorer.asking.validation import Validation, validation
from models.array_types import Float32
from models.cards.routing import cautions_of
from models.cards.vlm_card import VlmCard
from models.exact_products import row_products


@dataclass(frozen=True, slots=True, eq=False)
class Ready:
    """A loaded model with what every question needs: the words of all findings and the validation films."""

    model: TextModel
    known: Known
    films: Validation | None

    @classmethod
    def of(cls, model: TextModel) -> Ready:
        """Embed the words of all findings, which loads the text tower, and read the validation films."""
        return cls(model, Known.of(model.embed_texts), validation(model.card))

    @property
    def card(self) -> VlmCard:
        return self.model.card


@dataclass(frozen=True, slots=True, eq=False)
class Heard:
    """A question understood: the text that is scored, what it is taken for, its prompts and how good they are.

    `directions` (1 + prompts, d) are those of the answer and of each prompt alone; `films` (n, 1 + prompts) are the
    margins of the validation films, None where there are none.
    """

    question: Question
    scored: str
    warnings: tuple[Caution, ...]
    nearest: tuple[NearFinding, ...]
    taken_for: NearFinding | None
    in_captions: bool | None
    prompts: Prompts
    directions: Float32
    films: NDArray[np.float32] | None
    cutoff: Cutoff
    measured: Measured | None


def hear(ready: Ready, question: Question) -> Heard:
    """Understand a question. Raises UnusableModel where the text tower is unavailable."""
    card, model = ready.card, ready.model
    scored = scored_text(question.text)
    nearest = ready.known.nearest(scored, model.embed_texts([scored])[0])
    near_is_measured = card.name in MEASURED_ON
    taken = taken_for(scored, nearest, near_is_measured)
    found = cautions(question.text, scored, nearest[0], near_is_measured)
    warnings = (*cut_short(question), *found, *weaknesses(taken.finding if taken else None, card.name, _warnings(card)))
    others = paraphrases(taken.finding, scored) if taken else ()
    prompts = prompts_of(scored, question.templates or card.templates, others)
    directions = model.directions(prompts.all)
    films = None if ready.films is None else row_products(ready.films.embeddings, directions)
    labelled = _labelled(ready.films, films, taken)
    counted = None
    if labelled and taken and ready.films:
        fixed = 0.0 if is_unseen(taken.finding, card.operating_points) else None
        counted = measured(labelled, taken.finding, ready.films.cohort, fixed)
    chosen = cutoff(labelled, counted, taken.finding if taken else None, card.operating_points)
    return Heard(
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
    """The warnings by finding of the model's card, and of the card of the classifier whose image tower it shares."""
    return {card.name: card.warnings} | ({card.tower: cautions_of(card.tower)} if card.tower else {})


def _labelled(
    films: Validation | None, margins: NDArray[np.float32] | None, taken: NearFinding | None
) -> Labelled | None:
    """The answer's margins on the validation films with the labels of the finding that the text is taken for."""
    labels = films.labels_of(taken.finding) if films and taken else None
    if films is None or margins is None or labels is None:
        return None
    return Labelled(margins[:, 0].astype(np.float64), labels, films.patients, films.folds)
