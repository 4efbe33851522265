"""The usual site of a finding as a baseline without a model: its mean mask on other films, treated as a map."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.metrics.localization import MapAgreement, map_agreement

MASK_SIDE = 96  # pixels per side to which masks are stretched before averaging


def mean_mask_matches(targets: Sequence[Mapping[str, object]]) -> dict[tuple[str, str], MapAgreement | None]:
    """Return, by (case, finding), how well the finding's mean mask on other patients' films matches this film's mask.

    `targets` are rows of `measured.TARGETS`. None if no other patient has the finding.
    """
    masks = [_unpacked(row["mask"]) for row in targets]
    whole: defaultdict[object, NDArray[np.int64]] = defaultdict(lambda: np.zeros((MASK_SIDE, MASK_SIDE), np.int64))
    own: defaultdict[object, NDArray[np.int64]] = defaultdict(lambda: np.zeros((MASK_SIDE, MASK_SIDE), np.int64))
    films: Counter[object] = Counter()
    for row, mask in zip(targets, masks, strict=True):
        finding, patient = row["finding"], (row["finding"], row["patient"])
        whole[finding] += mask
        own[patient] += mask
        films.update((finding, patient))
    places: dict[tuple[str, str], MapAgreement | None] = {}
    for row, mask in zip(targets, masks, strict=True):
        finding, patient = row["finding"], (row["finding"], row["patient"])
        alone = films[finding] == films[patient]
        mean = (whole[finding] - own[patient]).astype(np.float64)
        places[str(row["case"]), str(finding)] = None if alone else map_agreement(mean, mask)
    return places


def _unpacked(packed: object) -> NDArray[np.bool_]:
    assert isinstance(packed, bytes)
    return (
        np.unpackbits(np.frombuffer(packed, np.uint8), count=MASK_SIDE * MASK_SIDE)
        .reshape(MASK_SIDE, MASK_SIDE)
        .astype(np.bool_)
    )
