"""How often each case counts in several resamples, stored by case in the smallest type that holds every sum.

A row holds one case in all resamples, so that sums over cases read memory in order and use vector instructions. Integer
counts have exact sums in any order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from explorer.core.arrays import Counts, Floats

Value = TypeVar("Value")
_WHOLE = (np.uint16, np.uint32, np.uint64)


@dataclass(frozen=True, slots=True, eq=False)
class CaseCounts:
    """Counts or weights (n, resamples): `by_case` as integers if possible, `floats` as floats."""

    by_case: npt.NDArray[Any]
    floats: Floats

    @classmethod
    def of(cls, counts: Counts) -> CaseCounts:
        """Convert counts or weights (resamples, n)."""
        floats = np.ascontiguousarray(counts.T, dtype=np.float64)
        if counts.dtype.kind == "f":
            return cls(floats, floats)
        largest = int((np.ones(len(floats)) @ floats).max(initial=0))  # exact, and faster than a sum
        kind = next(each for each in _WHOLE if largest <= np.iinfo(each).max)
        return cls(np.ascontiguousarray(counts.T, dtype=kind), floats)

    @property
    def once(self) -> bool:
        """Whether these are the original cases, each counted once."""
        return self.by_case.shape[1] == 1 and bool((self.by_case == 1).all())


def computed_once(make: Callable[[], Value]) -> Callable[[], Value]:
    """Return a function that computes a value on its first call; figures of the original cases may not need it."""
    lock, made = Lock(), list[Value]()

    def get() -> Value:
        with lock:
            if not made:
                made.append(make())
        return made[0]

    return get
