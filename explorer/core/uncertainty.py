"""Ways to count uncertain labels in an evaluation.

The policies are CheXpert's (Irvin et al., AAAI 2019, section "Uncertainty Approaches"), applied to a test set:
U-Ignore, U-Zeros and U-Ones. U-SelfTrained and U-MultiClass concern training (relabeling with the model's own scores,
or a third output) and have no meaning for evaluation.
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
UncertainAs = Literal["absent", "present"]  # what a slice counts uncertain labels as, if it counts them
UNCERTAIN_AS: tuple[UncertainAs, ...] = get_args(UncertainAs)
POLICY_OF: Mapping[UncertainAs | None, Policy] = MappingProxyType(
    {None: "ignore", "absent": "zeros", "present": "ones"}
)

_COUNTED_AS: Mapping[Policy, float] = MappingProxyType({"ignore": np.nan, "zeros": 0.0, "ones": 1.0})


@dataclass(frozen=True, slots=True)
class LabelView:
    """Labels under one policy, with the number of cases left for each finding."""

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


def uncertainty_views(labels: ArrayLike, uncertain: ArrayLike) -> Mapping[Policy, LabelView]:
    """Return the three views of labels (n, findings): 1 present, 0 absent, NaN unknown, with a mask of uncertain pairs.

    "ignore" leaves uncertain pairs out, "zeros" counts them as absent, "ones" as present. Unknown pairs that are not
    uncertain stay unknown. Raises ValueError if the shapes differ, the mask is not boolean, a label has another value,
    or an uncertain pair has a label.
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
        raise ValueError("A pair is uncertain and also has a label. Set the label to NaN, or unmark the pair.")
    views = {policy: LabelView(policy, np.where(mask, _COUNTED_AS[policy], known)) for policy in POLICIES}
    return MappingProxyType(views)
