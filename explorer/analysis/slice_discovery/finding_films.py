"""One finding's films as slice discovery looks at them: which are misread, and to which half their patients belong."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from explorer.metrics.patient_ids import numbered
from models.array_types import Bools

if TYPE_CHECKING:
    from explorer.store.results import Column

Failure = Literal["miss", "false alarm"]
FAILURES: tuple[Failure, ...] = get_args(Failure)


@dataclass(frozen=True, slots=True, eq=False)
class FindingFilms:
    """The films of a slice that have a label and a call of one finding, each array (n,)."""

    finding: str
    films: NDArray[np.int32]  # the film's place among the cohort's case names
    present: Bools
    called: Bools
    scores: NDArray[np.float64]
    patients: NDArray[np.int64]
    looked: Bools  # of the half of the patients on which slices are looked for; the others are counted

    @classmethod
    def of(cls, column: Column, finding: str, seed: int = 0) -> FindingFilms:
        """Those of a column whose label is known and that have a threshold."""
        known = ~np.isnan(column.label) & ~np.isnan(column.threshold)
        patient, films = column.patient[known], column.case[known]
        return cls(
            finding=finding,
            films=films,
            present=column.label[known] == 1,
            called=column.score[known] >= column.threshold[known],
            scores=column.score[known].astype(np.float64),
            patients=numbered(patient),
            looked=looked_half(patient, films, seed),
        )

    def rows(self, failure: Failure) -> NDArray[np.intp]:
        """The films on which the model can fail like this: those with the finding, or those without."""
        return np.flatnonzero(self.present if failure == "miss" else ~self.present)

    def wrong(self) -> Bools:
        """Which films (n,) are misread."""
        return np.asarray(self.present != self.called)


def looked_half(patient: NDArray[np.object_], films: NDArray[np.int32], seed: int) -> Bools:
    """Whether each film (n,) is of the half on which slices are looked for.

    It follows from the name of the patient alone, of an unknown patient from the film's number: a patient is in the
    same half in every slice, for every finding and on every machine.
    """
    halves: dict[str, bool] = {}
    found = []
    for who, film in zip(patient.tolist(), films.tolist(), strict=True):
        key = f"{seed}\n{who}" if who else f"{seed}\n\n{film}"
        if key not in halves:
            halves[key] = bool(hashlib.blake2b(key.encode(), digest_size=1).digest()[0] & 1)
        found.append(halves[key])
    return np.array(found, dtype=np.bool_)
