"""One finding's films for slice discovery: which are misread, and which half their patients belong to."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from explorer.metrics.patient_ids import patient_numbers
from models.array_types import Bools

if TYPE_CHECKING:
    from explorer.store.results import Column

Failure = Literal["miss", "false alarm"]
FAILURE_KINDS: tuple[Failure, ...] = get_args(Failure)


@dataclass(frozen=True, slots=True, eq=False)
class FindingFilms:
    """The films of a slice with a label and a call of one finding; each array (n,)."""

    finding: str
    films: NDArray[np.int32]  # index among the cohort's case names
    present: Bools
    called: Bools
    scores: NDArray[np.float64]
    patients: NDArray[np.int64]
    searched: Bools  # in the search half of the patients; the others are held out

    @classmethod
    def of(cls, column: Column, finding: str, seed: int = 0) -> FindingFilms:
        """Take the films of a column with a known label and a threshold."""
        known = ~np.isnan(column.label) & ~np.isnan(column.threshold)
        patient, films = column.patient[known], column.case[known]
        return cls(
            finding=finding,
            films=films,
            present=column.label[known] == 1,
            called=column.score[known] >= column.threshold[known],
            scores=column.score[known].astype(np.float64),
            patients=patient_numbers(patient),
            searched=in_search_half(patient, films, seed),
        )

    def rows(self, failure: Failure) -> NDArray[np.intp]:
        """Return the films that can show the failure: those with the finding for misses, else those without."""
        return np.flatnonzero(self.present if failure == "miss" else ~self.present)

    def wrong(self) -> Bools:
        """Return which films (n,) are misread."""
        return np.asarray(self.present != self.called)


def in_search_half(patient: NDArray[np.object_], films: NDArray[np.int32], seed: int) -> Bools:
    """Return whether each film (n,) is in the search half.

    The patient's name, or the film's number if unknown, determines it: a patient is in the same half for every slice,
    finding and machine.
    """
    halves: dict[str, bool] = {}
    found = []
    for who, film in zip(patient.tolist(), films.tolist(), strict=True):
        key = f"{seed}\n{who}" if who else f"{seed}\n\n{film}"
        if key not in halves:
            halves[key] = bool(hashlib.blake2b(key.encode(), digest_size=1).digest()[0] & 1)
        found.append(halves[key])
    return np.array(found, dtype=np.bool_)
