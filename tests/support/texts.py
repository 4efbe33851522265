"""What understands texts in tests: each text is a direction that the test says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from explorer.asking.answer import Caution, NearFinding
from explorer.asking.answer_threshold import Cutoff
from explorer.asking.prompts import question_prompts
from explorer.asking.question import Question
from explorer.asking.question_analysis import AnalyzedQuestion
from models.cards.vlm_card import VlmCard, vlm_card
from models.prompts.templates import TEMPLATES

VLM = "reads-texts"


def vlm_of(name: str = VLM, sha256: str | None = "ab12") -> VlmCard:
    """The card of a model that nobody loads."""
    return replace(vlm_card("chexzero"), name=name, sha256=sha256)


class Texts:
    """`explorer.analysis.cases.text_ranking.TextInterpreter`: counts how often it is asked."""

    def __init__(
        self,
        directions: Mapping[str, NDArray[np.float32]],
        taken_for: str | None = None,
        *,
        card: VlmCard | None = None,
        warnings: tuple[Caution, ...] = (),
    ) -> None:
        self.directions = directions
        self.card = card or vlm_of()
        self.asked: list[str] = []
        self._near = (NearFinding(taken_for or "Mass", 0.82 if taken_for else 0.3),)
        self._taken = self._near[0] if taken_for else None
        self._warnings = warnings

    def analyze(self, question: Question) -> AnalyzedQuestion:
        self.asked.append(question.text)
        return AnalyzedQuestion(
            question=question,
            scored=question.text,
            warnings=self._warnings,
            nearest=self._near,
            taken_for=self._taken,
            in_captions=None,
            prompts=question_prompts(question.text, TEMPLATES, ()),
            directions=np.asarray(self.directions[question.text], np.float32)[None],
            films=None,
            cutoff=Cutoff(0.0, "half", False),
            measured=None,
        )
