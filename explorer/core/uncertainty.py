"""What an uncertain label counts as when models are evaluated, the three ways side by side.

The policies are CheXpert's (Irvin et al., AAAI 2019, section "Uncertainty Approaches"), read as views of a test set:
U-Ignore, U-Zeros and U-Ones. Its U-SelfTrained and U-MultiClass say how a model is trained, by relabeling with its own
scores or with a third output: they have no meaning for labels to evaluate on and belong to training.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.core.arrays import Floats

Policy = Literal["ignore", "zeros", "ones"]
POLICIES: tuple[Policy, ...] = get_args(Policy)

_COUNTED_AS: Mapping[Policy, float] = MappingProxyType({"ignore": np.nan, "zeros": 0.0, "ones": 1.0})


@dataclass(frozen=True, slots=True)
class View:
    """Labels under one policy, and how many cases it leaves for each finding."""

    policy: Policy
    labels: Floats  # (n, findings): 1 present, 0 absent, NaN unknown

    @property
    def present(self) -> NDArray[np.int64]:
        """Cases with the finding (findings,)."""
        return np.asarray((self.labels == 1).sum(axis=0), dtype=np.int64)

    @property
    def absent(self) -> NDArray[np.int64]:
        """Cases without the finding (findings,)."""
        return np.asarray((self.labels == 0).sum(axis=0), dtype=np.int64)

    @property
    def left_out(self) -> NDArray[np.int64]:
        """Cases that do not count for the finding (findings,)."""
        return np.asarray(np.isnan(self.labels).sum(axis=0), dtype=np.int64)


def uncertainty_views(labels: ArrayLike, uncertain: ArrayLike) -> Mapping[Policy, View]:
    """The three views of labels (n, findings): 1 present, 0 absent, NaN unknown, with a mask of the uncertain ones.

    "ignore" leaves uncertain pairs out, "zeros" counts them absent, "ones" present. What is unknown and not uncertain
    stays unknown in all three. Raises ValueError where the shapes differ, the mask is not of truth values, a label is
    none of the three, or an uncertain pair has a label: it would be both.
    """
    known, mask = np.asarray(labels, dtype=np.float64), np.asarray(uncertain)
    if known.ndim != 2 or known.shape != mask.shape or mask.dtype != np.bool_:
        raise ValueError(
            f"Labels {known.shape} and uncertain {mask.shape} ({mask.dtype}) do not fit. "
            "Give both as (cases, findings), and True where a label is uncertain."
        )
    if (~((known == 0) | (known == 1) | np.isnan(known))).any():
        raise ValueError(
            "A label is neither 1 (present), 0 (absent) nor NaN (unknown). Mark uncertain ones in the mask."
        )
    if (mask & ~np.isnan(known)).any():
        raise ValueError("An uncertain pair has a label too. Make the label NaN, or the pair certain.")
    views = {policy: View(policy, np.where(mask, _COUNTED_AS[policy], known)) for policy in POLICIES}
    return MappingProxyType(views)
