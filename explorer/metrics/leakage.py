"""Where something was fitted, so that it is never reported on the cases it was fitted on."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

_DIGEST = (
    8  # bytes of a hash: among 75,000 cases two different ids fall together with a chance of about 1 in 10 billion
)


class SameCases(ValueError):
    """A threshold or a calibration was about to be reported on cases it was fitted on."""

    def __init__(self, what: str, fitted_on: FittedOn, shared: int) -> None:
        super().__init__(
            f"{what} was fitted on {fitted_on.cases} cases of {fitted_on.cohort}, and {shared} of them are among the "
            "cases to report on. Figures from them would be too good. Fit on one split and report on another."
        )
        self.fitted_on = fitted_on
        self.shared = shared


@dataclass(frozen=True, slots=True)
class FittedOn:
    """The cases something was fitted on: a cohort's name and a digest of every case id, never the ids themselves.

    Give patients' ids instead of films', in fitting and in reporting, where the other films of a patient must not count
    as new cases. An id must mean the same film (or patient) in every cohort: put the source before ids like "17". An id
    is text, blanks around it aside, or a whole number, which is the same as its digits.
    """

    cohort: str
    digests: bytes = field(repr=False)  # of the different ids, sorted, 8 bytes each

    @classmethod
    def of(cls, cohort: str, case_ids: Sequence[object], cases: int) -> FittedOn:
        """The cases of `cohort` with these ids. Raises ValueError unless there are cases, each with an id."""
        if len(case_ids) != cases:
            raise ValueError(f"There are {len(case_ids)} ids for {cases} cases. Give one id for each case.")
        return cls(cohort, _digests(case_ids).tobytes())

    @property
    def cases(self) -> int:
        """How many different ids there were."""
        return len(self.digests) // _DIGEST

    @property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits, the same for the same set of ids in any order, to show and to compare."""
        return hashlib.blake2b(self.digests, digest_size=_DIGEST).hexdigest()

    def refuse(self, what: str, case_ids: Iterable[object]) -> None:
        """Raises SameCases where any of the cases to report on is one of these, ValueError for ids that `of` refuses.

        `what` begins the sentence.
        """
        own = np.frombuffer(self.digests, ">u8")
        shared = len(np.intersect1d(own, _digests(case_ids), assume_unique=True))
        if shared:
            raise SameCases(what, self, shared)

    def to_dict(self) -> dict[str, Any]:
        """For JSON; `from_dict` reads it back."""
        return {"cohort": self.cohort, "digests": base64.b64encode(self.digests).decode("ascii")}

    @classmethod
    def from_dict(cls, table: dict[str, Any]) -> FittedOn:
        """What `to_dict` wrote."""
        return cls(table["cohort"], base64.b64decode(table["digests"], validate=True))


def _digests(case_ids: Iterable[object]) -> NDArray[np.uint64]:
    if isinstance(case_ids, (str, bytes)):
        raise ValueError("A single text was given in place of case ids. Give one id for each case.")
    each = b"".join(
        hashlib.blake2b(_text(one).encode(errors="surrogateescape"), digest_size=_DIGEST).digest() for one in case_ids
    )
    if not each:
        raise ValueError(
            "There are no case ids. Without them, overlap between fitted and reported cases cannot be checked."
        )
    return np.unique(np.frombuffer(each, ">u8"))


def _text(case_id: object) -> str:
    whole = isinstance(case_id, (int, np.integer)) and not isinstance(case_id, bool)
    text = str(case_id).strip() if whole or isinstance(case_id, str) else ""
    if not text:
        raise ValueError(
            f"{case_id!r} is not a case id. Give text or a whole number for each case: 7.0 and b'7' could be another 7."
        )
    return text


def named_columns(findings: Sequence[str], array: NDArray[np.float64]) -> Iterable[tuple[int, str]]:
    """Number and finding of each column of an array (n, findings). Raises ValueError unless each has its own name."""
    if len(findings) != array.shape[1] or len(set(findings)) != len(findings):
        raise ValueError(f"{len(findings)} findings for {array.shape[1]} columns. Give each column a name of its own.")
    return enumerate(findings)
