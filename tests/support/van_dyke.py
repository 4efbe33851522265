"""A published reader study: five readers rated two kinds of MRI of 114 patients for aortic dissection, from 1 to 5.

Van Dyke et al., Radiological Society of North America, 79th meeting, 1993. The ratings are those that RJafroc's file
VD.lrc has; the results are printed in Smith and Hillis' description of MRMCaov (section on covariance methods).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# By reader: each patient's rating of single spin-echo and of cine MRI; 69 patients without dissection, then 45 with.
_WITHOUT = (
    "13 23 23 12 52 12 12 12 13 12 11 13 41 12 12 12 12 12 12 11 11 11 31 11 34 12 11 23 11 42 12 11 14 13 12 33 11 22 "
    "13 21 12 12 22 33 33 11 31 11 13 33 33 11 11 13 14 11 12 24 22 11 12 14 11 34 34 22 11 11 11",
    "23 32 22 22 22 22 22 22 23 32 22 22 52 22 22 21 32 22 22 22 21 22 22 22 43 22 22 22 22 32 22 21 22 22 21 22 22 22 "
    "22 22 23 21 22 22 23 22 22 22 22 22 22 22 22 22 23 22 22 43 32 22 22 32 22 22 22 22 21 22 22",
    "22 24 22 22 32 52 13 12 22 22 41 21 41 23 22 22 32 22 21 22 11 21 32 21 44 11 11 35 21 22 11 11 22 21 22 42 12 21 "
    "12 42 12 21 11 13 22 21 21 21 22 23 33 21 11 13 22 12 11 22 23 12 13 54 11 42 24 12 21 12 21",
    "12 12 11 11 11 11 33 11 12 11 11 11 11 12 12 11 11 11 12 11 21 11 11 11 23 12 11 12 11 22 11 11 11 11 12 12 11 11 "
    "12 11 11 11 11 11 12 11 12 11 32 31 12 12 11 11 11 11 11 12 11 12 11 11 11 33 12 13 12 11 11",
    "32 52 13 21 12 12 12 12 21 22 22 12 21 11 11 12 22 22 11 12 32 22 21 12 13 12 12 23 12 11 22 11 12 22 32 12 21 21 "
    "12 11 12 31 31 33 22 11 12 12 23 13 12 11 12 12 12 12 11 32 42 12 22 33 11 22 13 23 11 11 31",
)
_WITH = (
    "55 53 55 55 45 55 55 55 44 55 55 55 45 34 44 23 43 55 55 55 55 55 55 55 13 55 45 43 55 45 55 55 34 54 55 55 15 13 "
    "55 55 55 45 45 55 11",
    "55 33 55 55 55 55 55 45 22 55 55 55 43 44 24 22 24 55 54 55 55 55 54 55 22 45 32 33 55 45 55 53 22 44 22 55 25 22 "
    "55 55 55 55 35 55 22",
    "55 42 55 55 55 55 55 55 55 55 55 55 53 45 24 31 54 55 55 55 55 55 55 55 22 55 23 23 55 55 55 54 23 55 55 55 25 23 "
    "54 55 55 55 55 55 21",
    "55 54 55 55 55 55 55 55 54 55 55 55 54 55 55 15 55 55 55 55 55 55 55 55 54 55 45 54 44 45 55 55 35 55 55 55 15 23 "
    "55 55 55 55 55 55 55",
    "55 22 55 24 55 55 55 55 15 54 45 55 43 54 23 23 33 55 55 55 55 55 55 45 12 45 41 33 23 22 15 53 12 55 14 55 15 13 "
    "53 55 55 35 55 55 23",
)

TRUTH: NDArray[np.int64] = np.repeat([0, 1], [69, 45])
RATINGS: NDArray[np.int64] = np.array(
    [
        [
            [int(pair[modality]) for pair in f"{without} {found}".split()]
            for without, found in zip(_WITHOUT, _WITH, strict=True)
        ]
        for modality in (0, 1)
    ]
)  # (2, 5, 114)
