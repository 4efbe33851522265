"""Which films a rule that uses scores may look at, and whether a finding has enough labels among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.core.figures import MINUS
from explorer.core.word_lists import and_list

if TYPE_CHECKING:
    from explorer.store.results import Column

MIN_LABELED_FILMS = 20  # fewest films labeled present, and fewest absent: 5 % of fewer is less than one film


@dataclass(frozen=True, slots=True, eq=False)
class EligibleFilms:
    """The films of a column (n,) at centers that the model did not train on, and how many are labeled either way."""

    inside: NDArray[np.bool_]
    positives: int
    negatives: int

    @classmethod
    def of(cls, column: Column, fitted: Sequence[str]) -> EligibleFilms:
        """Return the films of all centers but the `fitted` ones."""
        inside = ~np.isin(column.center.astype(str), fitted)
        positives, negatives = (int((inside & (column.label == label)).sum()) for label in (1, 0))
        return cls(inside, positives, negatives)

    @property
    def too_few(self) -> str:
        """Why the finding is not checked; empty if enough films are labeled."""
        if min(self.positives, self.negatives) >= MIN_LABELED_FILMS:
            return ""
        few = self.positives < MIN_LABELED_FILMS
        word, n = ("n+", self.positives) if few else (f"n{MINUS}", self.negatives)
        return f"{word} {n}, fewer than {MIN_LABELED_FILMS}"


def left_out_words(fitted: Sequence[str]) -> str:
    """Return a sentence, with a blank before it, about the centers that are left out; empty without any."""
    return f" Films of {and_list(fitted)} are left out: the model may have trained on them." if fitted else ""
