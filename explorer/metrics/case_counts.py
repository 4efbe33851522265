"""How often each case counts in several resamples, case by case, in the smallest type that holds every sum of them.

A row of counts is one case in all resamples, so that sums over cases go through memory in order, and many counts fit in
one instruction. Whole counts have exact sums, in whatever order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from explorer.core.arrays import Counts, Floats

Made = TypeVar("Made")
_WHOLE = (np.uint16, np.uint32, np.uint64)


@dataclass(frozen=True, slots=True, eq=False)
class CaseCounts:
    """Counts or weights (n, resamples): `by_case` whole where they are, `floats` the same as floats."""

    by_case: npt.NDArray[Any]
    floats: Floats

    @classmethod
    def of(cls, counts: Counts) -> CaseCounts:
        """Of counts or weights (resamples, n)."""
        floats = np.ascontiguousarray(counts.T, dtype=np.float64)
        if counts.dtype.kind == "f":
            return cls(floats, floats)
        largest = int(counts.sum(axis=1).max(initial=0))
        kind = next(each for each in _WHOLE if largest <= np.iinfo(each).max)
        return cls(np.ascontiguousarray(counts.T, dtype=kind), floats)

    @property
    def once(self) -> bool:
        """Whether these are the cases as they are: all of them, once."""
        return self.by_case.shape[1] == 1 and bool((self.by_case == 1).all())


def made_on_first_use(make: Callable[[], Made]) -> Callable[[], Made]:
    """What is made when it is first asked for, once; figures of the cases as they are do without it."""
    lock, made = Lock(), list[Made]()

    def get() -> Made:
        with lock:
            if not made:
                made.append(make())
        return made[0]

    return get
