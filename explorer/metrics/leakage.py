"""Records the cases that something was fitted on, so that it is never reported on the same cases."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

_DIGEST = 8  # bytes of a hash: among 75,000 cases, the chance that two ids collide is about 1 in 10 billion


class SameCases(ValueError):
    """A threshold or calibration would be reported on cases that it was fitted on."""

    def __init__(self, what: str, fitted_on: FittedOn, shared: int) -> None:
        super().__init__(
            f"{what} was fitted on {fitted_on.cases} cases of {fitted_on.cohort}, and {shared} of them are among the "
            "cases to report on. Its figures would be too optimistic. Fit on one split and report on another."
        )
        self.fitted_on = fitted_on
        self.shared = shared


@dataclass(frozen=True, slots=True)
class FittedOn:
    """The cases that something was fitted on: a cohort's name and a hash of every case id, never the ids themselves.

    Use patient ids instead of film ids, in fitting and reporting, if other films of the same patient must not count as
    new cases. An id must mean the same film (or patient) in every cohort: prefix ids like "17" with their source. An id
    is text (surrounding blanks are ignored) or an integer, which equals its digits.
    """

    cohort: str
    digests: bytes = field(repr=False)  # of the distinct ids, sorted, 8 bytes each

    @classmethod
    def of(cls, cohort: str, case_ids: Sequence[object], cases: int) -> FittedOn:
        """Record the cases of `cohort` with these ids. Raises ValueError unless there are cases, each with an id."""
        if len(case_ids) != cases:
            raise ValueError(f"There are {len(case_ids)} ids for {cases} cases. Give one id per case.")
        return cls(cohort, _digests(case_ids).tobytes())

    @property
    def cases(self) -> int:
        """The number of distinct ids."""
        return len(self.digests) // _DIGEST

    @property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits, equal for the same set of ids in any order, for display and comparison."""
        return hashlib.blake2b(self.digests, digest_size=_DIGEST).hexdigest()

    def refuse(self, what: str, case_ids: Iterable[object]) -> None:
        """Raise SameCases if any case to report on is one of these, ValueError for ids that `of` rejects.

        `what` starts the sentence.
        """
        own = np.frombuffer(self.digests, ">u8")
        shared = len(np.intersect1d(own, _digests(case_ids), assume_unique=True))
        if shared:
            raise SameCases(what, self, shared)

    def among(self, case_ids: Sequence[object]) -> NDArray[np.bool_]:
        """Return which ids (n,) are among these cases. Raises ValueError for ids that `of` rejects."""
        found: NDArray[np.bool_] = np.isin(_digest_of_each(case_ids), np.frombuffer(self.digests, ">u8"))
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return a dict for JSON; `from_dict` reads it back."""
        return {"cohort": self.cohort, "digests": base64.b64encode(self.digests).decode("ascii")}

    @classmethod
    def from_dict(cls, table: dict[str, Any]) -> FittedOn:
        """Return the object that `to_dict` wrote."""
        return cls(table["cohort"], base64.b64decode(table["digests"], validate=True))


def _digests(case_ids: Iterable[object]) -> NDArray[np.uint64]:
    return np.unique(_digest_of_each(case_ids))


def _digest_of_each(case_ids: Iterable[object]) -> NDArray[np.uint64]:
    if isinstance(case_ids, (str, bytes)):
        raise ValueError("A single text was given in place of case ids. Give one id per case.")
    each = b"".join(
        hashlib.blake2b(_text(one).encode(errors="surrogateescape"), digest_size=_DIGEST).digest() for one in case_ids
    )
    if not each:
        raise ValueError(
            "There are no case ids. Without them, overlap between fitted and reported cases cannot be checked."
        )
    return np.frombuffer(each, ">u8")


def _text(case_id: object) -> str:
    whole = isinstance(case_id, (int, np.integer)) and not isinstance(case_id, bool)
    text = str(case_id).strip() if whole or isinstance(case_id, str) else ""
    if not text:
        raise ValueError(
            f"{case_id!r} is not a case id. Give text or an integer for each case: 7.0 or b'7' may not mean 7."
        )
    return text


def named_columns(findings: Sequence[str], array: NDArray[np.float64]) -> Iterable[tuple[int, str]]:
    """Return index and finding of each column of an array (n, findings). Raises ValueError unless names are unique."""
    if len(findings) != array.shape[1] or len(set(findings)) != len(findings):
        raise ValueError(f"{len(findings)} findings for {array.shape[1]} columns. Give each column a unique name.")
    return enumerate(findings)
