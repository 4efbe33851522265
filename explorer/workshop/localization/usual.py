"""Knowing where a finding usually lies, without any model: its mean mask on other films, as if it were a map."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.metrics.localization import MapAgreement, map_agreement

SIDE = 96  # films are stretched to so many pixels a side, to be laid upon one another


def usual_places(targets: Sequence[Mapping[str, object]]) -> dict[tuple[str, str], MapAgreement | None]:
    """By (case, finding), how the finding's mean mask on films of other patients lies to the mask of this film.

    `targets` are rows of `measured.TARGETS`. None where no other patient has the finding.
    """
    masks = [_unpacked(row["mask"]) for row in targets]
    whole: defaultdict[object, NDArray[np.int64]] = defaultdict(lambda: np.zeros((SIDE, SIDE), np.int64))
    own: defaultdict[object, NDArray[np.int64]] = defaultdict(lambda: np.zeros((SIDE, SIDE), np.int64))
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
    return np.unpackbits(np.frombuffer(packed, np.uint8), count=SIDE * SIDE).reshape(SIDE, SIDE).astype(np.bool_)
